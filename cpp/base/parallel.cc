#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "base/team.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace mixgrad {
namespace {

// Chunks per thread: a thread that comes late, or is held up, leaves some of its own to the others.
constexpr std::int64_t parallel_chunks = 4;

thread_local bool parallel_team_allowed = false;
thread_local bool parallel_team_mine = false;  // also inside a loop, where it is not allowed
std::atomic<bool> parallel_team_taken{false};
std::atomic<int> parallel_thread_count{0};  // 0: not decided yet

#if defined(__unix__) || defined(__APPLE__)
// In the child only the forking thread can hold the team.
[[maybe_unused]] const int parallel_fork_hook = pthread_atfork(
    nullptr, nullptr, [] { parallel_team_taken.store(parallel_team_mine, std::memory_order_relaxed); });
#endif

int parallel_default_threads() {
  // The variable by which users of numerical libraries choose.
  if (const char* wish = std::getenv("OMP_NUM_THREADS")) {
    const long count = std::strtol(wish, nullptr, 10);
    if (count >= 1 && count <= Team::kMostThreads) return static_cast<int>(count);
  }
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, Team::kMostThreads);
}

// For tests: loops are divided however short they are, so that small arrays show whether the division changes results.
bool parallel_divides_all() {
  static const bool all = std::getenv("MIXGRAD_DIVIDE_ALL") != nullptr;
  return all;
}

}  // namespace

int num_threads() {
  int count = parallel_thread_count.load(std::memory_order_relaxed);
  if (count == 0) {
    int undecided = 0;
    count = parallel_default_threads();
    if (!parallel_thread_count.compare_exchange_strong(undecided, count)) count = undecided;
  }
  return count;
}

void set_num_threads(int count) {
  parallel_thread_count.store(std::clamp(count, 1, Team::kMostThreads), std::memory_order_relaxed);
}

bool team_awake() {
  const Team* team = Team::find();  // a thread at a fork asks, which must not ask for memory
  return team && team->awake();
}

void team_steps_aside(bool aside) { Team::get().step_aside(aside); }

bool team_allowed() { return parallel_team_allowed; }

TeamScope::TeamScope(bool wanted) : before_(parallel_team_allowed) {
  if (wanted && !before_ && !parallel_team_mine) {
    took_ = !parallel_team_taken.exchange(true, std::memory_order_acquire);
    if (took_) parallel_team_mine = true;
  }
  parallel_team_allowed = wanted && (before_ || took_);
}

TeamScope::~TeamScope() {
  parallel_team_allowed = before_;
  if (!took_) return;
  parallel_team_mine = false;
  parallel_team_taken.store(false, std::memory_order_release);
}

std::int64_t loop_grain(std::int64_t worth, std::initializer_list<std::int64_t> work) {
  std::int64_t each = 1;
  for (const std::int64_t factor : work) {
    if (__builtin_mul_overflow(each, factor, &each)) return 1;
  }
  return std::max<std::int64_t>(1, worth / std::max<std::int64_t>(1, each));
}

void parallel_ranges(std::int64_t n, std::int64_t grain, void (*body)(void*, std::int64_t, std::int64_t),
                     void* context) {
  if (n <= 0) return;
  grain = parallel_divides_all() ? 1 : std::max<std::int64_t>(1, grain);
  if (n > grain && parallel_team_allowed) {
    const std::int64_t most = n / grain;
    const int threads = static_cast<int>(std::min<std::int64_t>(num_threads(), most));
    if (threads > 1) {
      const TeamScope alone(false);  // for loops inside this one
      return Team::get().run(n, std::min(most, threads * parallel_chunks), threads, body, context);
    }
  }
  body(context, 0, n);
}

}  // namespace mixgrad
