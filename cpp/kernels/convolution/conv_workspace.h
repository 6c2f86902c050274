// Working memory shared out among the chunks of a parallel loop.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/parallel.h"

namespace mixgrad::conv_workspace {

// Up to `count` workspaces side by side. A thread that works on a chunk takes one for that time; a thread that goes from chunk to
// chunk gets the same workspace again, whose memory is in its cache.
class Workspaces {
 public:
  static constexpr int kMost = 64;
  Workspaces(float* first, int64_t items, int64_t count)
      : first_(first), items_(items), free_(count >= kMost ? ~uint64_t{0} : (uint64_t{1} << count) - 1) {}
  Workspaces(const Workspaces&) = delete;
  Workspaces& operator=(const Workspaces&) = delete;

  // Waits while all are taken, which happens only when more threads come than there are workspaces.
  int take() {
    for (;;) {
      uint64_t free = free_.load(std::memory_order_relaxed);
      if (free == 0) continue;
      const int index = __builtin_ctzll(free);
      if (free_.compare_exchange_weak(free, free & ~(uint64_t{1} << index), std::memory_order_acquire))
        return index;
    }
  }
  void give(int index) { free_.fetch_or(uint64_t{1} << index, std::memory_order_release); }
  float* workspace(int index) const { return first_ + index * items_; }

 private:
  float* first_;
  int64_t items_;
  std::atomic<uint64_t> free_;
};

// body(begin, end, workspace) on ranges that cover [0, n), in at most `count` threads; each of the ranges is at least `grain`
// long where n allows. body throws nothing: its workspace would be lost.
template <class F>
void for_workspaces(int64_t n, int64_t grain, float* first, int64_t items, int64_t count, const F& body) {
  if (count == 1 || n <= grain) return body(int64_t{0}, n, first);
  Workspaces workspaces(first, items, count);
  parallel_for(n, grain, [&](int64_t begin, int64_t end) {
    const int index = workspaces.take();
    body(begin, end, workspaces.workspace(index));
    workspaces.give(index);
  });
}

}  // namespace mixgrad::conv_workspace
