// Putting a thread to sleep until another thread has set a flag.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace mixgrad::engine {

// Parkers are pooled and never freed: whoever sets a flag may still touch the Parker after the sleeper has
// seen the flag and gone. A leftover wake() of an earlier use only makes the sleeper look at its flag again.
class Parker {
 public:
  static Parker* take();
  static void give(Parker* parker);

  // Returns once `done` is true; spins a little first.
  void wait(const std::atomic<bool>& done);
  // Call after setting the flag. The flag's owner may be gone already.
  void wake();

  // Held across fork(), so that the child finds the pool whole.
  static std::mutex& pool_mutex();

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  Parker* next_ = nullptr;
};

// Turns a thread spins before it sleeps: about 50 microseconds. None on a single core, and none while threads of the team
// are awake: there a thread that spins takes the core that a loop needs.
int spin_turns();

}  // namespace mixgrad::engine
