#include "base/at_exit.h"

#include <atomic>
#include <cstdlib>

namespace mixgrad {
namespace {
std::atomic<void (*)()> exit_work{nullptr};
}

void set_exit_work(void (*end_work)()) {
  exit_work.store(end_work, std::memory_order_release);
  std::atexit(end_work);
}

void end_work_before_statics() {
  if (void (*end_work)() = exit_work.load(std::memory_order_acquire)) std::atexit(end_work);
}

}  // namespace mixgrad
