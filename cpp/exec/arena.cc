#include "exec/arena.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace mixgrad {

void Arena::want(int64_t bytes) {
  int64_t known = wanted_.load(std::memory_order_relaxed);
  while (known < bytes && !wanted_.compare_exchange_weak(known, bytes, std::memory_order_relaxed)) {
  }
}

void Arena::ensure() {
  // More than can be addressed is refused as the most of it.
  constexpr int64_t kMost = std::numeric_limits<ptrdiff_t>::max();
  const size_t bytes = static_cast<size_t>(std::min(wanted_.load(std::memory_order_relaxed), kMost));
  if (block_.bytes >= bytes) return;
  storage::release(block_);
  block_ = storage::Block();
  block_ = storage::allocate(device_, bytes);
}

const Ref<Arena>& ArenaSet::of(Device device) {
  for (const Ref<Arena>& arena : arenas_) {
    if (arena->device() == device) return arena;
  }
  arenas_.push_back(Arena::make(device));
  return arenas_.back();
}

int64_t ArenaSet::bytes() const {
  int64_t sum = 0;
  for (const Ref<Arena>& arena : arenas_) sum += arena->bytes();
  return sum;
}

}  // namespace mixgrad
