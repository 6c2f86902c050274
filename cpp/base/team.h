// The threads among which parallel loops are divided.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace mixgrad {

// One loop at a time, opened by the thread that holds the TeamScope. Helpers come when they can: they look for a loop for
// a while after the last one, sleep after that, and a loop ends without those that have not come yet. Every thread has
// a contiguous part of the loop, so that memory stays in its cache from loop to loop, cut into chunks; who has done its
// own part takes chunks of the others'.
class Team {
 public:
  static constexpr int kMostThreads = 1024;

  // The team of the process; a forked child gets a new one. Never destroyed.
  static Team& get();
  // Null before the first get().
  static Team* find();

  // See parallel_ranges. `threads` at least 2 and at most `chunks`.
  void run(std::int64_t n, std::int64_t chunks, int threads, void (*body)(void*, std::int64_t, std::int64_t),
           void* context);

  // Whether helpers work or look for work: then a core that seems idle is not.
  bool awake() const { return awake_.load(std::memory_order_relaxed) > 0; }

  // While another team (OpenMP's, inside oneDNN) works, helpers do not look for loops but sleep.
  // Calls pair: as long as one thread has stepped aside without coming back, all helpers do.
  bool stands_aside() const { return aside_.load(std::memory_order_relaxed) > 0; }
  void step_aside(bool aside) { aside_.fetch_add(aside ? 1 : -1, std::memory_order_relaxed); }

 private:
  struct alignas(64) Part {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };
  struct alignas(64) Helper {
    explicit Helper(Team* of, int number) : team(of), index(number) {}
    Team* const team;
    const int index;  // 0 is who opened the loop
    std::condition_variable woken;
    std::atomic<bool> asleep{false};
  };

  void add_helpers(int count);
  static bool start(Helper* helper);  // false: the system has no thread for it
  static void* help(void* helper);
  void help(Helper* self, int index);
  bool look_for_loop(std::uint64_t seen) const;
  void work(int index) noexcept;
  void wake(Helper& helper);

  // Why nobody works on a loop that is over: a helper enters (inside_) and then looks again whether the round it saw is
  // still open; the opener ends the round and then waits until nobody is inside. All sequentially consistent.
  alignas(64) std::atomic<std::uint64_t> round_{0};  // odd while a loop is open
  std::atomic<int> aside_{0};
  std::atomic<int> awake_{0};
  alignas(64) std::atomic<int> inside_{0};

  // The loop; changed while no helper is inside.
  alignas(64) void (*body_)(void*, std::int64_t, std::int64_t) = nullptr;
  void* context_ = nullptr;
  std::int64_t n_ = 0, chunks_ = 0;
  int threads_ = 0;
  std::unique_ptr<Part[]> parts_;
  int parts_capacity_ = 0;
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;

  std::mutex mutex_;  // falling asleep and being woken
  std::vector<std::unique_ptr<Helper>> helpers_;
};

}  // namespace mixgrad
