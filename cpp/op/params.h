// A parameter struct of any operator, shared by reference: tape nodes, graph nodes and running tasks hold the
// same one.
#pragma once

#include <atomic>
#include <new>

#include "base/fields.h"
#include "base/intrusive.h"

namespace mixgrad {

class ParamsBox;
using ParamsRef = Ref<const ParamsBox>;

// One piece of memory, with the struct behind the box: its address follows from the box's without reading anything, so
// walks over large graphs only wait for parameters that a rule really looks at. Immutable once shared. Threads: the count is
// atomic, the contents are only read.
class alignas(kParamsAlignment) ParamsBox {
 public:
  // A copy of a struct of the schema; of null: the defaults.
  static Ref<ParamsBox> make(const Schema& schema, const void* params);
  ParamsBox(const ParamsBox&) = delete;
  ParamsBox& operator=(const ParamsBox&) = delete;
  MIXGRAD_INLINE void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  const void* data() const { return this + 1; }
  void* mutable_data() { return this + 1; }  // only before it is shared
  const Schema& schema() const { return schema_; }

 private:
  explicit ParamsBox(const Schema& schema) : schema_(schema) {}
  ~ParamsBox() = default;
  void destroy() const;
  const Schema& schema_;
  mutable std::atomic<int> count_{0};
};

}  // namespace mixgrad
