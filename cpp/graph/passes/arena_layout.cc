#include "graph/passes/arena_layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace mixgrad {
namespace {

// Up to here every block is compared with every other, which packs tighter.
constexpr size_t kFewBlocks = 6000;

using Order = std::vector<uint32_t>;

Order by_number(size_t n) {
  Order order(n);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

// Blocks come and go in the order of time; each takes the smallest hole that holds it, and only when there is none the
// arena grows, by what the hole at its end lacks.
class BestFit {
 public:
  BestFit(std::vector<ArenaBlock>& blocks, bool backwards) : blocks_(blocks) {
    const size_t n = blocks.size();
    Order starts = by_number(n), ends = by_number(n);
    const auto start = [&](uint32_t b) { return backwards ? ~blocks[b].last : blocks[b].first; };
    const auto end = [&](uint32_t b) { return backwards ? ~blocks[b].first : blocks[b].last; };
    std::stable_sort(starts.begin(), starts.end(), [&](uint32_t a, uint32_t b) {
      return start(a) != start(b) ? start(a) < start(b) : blocks[a].bytes > blocks[b].bytes;
    });
    std::stable_sort(ends.begin(), ends.end(), [&](uint32_t a, uint32_t b) { return end(a) < end(b); });
    size_t ended = 0;
    for (uint32_t b : starts) {
      while (ended < n && end(ends[ended]) < start(b)) give(blocks[ends[ended++]]);
      take(blocks[b]);
    }
  }
  int64_t bytes() const { return top_; }

 private:
  void add_hole(int64_t offset, int64_t bytes) {
    holes_[offset] = bytes;
    sizes_.insert({bytes, offset});
  }
  void drop_hole(std::map<int64_t, int64_t>::iterator hole) {
    sizes_.erase({hole->second, hole->first});
    holes_.erase(hole);
  }

  void take(ArenaBlock& block) {
    if (block.bytes == 0) return;
    const auto fit = sizes_.lower_bound({block.bytes, 0});
    if (fit != sizes_.end()) {
      const auto [bytes, offset] = *fit;
      drop_hole(holes_.find(offset));
      block.offset = offset;
      if (bytes > block.bytes) add_hole(offset + block.bytes, bytes - block.bytes);
      return;
    }
    block.offset = top_;
    if (!holes_.empty()) {
      const auto last = std::prev(holes_.end());
      if (last->first + last->second == top_) {
        block.offset = last->first;
        drop_hole(last);
      }
    }
    top_ = block.offset + block.bytes;
  }

  void give(const ArenaBlock& block) {
    if (block.bytes == 0) return;
    int64_t offset = block.offset, bytes = block.bytes;
    auto after = holes_.lower_bound(offset);
    if (after != holes_.begin()) {
      const auto before = std::prev(after);
      if (before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        drop_hole(before);
      }
    }
    after = holes_.lower_bound(block.offset);
    if (after != holes_.end() && after->first == block.offset + block.bytes) {
      bytes += after->second;
      drop_hole(after);
    }
    add_hole(offset, bytes);
  }

  std::vector<ArenaBlock>& blocks_;
  std::map<int64_t, int64_t> holes_;             // bytes by offset
  std::set<std::pair<int64_t, int64_t>> sizes_;  // (bytes, offset) of the holes
  int64_t top_ = 0;
};

// Blocks in the order given, each at the lowest place that is free during its life.
int64_t first_fit(std::vector<ArenaBlock>& blocks, const Order& order, int64_t give_up) {
  int64_t top = 0;
  std::vector<uint32_t> placed;  // by offset
  placed.reserve(order.size());
  for (uint32_t b : order) {
    ArenaBlock& block = blocks[b];
    int64_t offset = 0;
    for (uint32_t p : placed) {
      const ArenaBlock& other = blocks[p];
      if (other.last < block.first || other.first > block.last) continue;
      if (other.offset >= offset + block.bytes) break;
      offset = std::max(offset, other.offset + other.bytes);
    }
    block.offset = offset;
    top = std::max(top, offset + block.bytes);
    if (top >= give_up) return top;
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), b,
                         [&](uint32_t x, uint32_t y) { return blocks[x].offset < blocks[y].offset; }),
        b);
  }
  return top;
}

}  // namespace

int64_t live_peak(const std::vector<ArenaBlock>& blocks) {
  std::vector<std::pair<uint64_t, int64_t>> changes;  // ends come after starts of the same step
  changes.reserve(2 * blocks.size());
  for (const ArenaBlock& b : blocks) {
    changes.push_back({uint64_t{b.first} * 2, b.bytes});
    changes.push_back({uint64_t{b.last} * 2 + 1, -b.bytes});
  }
  std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  int64_t now = 0, peak = 0;
  for (const auto& change : changes) peak = std::max(peak, now += change.second);
  return peak;
}

int64_t lay_out(std::vector<ArenaBlock>& blocks) {
  const int64_t bound = live_peak(blocks);
  std::vector<ArenaBlock> best = blocks, trial = blocks;
  int64_t best_bytes = BestFit(best, false).bytes();
  const auto keep = [&](int64_t bytes) {
    if (bytes >= best_bytes) return;
    best_bytes = bytes;
    best = trial;
  };
  if (best_bytes > bound) keep(BestFit(trial, true).bytes());
  if (blocks.size() <= kFewBlocks) {
    const auto life = [&](uint32_t b) { return blocks[b].last - blocks[b].first; };
    const auto size_first = [&](uint32_t a, uint32_t b) {
      return blocks[a].bytes != blocks[b].bytes ? blocks[a].bytes > blocks[b].bytes : life(a) > life(b);
    };
    const auto life_first = [&](uint32_t a, uint32_t b) {
      return life(a) != life(b) ? life(a) > life(b) : blocks[a].bytes > blocks[b].bytes;
    };
    const auto area_first = [&](uint32_t a, uint32_t b) {
      const double x = static_cast<double>(blocks[a].bytes) * (life(a) + 1);
      const double y = static_cast<double>(blocks[b].bytes) * (life(b) + 1);
      return x > y;
    };
    Order order = by_number(blocks.size());
    if (best_bytes > bound) {
      std::stable_sort(order.begin(), order.end(), size_first);
      keep(first_fit(trial, order, best_bytes));
    }
    if (best_bytes > bound) {
      std::stable_sort(order.begin(), order.end(), life_first);
      keep(first_fit(trial, order, best_bytes));
    }
    if (best_bytes > bound) {
      std::stable_sort(order.begin(), order.end(), area_first);
      keep(first_fit(trial, order, best_bytes));
    }
  }
  blocks = std::move(best);
  return best_bytes;
}

}  // namespace mixgrad
