// A parameter struct of any operator, shared by reference: tape nodes, graph nodes and running tasks hold the
// same one.
#pragma once

#include <atomic>

#include "base/fields.h"
#include "base/intrusive.h"

namespace mixgrad {

// Immutable once shared. Threads: the count is atomic, the contents are only read.
class ParamsBox {
 public:
  // Takes over `data`, which must come from schema.clone.
  ParamsBox(const Schema& schema, void* data) : schema_(schema), data_(data) {}
  ParamsBox(const ParamsBox&) = delete;
  ParamsBox& operator=(const ParamsBox&) = delete;
  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  const void* data() const { return data_; }
  void* mutable_data() { return data_; }  // only before it is shared
  const Schema& schema() const { return schema_; }

 private:
  ~ParamsBox() { schema_.destroy(data_); }
  const Schema& schema_;
  void* data_;
  mutable std::atomic<int> count_{0};
};

using ParamsRef = Ref<const ParamsBox>;

}  // namespace mixgrad
