// What memory holds before anything is written to it, on demand, for tests: a result that depends on it comes from bytes
// that nobody wrote.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>

#include "base/build.h"

namespace mixgrad {

// The byte that fills memory handed out from now on; -1, as at the start: it stays as it is.
inline std::atomic<int> fresh_byte{-1};

inline bool fills_fresh() {
  return (kTraining || !kCompact) && fresh_byte.load(std::memory_order_relaxed) >= 0;
}

// `data` may be null where there are no bytes.
inline void fill_fresh(void* data, std::size_t bytes) {
  if (!fills_fresh() || bytes == 0) return;
  std::memset(data, fresh_byte.load(std::memory_order_relaxed), bytes);
}

}  // namespace mixgrad
