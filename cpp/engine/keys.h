// The Vars of one push, each once, in the order in which they are locked.
#pragma once

#include <cstddef>
#include <memory>

#include "base/error.h"
#include "engine/task.h"

namespace mixgrad::engine {

class KeySet {
 public:
  KeySet(Span<Var* const> reads, Span<Var* const> writes, const TaskInfo& info) {
    const std::size_t total = reads.size() + writes.size() + info.kept.size() + info.parts.size();
    if (total > small) {
      heap_.reset(new Key[total]);
      keys_ = heap_.get();
    }
    Key any_null = ~Key{0};
    for (Var* var : reads) add(var, key_reads, any_null);
    for (Var* var : writes) add(var, key_writes, any_null);
    for (Var* var : info.kept) add(var, key_keeps, any_null);
    for (Var* var : info.parts) add(var, key_reads | key_parts, any_null);
    if (any_null == 0) fail(Status::invalid_argument, "[", info.name, "] was pushed with a null Var");
    sort();
    merge();
  }
  Key* data() { return keys_; }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t small = 16;

  void add(Var* var, Key access, Key& any_null) {
    any_null = var ? any_null : 0;
    keys_[size_++] = reinterpret_cast<Key>(var) | access;
  }
  void order(std::size_t i, std::size_t j) {
    const Key a = keys_[i], b = keys_[j];
    keys_[i] = a < b ? a : b;
    keys_[j] = a < b ? b : a;
  }
  // Addresses arrive in no order, so up to four are sorted without a branch to mispredict.
  void sort() {
    switch (size_) {
      case 0:
      case 1: return;
      case 2: return order(0, 1);
      case 3: order(0, 1), order(1, 2), order(0, 1); return;
      case 4: order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2); return;
      default: sort_many();
    }
  }
  // Shell's sort: short, and quick enough for some thousands.
  void sort_many() {
    for (const std::size_t gap : {701, 301, 132, 57, 23, 10, 4, 1}) {
      for (std::size_t i = gap; i < size_; ++i) {
        const Key key = keys_[i];
        std::size_t at = i;
        for (; at >= gap && keys_[at - gap] > key; at -= gap) keys_[at] = keys_[at - gap];
        keys_[at] = key;
      }
    }
  }
  void merge() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (kept > 0 && key_var(keys_[kept - 1]) == key_var(keys_[i])) {
        keys_[kept - 1] |= keys_[i] & key_access;
      } else {
        keys_[kept++] = keys_[i];
      }
    }
    size_ = kept;
  }

  Key stack_[small];
  std::unique_ptr<Key[]> heap_;
  Key* keys_ = stack_;
  std::size_t size_ = 0;
};

}  // namespace mixgrad::engine
