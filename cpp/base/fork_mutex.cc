#include "base/fork_mutex.h"

#include <condition_variable>

#include "base/process_number.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace mixgrad {
namespace {

std::atomic<ForkedAfresh*> forked_objects{nullptr};

constexpr uint32_t kSleepers = 1;  // added to the number of a process, which is even
constexpr uint32_t kNextProcess = 2;

std::atomic<uint32_t> number_of_process{kNextProcess};

// Who waits for an ObjectMutex.
struct Sleepers : ForkedAfresh {
  Sleepers() : ForkedAfresh(renew) {}
  static void renew(ForkedAfresh* self) {
    auto* const all = static_cast<Sleepers*>(self);
    new (&all->mutex) std::mutex;
    new (&all->freed) std::condition_variable;
  }
  std::mutex mutex;
  std::condition_variable freed;
};

Sleepers& sleepers() {
  static auto* const all = new Sleepers;  // locks are taken while the process ends, too
  return *all;
}

}  // namespace

void renew_in_child() {
  number_of_process += kNextProcess;
  for (ForkedAfresh* object = forked_objects.load(); object; object = object->next_) object->renew_(object);
}

namespace {

bool watch_forks() {
#if defined(__unix__) || defined(__APPLE__)
  [[maybe_unused]] static const int hook = pthread_atfork(nullptr, nullptr, renew_in_child);
#endif
  return true;
}

// From the beginning: what other floors do in a child comes after it.
[[maybe_unused]] const bool forks_are_watched = watch_forks();

}  // namespace

uint32_t process_number() { return number_of_process.load(std::memory_order_relaxed); }

ForkedAfresh::ForkedAfresh(Renew renew) : renew_(renew), next_(forked_objects.load()) {
  watch_forks();
  while (!forked_objects.compare_exchange_weak(next_, this)) {
  }
}

void ObjectMutex::lock() {
  Sleepers& all = sleepers();
  const uint32_t mine = process_number(), waited = mine | kSleepers;
  uint32_t holder = holder_.load(std::memory_order_relaxed);
  for (;;) {
    if ((holder | kSleepers) != waited) {
      if (holder_.compare_exchange_weak(holder, mine, std::memory_order_acquire, std::memory_order_relaxed))
        return;
      continue;
    }
    std::unique_lock<std::mutex> lock(all.mutex);
    if (!holder_.compare_exchange_strong(holder, waited, std::memory_order_relaxed)) continue;
    all.freed.wait(lock, [&] { return (holder = holder_.load(std::memory_order_relaxed)) != waited; });
  }
}

void ObjectMutex::unlock() {
  if ((holder_.exchange(0, std::memory_order_release) & kSleepers) == 0) return;
  Sleepers& all = sleepers();
  { const std::lock_guard<std::mutex> lock(all.mutex); }  // the thread that set the mark sleeps by now
  all.freed.notify_all();
}

}  // namespace mixgrad
