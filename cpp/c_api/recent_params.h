// The parameters that a thread gave its operators last: loops call the same operators with the same ones, and reading them costs
// as much as a small operator does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "c_api/handle.h"

namespace mixgrad::c_api {

// Names and values of one call as bytes. Not every call has such a key: not one with wrong, long or nested values.
class ParamsKey {
 public:
  bool build(int32_t count, const char* const* names, const mg_value* values) {
    for (int32_t i = 0; i < count; ++i) {
      if (!names[i] || !put(names[i], std::strlen(names[i]) + 1)) return false;
      const mg_value& value = values[i];
      if (value.kind != MG_VALUE_TUPLE) {
        if (!put_scalar(value)) return false;
        continue;
      }
      if (!put_head(value.kind, value.num_items) || (value.num_items > 0 && !value.as.items)) return false;
      for (int32_t k = 0; k < value.num_items; ++k) {
        if (!put_scalar(value.as.items[k])) return false;
      }
    }
    return true;
  }
  bool operator==(const ParamsKey& other) const {
    return used_ == other.used_ && std::memcmp(bytes_, other.bytes_, used_) == 0;
  }
  ParamsKey() {}  // NOLINT(modernize-use-equals-default): leaves the bytes as they are
  ParamsKey(const ParamsKey& other) { *this = other; }
  ParamsKey& operator=(const ParamsKey& other) {
    used_ = other.used_;
    std::memcpy(bytes_, other.bytes_, used_);
    return *this;
  }

 private:
  bool put(const void* data, size_t size) {
    if (size > sizeof bytes_ - used_) return false;
    std::memcpy(bytes_ + used_, data, size);
    used_ += size;
    return true;
  }
  bool put_head(int32_t kind, int32_t num_items) {
    const int32_t head[] = {kind, num_items};
    return put(head, sizeof head);
  }
  bool put_scalar(const mg_value& value) {
    switch (value.kind) {
      case MG_VALUE_NONE: return put_head(value.kind, 0);
      case MG_VALUE_INTEGER:
      case MG_VALUE_BOOLEAN:
      case MG_VALUE_REAL: return put_head(value.kind, 0) && put(&value.as, sizeof value.as);
      case MG_VALUE_STRING:
        return value.as.string && put_head(value.kind, 0) &&
               put(value.as.string, std::strlen(value.as.string) + 1);
      default: return false;
    }
  }

  size_t used_ = 0;
  char bytes_[184];
};

class RecentParams {
  struct Entry {
    const Op* op = nullptr;
    int users = 0;
    ParamsKey key;
    ParamsRef params;
  };

 public:
  // The parameters of one call while it runs. What is kept is lent rather than counted; calls inside this one, such as a
  // custom operator makes, find the entry in use and leave it as it is.
  class Use {
   public:
    // Throws as make_params does.
    Use(RecentParams& recent, const Op& op, int32_t count, const char* const* names, const mg_value* values,
        const char* function) {
      ParamsKey key;
      // Parameters that hold what a call of the program's own operator keeps serve one call.
      const bool has_key = !op.acts && count > 0 && names && values && key.build(count, names, values);
      Entry& entry = recent.entry_of(op);
      if (!has_key || entry.op != &op || !(entry.key == key)) {
        std::vector<NamedValue> storage;
        own_ = make_params(op, named_values(count, names, values, storage, function));
        if (!has_key || entry.users > 0) return;
        entry.op = &op;
        entry.key = key;
        entry.params = std::move(own_);
      }
      lent_ = &entry;
      ++entry.users;
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() {
      if (lent_) --lent_->users;
    }
    const ParamsRef& params() const { return lent_ ? lent_->params : own_; }

   private:
    Entry* lent_ = nullptr;
    ParamsRef own_;
  };

 private:
  Entry& entry_of(const Op& op) {
    return entries_[(reinterpret_cast<uintptr_t>(&op) / alignof(Op) * 0x9E3779B97F4A7C15u) >> 59];
  }

  Entry entries_[32];  // by the upper 5 bits of the operator's hash
};

}  // namespace mixgrad::c_api
