#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>

#if MIXGRAD_OPENMP
#include <omp.h>
#endif

namespace mixgrad {
namespace {

thread_local bool parallel_team_allowed = false;
std::atomic<int> parallel_thread_count{0};  // 0: not decided yet

int parallel_default_threads() {
#if MIXGRAD_OPENMP
  return std::max(1, omp_get_max_threads());
#else
  return 1;
#endif
}

}  // namespace

int num_threads() {
  int count = parallel_thread_count.load(std::memory_order_relaxed);
  if (count == 0) {
    // Decided once: omp_get_max_threads is a setting of the calling thread.
    int undecided = 0;
    count = parallel_default_threads();
    if (!parallel_thread_count.compare_exchange_strong(undecided, count)) count = undecided;
  }
  return count;
}

void set_num_threads(int count) {
  parallel_thread_count.store(std::max(1, count), std::memory_order_relaxed);
}

bool team_allowed() { return parallel_team_allowed; }

TeamScope::TeamScope(bool allowed) : before_(parallel_team_allowed) { parallel_team_allowed = allowed; }
TeamScope::~TeamScope() { parallel_team_allowed = before_; }

void parallel_ranges(std::int64_t n, std::int64_t grain, void (*body)(void*, std::int64_t, std::int64_t),
                     void* context) {
  if (n <= 0) return;
  grain = std::max<std::int64_t>(1, grain);
#if MIXGRAD_OPENMP
  if (n > grain && parallel_team_allowed) {
    const int team = static_cast<int>(std::min<std::int64_t>(num_threads(), n / grain));
    if (team > 1 && !omp_in_parallel()) {
      std::atomic<bool> failed{false};
      std::exception_ptr failure;
#pragma omp parallel num_threads(team)
      {
        // The runtime may give fewer threads than asked for.
        const std::int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
        const std::int64_t size = n / parts, rest = n % parts;
        const std::int64_t begin = part * size + std::min(part, rest);
        const std::int64_t end = begin + size + (part < rest ? 1 : 0);
        try {
          if (begin < end) body(context, begin, end);
        } catch (...) {
          if (!failed.exchange(true)) failure = std::current_exception();
        }
      }
      if (failure) std::rethrow_exception(failure);
      return;
    }
  }
#endif
  body(context, 0, n);
}

}  // namespace mixgrad
