#include "ops/detection/suppression.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"

namespace mixgrad::ops::suppression {
namespace {

using box::Corners;

// A run of boxes, one array per side. Places not taken yet hold an empty box, which overlaps nothing.
template <class C>
struct BoxRun {
  const C *left, *top, *right, *bottom, *area;
};

// A box that looks for one that covers it.
template <class C>
struct Query {
  Corners<C> box;
  C area;
  Rule<C> rule;
  C low;  // a little below the threshold, for a first test without division
};

// Whether any of the first n boxes overlaps by more than `low`.
template <class C>
MIXGRAD_INLINE int near_any(const BoxRun<C>& r, int64_t n, const Query<C>& q) {
  int found = 0;
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    const C left = r.left[i] > q.box.left ? r.left[i] : q.box.left;
    const C top = r.top[i] > q.box.top ? r.top[i] : q.box.top;
    const C right = r.right[i] < q.box.right ? r.right[i] : q.box.right;
    const C bottom = r.bottom[i] < q.box.bottom ? r.bottom[i] : q.box.bottom;
    C w = right - left + q.rule.unit, h = bottom - top + q.rule.unit;
    w = w > 0 ? w : C(0);
    h = h > 0 ? h : C(0);
    const C inner = w * h;
    found |= inner > q.low * (r.area[i] + q.area - inner) ? 1 : 0;
  }
  return found;
}

template <class C>
MIXGRAD_TARGET_BASELINE int near_baseline(const BoxRun<C>& r, int64_t n, const Query<C>& q) {
  return near_any(r, n, q);
}
#if MIXGRAD_X86
template <class C>
MIXGRAD_TARGET_AVX2 int near_avx2(const BoxRun<C>& r, int64_t n, const Query<C>& q) {
  return near_any(r, n, q);
}
template <class C>
MIXGRAD_TARGET_AVX512 int near_avx512(const BoxRun<C>& r, int64_t n, const Query<C>& q) {
  return near_any(r, n, q);
}
#endif

template <class C>
using Near = int (*)(const BoxRun<C>&, int64_t, const Query<C>&);
template <class C>
Near<C> best_near() {
#if MIXGRAD_X86
  if (loop_isa<C>() == Isa::avx512) return &near_avx512<C>;
  if (loop_isa<C>() == Isa::avx2) return &near_avx2<C>;
#endif
  return &near_baseline<C>;
}

template <class C>
bool over(C value, const Rule<C>& rule) {
  return rule.inclusive ? value >= rule.threshold : value > rule.threshold;
}

// What decides, computed as MXNet does.
template <class C>
bool covers(const BoxRun<C>& r, int64_t i, const Query<C>& q) {
  const C unit = q.rule.unit;
  const C w = std::min(r.right[i], q.box.right) - std::max(r.left[i], q.box.left) + unit;
  const C h = std::min(r.bottom[i], q.box.bottom) - std::max(r.top[i], q.box.top) + unit;
  const C inner = (w > 0 ? w : C(0)) * (h > 0 ? h : C(0));
  return inner > 0 && over(inner / (r.area[i] + q.area - inner), q.rule);
}

constexpr int64_t kRun = 128;  // boxes between two looks at the result

template <class C>
bool any_covers(BoxRun<C> r, int64_t n, const Query<C>& q, Near<C> near) {
  for (int64_t at = 0; at < n; at += kRun) {
    const int64_t count = std::min(kRun, n - at);
    if (near(r, count, q))
      for (int64_t i = 0; i < count; ++i)
        if (covers(r, i, q)) return true;
    r = {r.left + count, r.top + count, r.right + count, r.bottom + count, r.area + count};
  }
  return false;
}

// Boxes that stay, in cells by their centres: what a box may overlap by more than the threshold has its centre near by.
template <class C>
class Grid {
 public:
  // For those of `boxes` that `order` names, all finite and with areas. The rule's threshold is not negative.
  Grid(const Corners<C>* boxes, const int64_t* order, int64_t n, const Rule<C>& rule)
      : rule_(rule), near_(best_near<C>()), sides_(static_cast<size_t>(5 * n)), n_(n) {
    const C t = rule.threshold;
    reach_ = std::max(1 - t, (1 / t - 1) / 2);  // half a window, in widths of the box that looks
    for (int64_t i = 0; i < n; ++i) {
      const Corners<C>& b = boxes[order[i]];
      low_x_ = std::min(low_x_, center(b.left, b.right));
      high_x_ = std::max(high_x_, center(b.left, b.right));
      low_y_ = std::min(low_y_, center(b.top, b.bottom));
      high_y_ = std::max(high_y_, center(b.top, b.bottom));
    }
    if (t > C(0.05) && n > 256 && std::isfinite(high_x_ - low_x_) && std::isfinite(high_y_ - low_y_))
      cells_ = std::min<int64_t>(64, static_cast<int64_t>(std::sqrt(static_cast<double>(n) / 16)));
    start_ = ScratchArray<int64_t>(static_cast<size_t>(cells_ * cells_ + 1), 0);
    filled_ = ScratchArray<int64_t>(static_cast<size_t>(cells_ * cells_), 0);
    for (int64_t i = 0; i < n; ++i) ++start_[cell_of(boxes[order[i]]) + 1];
    for (size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    constexpr C kMost = std::numeric_limits<C>::max() / 4;
    std::fill(sides_.begin(), sides_.begin() + 2 * n, kMost);
    std::fill(sides_.begin() + 2 * n, sides_.begin() + 4 * n, -kMost);
  }

  Query<C> query(const Corners<C>& b) const { return {b, area(b), rule_, rule_.threshold * C(0.9999)}; }

  bool covered(const Corners<C>& b) const {
    const Query<C> q = query(b);
    const int64_t row = window(b.top, b.bottom, low_y_, high_y_, -1),
                  rows = window(b.top, b.bottom, low_y_, high_y_, 1);
    const int64_t first = window(b.left, b.right, low_x_, high_x_, -1),
                  last = window(b.left, b.right, low_x_, high_x_, 1);
    for (int64_t y = row; y <= rows; ++y) {
      const auto from = static_cast<size_t>(y * cells_ + first), to = static_cast<size_t>(y * cells_ + last);
      if (any_covers(run(start_[from]), start_[to] + filled_[to] - start_[from], q, near_)) return true;
    }
    return false;
  }

  void add(const Corners<C>& b) {
    const size_t cell = cell_of(b);
    const int64_t at = start_[cell] + filled_[cell]++;
    const C side[] = {b.left, b.top, b.right, b.bottom, area(b)};
    for (int64_t s = 0; s < 5; ++s) sides_[static_cast<size_t>(s * n_ + at)] = side[s];
  }

 private:
  C area(const Corners<C>& b) const {
    return (b.right - b.left + rule_.unit) * (b.bottom - b.top + rule_.unit);
  }
  static C center(C low, C high) { return low / 2 + high / 2; }
  // Monotonic in x, so that windows miss nothing.
  int64_t line(C x, C low, C high) const {
    if (!(x > low) || cells_ == 1) return 0;
    const C at = (x - low) / (high - low) * static_cast<C>(cells_);
    return at < static_cast<C>(cells_) ? static_cast<int64_t>(at) : cells_ - 1;
  }
  int64_t window(C from, C to, C low, C high, C side) const {
    if (cells_ == 1) return 0;
    const C slack = (std::abs(from) + std::abs(to)) * C(1e-5) + rule_.unit;
    return line(center(from, to) + side * ((to - from + rule_.unit) * reach_ * C(1.001) + slack), low, high);
  }
  size_t cell_of(const Corners<C>& b) const {
    const int64_t y = line(center(b.top, b.bottom), low_y_, high_y_);
    return static_cast<size_t>(y * cells_ + line(center(b.left, b.right), low_x_, high_x_));
  }
  BoxRun<C> run(int64_t at) const {
    const C* x = sides_.data() + at;
    return {x, x + n_, x + 2 * n_, x + 3 * n_, x + 4 * n_};
  }

  Rule<C> rule_;
  Near<C> near_;
  ScratchArray<C> sides_;
  int64_t n_, cells_ = 1;
  C reach_ = 0;
  C low_x_ = std::numeric_limits<C>::max(), high_x_ = std::numeric_limits<C>::lowest();
  C low_y_ = low_x_, high_y_ = high_x_;
  ScratchArray<int64_t> start_, filled_;
};

constexpr int64_t kBlock = 512;  // boxes that are compared with all before them at once

template <class C>
void suppress_kind(const Corners<C>* boxes, const int64_t* order, int64_t n, const Rule<C>& rule,
                   uint8_t* keep) {
  if (n == 1) return;
  Grid<C> grid(boxes, order, n, rule);
  const Near<C> near = best_near<C>();
  int64_t total = 0;
  C mine[5][kBlock];
  const BoxRun<C> block{mine[0], mine[1], mine[2], mine[3], mine[4]};
  for (int64_t at = 0; at < n; at += kBlock) {
    const int64_t end = std::min(n, at + kBlock);
    if (at > 0) {
      parallel_for(end - at, 32, [&](int64_t first, int64_t last) {
        for (int64_t i = at + first; i < at + last; ++i) keep[order[i]] = !grid.covered(boxes[order[i]]);
      });
    }
    int64_t staying = 0;
    if (total >= rule.most) {
      for (int64_t i = at; i < n; ++i) keep[order[i]] = 0;
      return;
    }
    for (int64_t i = at; i < end; ++i) {
      uint8_t& stays = keep[order[i]];
      const Corners<C>& b = boxes[order[i]];
      if (!stays) continue;
      const Query<C> q = grid.query(b);
      if (any_covers(block, staying, q, near)) {
        stays = 0;
        continue;
      }
      const C side[] = {b.left, b.top, b.right, b.bottom, q.area};
      for (int s = 0; s < 5; ++s) mine[s][staying] = side[s];
      ++staying;
      grid.add(b);
    }
    total += staying;
  }
}

// Below zero, boxes that share nothing count, too, so that only NaN, as of two boxes without areas, saves a box.
template <class C>
void suppress_all(const Corners<C>* boxes, const C* kind, int64_t n, const Rule<C>& rule, uint8_t* keep) {
  ScratchArray<int64_t> stay(static_cast<size_t>(n));
  int64_t staying = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t k = 0; k < staying && keep[i]; ++k) {
      const int64_t j = stay[static_cast<size_t>(k)];
      if (kind && kind[i] != kind[j]) continue;
      const C inner = box::shared_area(boxes[j], boxes[i]);
      keep[i] = !over(inner / (box::area(boxes[j]) + box::area(boxes[i]) - inner), rule);
    }
    if (keep[i]) stay[static_cast<size_t>(staying++)] = i;
  }
}

template <class C>
void suppress_typed(const Corners<C>* boxes, const C* kind, int64_t n, const Rule<C>& rule, uint8_t* keep) {
  std::fill(keep, keep + n, uint8_t{1});
  if (rule.threshold < 0) return suppress_all(boxes, kind, n, rule, keep);
  // Boxes without an area or with an infinite one overlap nothing: the quotient is 0 or NaN.
  ScratchArray<int64_t> order(static_cast<size_t>(n));
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) {
    const Corners<C>& b = boxes[i];
    const C w = b.right - b.left + rule.unit, h = b.bottom - b.top + rule.unit;
    const bool finite = std::isfinite(b.left) && std::isfinite(b.right) && std::isfinite(b.top) &&
                        std::isfinite(b.bottom) && std::isfinite(w * h);
    if (finite && w > 0 && h > 0 && !(kind && std::isnan(kind[i]))) order[static_cast<size_t>(count++)] = i;
  }
  if (!kind) {
    if (count > 0) suppress_kind(boxes, order.data(), count, rule, keep);
    return;
  }
  std::stable_sort(order.begin(), order.begin() + count,
                   [&](int64_t a, int64_t b) { return kind[a] < kind[b]; });
  for (int64_t at = 0, end; at < count; at = end) {
    const C same = kind[order[static_cast<size_t>(at)]];
    for (end = at + 1; end < count && kind[order[static_cast<size_t>(end)]] == same;) ++end;
    suppress_kind(boxes, order.data() + at, end - at, rule, keep);
  }
}

}  // namespace

void suppress(const Corners<float>* boxes, const float* kind, int64_t n, const Rule<float>& rule,
              uint8_t* keep) {
  suppress_typed(boxes, kind, n, rule, keep);
}
void suppress(const Corners<double>* boxes, const double* kind, int64_t n, const Rule<double>& rule,
              uint8_t* keep) {
  suppress_typed(boxes, kind, n, rule, keep);
}

}  // namespace mixgrad::ops::suppression
