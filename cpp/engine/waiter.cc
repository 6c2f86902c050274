#include "engine/waiter.h"

#include <new>
#include <thread>

#include "base/parallel.h"
#include "engine/caller.h"
#include "engine/error_record.h"
#include "engine/spin.h"

namespace mixgrad::engine {
namespace {

std::mutex waiter_pool_mutex;
Waiter* waiter_pool = nullptr;
std::uint32_t waiter_process = 0;  // changes only in a child, while it has one thread

}  // namespace

std::atomic<int> answers_awaited{0};

int spin_turns() {
  static const bool alone = std::thread::hardware_concurrency() <= 1;
  if (alone) return 0;
  return team_awake() ? 0 : 2000;
}

void Waiter::lock_pool() { waiter_pool_mutex.lock(); }
void Waiter::unlock_pool(bool child) {
  if (child) {
    ++waiter_process;
    waiter_pool = nullptr;  // one may have been given back before who delivered it let go of its mutex
  }
  waiter_pool_mutex.unlock();
}

Waiter* Waiter::take() noexcept {
  Waiter* waiter = nullptr;
  {
    std::lock_guard<std::mutex> guard(waiter_pool_mutex);
    waiter = waiter_pool;
    if (waiter) waiter_pool = waiter->next_;
  }
  if (!waiter) waiter = new (std::nothrow) Waiter;
  if (!waiter) return nullptr;
  waiter->error = nullptr;
  waiter->state_.store(waiting, std::memory_order_relaxed);
  waiter->process_ = waiter_process;
  return waiter;
}

void Waiter::give(Waiter* waiter) {
  std::lock_guard<std::mutex> guard(waiter_pool_mutex);
  waiter->next_ = waiter_pool;
  waiter_pool = waiter;
}

bool Waiter::wait(bool heed_interrupts) {
  const auto is_done = [this] { return state_.load(std::memory_order_acquire) == done; };
  // An answer takes longer than a thread's sleep, and whoever gives it may need this core.
  const bool spins = answers_awaited.load(std::memory_order_relaxed) == 0;
  for (int i = spins ? spin_turns() : 0; i > 0; --i) {
    if (is_done()) return true;
    cpu_relax();
  }
  // What is waited for may itself need the lock of the caller's interpreter.
  const BlockingScope blocking;
  std::unique_lock<std::mutex> guard(mutex_);
  if (!heed_interrupts) {
    woken_.wait(guard, is_done);
    return true;
  }
  while (!woken_.wait_for(guard, interrupt_period, is_done)) {
    guard.unlock();  // the hook may run the program's own code
    if (interrupted()) {
      int expected = waiting;
      if (state_.compare_exchange_strong(expected, abandoned)) return false;
      if (error) error->release();  // delivered just now
      give(this);
      return false;
    }
    guard.lock();
  }
  return true;
}

void Waiter::deliver() {
  if (process_ != waiter_process) {  // nobody sleeps here, and its mutex may have been copied while locked
    if (error) error->release();
    return;
  }
  int expected = waiting;
  if (!state_.compare_exchange_strong(expected, done, std::memory_order_acq_rel)) {
    if (error) error->release();
    return give(this);
  }
  // Taking the mutex orders this after the sleeper's last look at its flag.
  { std::lock_guard<std::mutex> guard(mutex_); }
  woken_.notify_all();
}

}  // namespace mixgrad::engine
