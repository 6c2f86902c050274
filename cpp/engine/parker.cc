#include "engine/parker.h"

#include <thread>

#include "base/parallel.h"
#include "engine/spin.h"

namespace mixgrad::engine {
namespace {

std::mutex parker_pool_mutex;
Parker* parker_pool = nullptr;

}  // namespace

int spin_turns() {
  static const bool alone = std::thread::hardware_concurrency() <= 1;
  if (alone) return 0;
  return team_awake() ? 0 : 2000;
}

std::mutex& Parker::pool_mutex() { return parker_pool_mutex; }

Parker* Parker::take() {
  {
    std::lock_guard<std::mutex> guard(parker_pool_mutex);
    if (Parker* parker = parker_pool) {
      parker_pool = parker->next_;
      return parker;
    }
  }
  return new Parker;
}

void Parker::give(Parker* parker) {
  std::lock_guard<std::mutex> guard(parker_pool_mutex);
  parker->next_ = parker_pool;
  parker_pool = parker;
}

void Parker::wait(const std::atomic<bool>& done) {
  for (int i = spin_turns(); i > 0; --i) {
    if (done.load(std::memory_order_acquire)) return;
    cpu_relax();
  }
  std::unique_lock<std::mutex> guard(mutex_);
  while (!done.load(std::memory_order_acquire)) woken_.wait(guard);
}

void Parker::wake() {
  // Taking the mutex orders this after the sleeper's last look at its flag.
  { std::lock_guard<std::mutex> guard(mutex_); }
  woken_.notify_all();
}

}  // namespace mixgrad::engine
