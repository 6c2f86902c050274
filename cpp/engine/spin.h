// Waiting without the operating system, for the few instructions that engine locks protect.
#pragma once

#include <atomic>
#include <thread>

#include "base/relax.h"

namespace mixgrad::engine {

// Counts turns of a spin loop; gives the core away when the holder may have lost its own.
class SpinWait {
 public:
  void turn() {
    if (++turns_ % 64 == 0) {
      std::this_thread::yield();
    } else {
      cpu_relax();
    }
  }

 private:
  unsigned turns_ = 0;
};

class SpinLock {
 public:
  void lock() {
    SpinWait wait;
    while (locked_.exchange(true, std::memory_order_acquire)) {
      while (locked_.load(std::memory_order_relaxed)) wait.turn();
    }
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> locked_{false};
};

}  // namespace mixgrad::engine
