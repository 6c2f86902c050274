#include "base/at_exit.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/fork_mutex.h"

namespace mixgrad {
namespace {

std::atomic<void (*)()> exit_work{nullptr};

thread_local int outside_work_here = 0;

// Of all threads.
struct OutsideCount : ForkedAfresh {
  OutsideCount() : ForkedAfresh(renew) {}
  static void renew(ForkedAfresh* self) { static_cast<OutsideCount*>(self)->number.store(outside_work_here); }
  std::atomic<int> number{0};
};
OutsideCount outside_work;

}  // namespace

void set_exit_work(void (*end_work)()) {
  exit_work.store(end_work, std::memory_order_release);
  std::atexit(end_work);
}

void end_work_before_statics() {
  if (void (*end_work)() = exit_work.load(std::memory_order_acquire)) std::atexit(end_work);
}

OutsideWork::OutsideWork() {
  ++outside_work_here;
  outside_work.number.fetch_add(1, std::memory_order_relaxed);
}

OutsideWork::~OutsideWork() {
  --outside_work_here;
  outside_work.number.fetch_sub(1, std::memory_order_release);
}

void wait_for_outside_work(double limit_seconds) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_seconds);
  while (outside_work.number.load(std::memory_order_acquire) > outside_work_here &&
         std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace mixgrad
