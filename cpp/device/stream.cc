#include "device/stream.h"

#include <algorithm>
#include <chrono>

namespace mixgrad {
void Stream::add(Stream* stream) {
  stream->next_ = last_.load(std::memory_order_relaxed);
  while (!last_.compare_exchange_weak(stream->next_, stream, std::memory_order_release,
                                      std::memory_order_relaxed)) {
  }
}

bool Stream::wait_for_all(double limit_seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  bool done = true;
  for (Stream* stream = last_.load(std::memory_order_acquire); stream; stream = stream->next_) {
    const double passed = std::chrono::duration<double>(Clock::now() - start).count();
    done &= stream->mark().wait(limit_seconds < 0 ? -1 : std::max(0.0, limit_seconds - passed));
  }
  return done;
}

}  // namespace mixgrad
