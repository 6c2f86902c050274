#include "exec/planned/arena.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/build.h"
#include "exec/imperative/room.h"

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
  give_back();
  block_ = storage::Block();
  taken_.store(0, std::memory_order_relaxed);
  block_ = storage::allocate(device_, bytes);
  taken_.store(bytes, std::memory_order_relaxed);
  storage::keep_promise(device_, promised_.exchange(0, std::memory_order_relaxed));
}

Arena::~Arena() {
  storage::keep_promise(device_, promised_.load(std::memory_order_relaxed));
  give_back();
}

// Streams may be at work in it.
void Arena::give_back() noexcept {
  Event events[kMostEvents];
  storage::release(block_, {events, stream_events(events)});
}

size_t Arena::uncounted() const {
  const auto wanted = static_cast<size_t>(wanted_.load(std::memory_order_relaxed));
  const size_t counted = taken_.load(std::memory_order_relaxed) + promised_.load(std::memory_order_relaxed);
  return wanted - std::min(wanted, counted);
}

void Arena::count(size_t bytes) { promised_ += storage::promise(device_, bytes); }

const Ref<Arena>& ArenaSet::of(Device device) {
  for (const Ref<Arena>& arena : arenas_) {
    if (arena->device() == device) return arena;
  }
  arenas_.push_back(Arena::make(device));
  return arenas_.back();
}

void ArenaSet::make_room() const {
  if constexpr (kQueues) {
    for (const Ref<Arena>& arena : arenas_) {
      const size_t bytes = arena->uncounted();
      if (bytes < storage::watched_bytes.load(std::memory_order_relaxed)) continue;
      // Tasks take it, whose failure nothing can be done about.
      if (mixgrad::make_room(arena->device(), bytes) && storage::pressure(arena->device(), bytes).beyond)
        storage::collect();
      arena->count(bytes);
    }
  }
}

int64_t ArenaSet::bytes() const {
  int64_t sum = 0;
  for (const Ref<Arena>& arena : arenas_) sum += arena->bytes();
  return sum;
}

}  // namespace mixgrad
