// A thread's place in the queue of a Var it waits for, and its sleep until it is woken.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "engine/task.h"

namespace mixgrad::engine {

// Waiters are pooled and never freed. So the thread that delivers one may still touch it after the sleeper has seen that it is done
// and gone (a leftover wake() of an earlier use only makes the next sleeper look at its flag again), and in a forked child a
// queue may hold the Waiters of threads that do not exist there.
class Waiter : public Link {  // without a task; its key says which Var and how
 public:
  // Null when there is no memory for one.
  static Waiter* take() noexcept;
  // Once delivered.
  static void give(Waiter* waiter);

  ErrorRecord* error;  // one reference, or null; set before delivery
  Asked asked;         // when the wait began

  // Returns true once delivered; spins a little first. False when the wait was interrupted, if that is heeded: then it is given
  // back already, or will be by the thread that delivers it.
  bool wait(bool heed_interrupts);
  // By the thread that took it from its queue; the last touch but for waking the sleeper.
  void deliver();

  // Around fork(): the child has a pool of its own, and knows the Waiters of other threads from its own.
  static void lock_pool();
  static void unlock_pool(bool child);

 private:
  enum State : int { waiting, done, abandoned };
  std::atomic<int> state_{waiting};
  std::uint32_t process_ = 0;  // forks that led to the process of the thread that waits
  std::mutex mutex_;
  std::condition_variable woken_;
  Waiter* next_ = nullptr;
};

// Turns a thread spins before it sleeps: about 50 microseconds. None on a single core, and none while threads of the team
// are awake: there a thread that spins takes the core that a loop needs.
int spin_turns();
// Deferred tasks whose body is over and whose end another process or thread is to tell.
extern std::atomic<int> answers_awaited;

}  // namespace mixgrad::engine
