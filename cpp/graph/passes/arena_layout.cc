#include "graph/passes/arena_layout.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "base/order.h"

namespace mixgrad {
namespace {

// Up to here every block is compared with every other, which packs tighter.
constexpr size_t kFewBlocks = 6000;
constexpr int kAttempts = 40;               // per order
constexpr int64_t kMostWork = 400'000'000;  // comparisons, about 0.2 s
constexpr int kMoves = 4000;                // of the search that follows

using Order = std::vector<uint32_t>;

// Blocks come and go in the order of time; each takes the smallest hole that holds it, and only when there is none the
// arena grows, by what the hole at its end lacks.
class BestFit {
 public:
  BestFit(std::vector<ArenaBlock>& blocks, bool backwards) {
    const size_t n = blocks.size();
    Order starts = numbers_below(n), ends = numbers_below(n);
    const auto start = [&](uint32_t b) { return backwards ? ~blocks[b].last : blocks[b].first; };
    const auto end = [&](uint32_t b) { return backwards ? ~blocks[b].first : blocks[b].last; };
    sort_by(starts, [&](uint32_t a, uint32_t b) {
      if (start(a) != start(b)) return start(a) < start(b);
      return blocks[a].bytes != blocks[b].bytes ? blocks[a].bytes > blocks[b].bytes : a < b;
    });
    sort_by(ends, [&](uint32_t a, uint32_t b) { return end(a) != end(b) ? end(a) < end(b) : a < b; });
    size_t ended = 0;
    for (uint32_t b : starts) {
      while (ended < n && end(ends[ended]) < start(b)) give(blocks[ends[ended++]]);
      take(blocks[b]);
    }
  }
  int64_t bytes() const { return top_; }

 private:
  // Pairs in order; few at a time, so that moving them costs less than a tree would.
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  static Pairs::iterator not_below(Pairs& pairs, int64_t first, int64_t second) {
    return std::lower_bound(pairs.begin(), pairs.end(), std::pair(first, second));
  }
  void add_hole(int64_t offset, int64_t bytes) {
    holes_.insert(not_below(holes_, offset, 0), {offset, bytes});
    sizes_.insert(not_below(sizes_, bytes, offset), {bytes, offset});
  }
  void drop_hole(Pairs::iterator hole) {
    sizes_.erase(not_below(sizes_, hole->second, hole->first));
    holes_.erase(hole);
  }

  void take(ArenaBlock& block) {
    if (block.bytes == 0) return;
    const auto fit = not_below(sizes_, block.bytes, 0);
    if (fit != sizes_.end()) {
      const auto [bytes, offset] = *fit;
      drop_hole(not_below(holes_, offset, 0));
      block.offset = offset;
      if (bytes > block.bytes) add_hole(offset + block.bytes, bytes - block.bytes);
      return;
    }
    block.offset = top_;
    if (!holes_.empty()) {
      const auto last = holes_.end() - 1;
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
    auto after = not_below(holes_, offset, 0);
    if (after != holes_.begin()) {
      const auto before = after - 1;
      if (before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        drop_hole(before);
      }
    }
    after = not_below(holes_, block.offset, 0);
    if (after != holes_.end() && after->first == block.offset + block.bytes) {
      bytes += after->second;
      drop_hole(after);
    }
    add_hole(offset, bytes);
  }

  Pairs holes_;  // (offset, bytes)
  Pairs sizes_;  // (bytes, offset) of the holes
  int64_t top_ = 0;
};

// Blocks in the order given, each at the lowest place that is free during its life.
int64_t first_fit(std::vector<ArenaBlock>& blocks, const Order& order) {
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
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), b,
                         [&](uint32_t x, uint32_t y) { return blocks[x].offset < blocks[y].offset; }),
        b);
  }
  return top;
}

// The largest first, the longest-lived first, both, and those alive when most is alive first.
std::vector<Order> promising_orders(const std::vector<ArenaBlock>& blocks) {
  const auto life = [&](uint32_t b) { return blocks[b].last - blocks[b].first; };
  const auto area = [&](uint32_t b) { return static_cast<double>(blocks[b].bytes) * (life(b) + 1.0); };
  std::vector<Order> orders(4, numbers_below(blocks.size()));
  sort_by(orders[0], [&](uint32_t a, uint32_t b) {
    return blocks[a].bytes != blocks[b].bytes ? blocks[a].bytes > blocks[b].bytes : life(a) > life(b);
  });
  sort_by(orders[1], [&](uint32_t a, uint32_t b) {
    return life(a) != life(b) ? life(a) > life(b) : blocks[a].bytes > blocks[b].bytes;
  });
  sort_by(orders[2], [&](uint32_t a, uint32_t b) { return area(a) > area(b); });
  // How much is alive at most during each block's life, by a table of the steps' maxima over powers of two.
  uint32_t steps = 0;
  for (const ArenaBlock& b : blocks) steps = std::max(steps, b.last + 1);
  std::vector<int64_t> change(steps + 1, 0);
  for (const ArenaBlock& b : blocks) change[b.first] += b.bytes, change[b.last + 1] -= b.bytes;
  std::vector<std::vector<int64_t>> most(1, std::vector<int64_t>(steps, 0));
  int64_t now = 0;
  for (uint32_t t = 0; t < steps; ++t) most[0][t] = now += change[t];
  for (uint32_t width = 1; 2 * width <= steps; width *= 2) {
    std::vector<int64_t> wider(steps - 2 * width + 1);
    for (uint32_t t = 0; t < wider.size(); ++t) wider[t] = std::max(most.back()[t], most.back()[t + width]);
    most.push_back(std::move(wider));
  }
  std::vector<int64_t> breadth(blocks.size(), 0);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const uint32_t length = blocks[b].last - blocks[b].first + 1;
    uint32_t level = 0;
    while ((2u << level) <= length) ++level;
    breadth[b] = std::max(most[level][blocks[b].first], most[level][blocks[b].last + 1 - (1u << level)]);
  }
  sort_by(orders[3], [&](uint32_t a, uint32_t b) {
    return breadth[a] != breadth[b] ? breadth[a] > breadth[b] : area(a) > area(b);
  });
  return orders;
}

// Looks for a smaller layout near the one that `blocks` have, which takes `bytes`: of the blocks that reach above `bound`, and
// of those alive with them, some take another turn in the order of first fit. (In the order of their offsets, first fit gives
// blocks places no higher than before.) What is no larger is kept, so the search walks over layouts of equal size. The same
// blocks always give the same layout.
int64_t search(std::vector<ArenaBlock>& blocks, int64_t bytes, int64_t bound, int64_t work) {
  std::minstd_rand random(1);
  const auto draw = [&](size_t below) { return static_cast<size_t>(random() % below); };
  const auto order_of = [](const std::vector<ArenaBlock>& laid) {
    Order order = numbers_below(laid.size());
    sort_by(order, [&](uint32_t a, uint32_t b) { return laid[a].offset < laid[b].offset; });
    return order;
  };
  std::vector<ArenaBlock> trial = blocks;
  Order order = order_of(blocks), attempt;
  std::vector<size_t> high, beside;  // places in `order`: reaching above the bound; alive with the one chosen
  for (int i = 0; i < kMoves && bytes > bound && work > 0; ++i) {
    high.clear();
    for (size_t at = 0; at < order.size(); ++at) {
      const ArenaBlock& b = blocks[order[at]];
      if (b.offset + b.bytes > bound) high.push_back(at);
    }
    attempt = order;
    size_t chosen = high[draw(high.size())];
    for (size_t steps = 1 + draw(3); steps > 0; --steps) {
      const ArenaBlock& b = blocks[attempt[chosen]];
      beside.clear();
      for (size_t at = 0; at < attempt.size(); ++at) {
        const ArenaBlock& other = blocks[attempt[at]];
        if (at != chosen && other.first <= b.last && b.first <= other.last) beside.push_back(at);
      }
      if (beside.empty()) break;
      const size_t to = beside[draw(beside.size())];
      std::swap(attempt[chosen], attempt[to]);
      if (draw(2)) chosen = to;
    }
    const int64_t made = first_fit(trial, attempt);
    work -= static_cast<int64_t>(blocks.size() * blocks.size());
    if (made > bytes) continue;
    bytes = made;
    blocks = trial;
    order = order_of(blocks);
  }
  return bytes;
}

}  // namespace

int64_t live_peak(const std::vector<ArenaBlock>& blocks) {
  uint32_t steps = 0;
  for (const ArenaBlock& b : blocks) steps = std::max(steps, b.last + 1);
  std::vector<int64_t> change(size_t{steps} + 1, 0);
  for (const ArenaBlock& b : blocks) change[b.first] += b.bytes, change[b.last + 1] -= b.bytes;
  int64_t now = 0, peak = 0;
  for (const int64_t more : change) peak = std::max(peak, now += more);
  return peak;
}

int64_t lay_out(std::vector<ArenaBlock>& blocks) {
  const int64_t bound = live_peak(blocks);
  std::vector<ArenaBlock> best = blocks, trial = blocks;
  int64_t best_bytes = std::numeric_limits<int64_t>::max();
  const auto keep = [&](int64_t bytes) {
    if (bytes >= best_bytes) return;
    best_bytes = bytes;
    best = trial;
  };
  for (const bool backwards : {false, true}) {
    if (best_bytes > bound) keep(BestFit(trial, backwards).bytes());
  }
  if (blocks.size() <= kFewBlocks) {
    int64_t work = kMostWork;
    for (const Order& order : promising_orders(blocks)) {
      // What ended up on top goes first in the next attempt.
      Order attempt = order;
      for (int i = 0; i < kAttempts && best_bytes > bound && work > 0; ++i) {
        const int64_t bytes = first_fit(trial, attempt);
        keep(bytes);
        work -= static_cast<int64_t>(blocks.size() * blocks.size());
        const auto top = std::find_if(attempt.begin(), attempt.end(),
                                      [&](uint32_t b) { return trial[b].offset + trial[b].bytes == bytes; });
        if (top == attempt.end()) continue;
        const uint32_t block = *top;
        attempt.erase(top);
        attempt.insert(attempt.begin(), block);
      }
    }
    best_bytes = search(best, best_bytes, bound + bound / 500, work);
  }
  blocks = std::move(best);
  return best_bytes;
}

}  // namespace mixgrad
