#include "kernels/softmax/softmax_loop.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/loops/convert.h"
#include "kernels/scratch.h"
#include "kernels/softmax/softmax_rows.h"

namespace mixgrad::softmax_loop {
namespace {

using softmax_rows::kMaxColumns;
using softmax_rows::RowKernels;
using softmax_rows::Total;

constexpr int64_t kSoftmaxBlock = 16384;                 // elements of one piece of a long vector
constexpr int64_t kSoftmaxGrain = 8192;                  // elements worth a thread
constexpr int64_t kShortRow = 128, kSoftmaxTile = 2048;  // rows up to that length, elements taken together
constexpr int64_t kSoftmaxCache = 32768;                 // elements of a tile of columns

template <class C>
const RowKernels<C>& row_kernels() {
  if constexpr (std::is_same_v<C, float>)
    return softmax_rows::float_kernels();
  else
    return softmax_rows::double_kernels();
}

int64_t length_of(const View* lengths, int64_t vector, int64_t n) {
  if (!lengths) return n;
  int64_t length = 0;
  convert(lengths->as<char>() + static_cast<size_t>(vector) * size_of(lengths->dtype), lengths->dtype,
          &length, DType::int64, 1);
  return std::clamp<int64_t>(length, 0, n);
}

template <class C>
void forward_rows(const View& x, const View& y, const Layout& l, bool log, C scale, const View* lengths) {
  const RowKernels<C>& fn = row_kernels<C>();
  if (l.n <= kShortRow && !log && !lengths) {
    const int64_t together = kSoftmaxTile / l.n;
    parallel_for(l.outer, loop_grain(kSoftmaxGrain, {l.n}), [&](int64_t begin, int64_t end) {
      Elements<C> from(x, kSoftmaxTile), to(y, kSoftmaxTile);
      for (int64_t r = begin; r < end; r += together) {
        const int64_t at = r * l.n, rows = std::min(together, end - r);
        fn.rows(from.read(at, rows * l.n), to.write(at), rows, l.n, scale);
        to.store(at, rows * l.n);
      }
    });
    return;
  }
  parallel_for(l.outer, loop_grain(kSoftmaxGrain, {l.n}), [&](int64_t begin, int64_t end) {
    Elements<C> from(x, l.n), to(y, l.n);
    for (int64_t r = begin; r < end; ++r) {
      const int64_t at = r * l.n, n = length_of(lengths, r, l.n);
      const C* in = from.read(at, n);
      C* out = to.write(at);
      if (n > 0) {
        const Total total = fn.measure(in, log ? nullptr : out, n, scale);
        if (log)
          fn.distances(in, out, n, scale, static_cast<C>(total.largest), static_cast<C>(std::log(total.sum)));
        else
          fn.multiply(out, n, static_cast<C>(1 / total.sum));
      }
      std::fill(out + n, out + l.n, C(0));
      to.store(at, l.n);
    }
  });
}

// Vectors of more than two blocks: every block is measured, then written, whichever threads there are.
template <class C>
void forward_long(const View& x, const View& y, const Layout& l, bool log, C scale, const View* lengths) {
  const RowKernels<C>& fn = row_kernels<C>();
  const int64_t blocks = (l.n + kSoftmaxBlock - 1) / kSoftmaxBlock;
  ScratchArray<Total> totals(static_cast<size_t>(l.outer * blocks));
  const auto part = [&](int64_t i) {
    return std::clamp<int64_t>(length_of(lengths, i / blocks, l.n) - i % blocks * kSoftmaxBlock, 0,
                               kSoftmaxBlock);
  };
  const auto place = [&](int64_t i) { return i / blocks * l.n + i % blocks * kSoftmaxBlock; };
  parallel_for(l.outer * blocks, 1, [&](int64_t begin, int64_t end) {
    Elements<C> from(x, kSoftmaxBlock);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t n = part(i);
      totals[static_cast<size_t>(i)] = {-INFINITY, 0};
      if (n > 0) totals[static_cast<size_t>(i)] = fn.measure(from.read(place(i), n), nullptr, n, scale);
    }
  });
  for (int64_t r = 0; r < l.outer; ++r) {
    Total* of = totals.data() + r * blocks;
    double largest = of[0].largest, sum = 0;
    for (int64_t b = 1; b < blocks; ++b) {
      if (of[b].largest > largest || std::isnan(of[b].largest)) largest = of[b].largest;
    }
    for (int64_t b = 0; b < blocks; ++b) {
      if (of[b].sum != 0) sum += of[b].sum * std::exp(of[b].largest - largest);
    }
    of[0] = {largest, sum};
  }
  parallel_for(l.outer * blocks, 1, [&](int64_t begin, int64_t end) {
    Elements<C> from(x, kSoftmaxBlock), to(y, kSoftmaxBlock);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t n = part(i), all = std::min(kSoftmaxBlock, l.n - i % blocks * kSoftmaxBlock);
      const Total& total = totals[static_cast<size_t>(i / blocks * blocks)];
      const C* in = from.read(place(i), n);
      C* out = to.write(place(i));
      if (log) {
        fn.distances(in, out, n, scale, static_cast<C>(total.largest), static_cast<C>(std::log(total.sum)));
      } else {
        fn.exponentials(in, out, n, scale, static_cast<C>(total.largest), static_cast<C>(1 / total.sum));
      }
      std::fill(out + n, out + all, C(0));
      to.store(place(i), all);
    }
  });
}

int64_t column_width(const Layout& l) {
  const int64_t fits = kSoftmaxCache / std::max<int64_t>(1, l.n) / 16 * 16;
  return std::min(l.inner, std::clamp<int64_t>(fits, 16, kMaxColumns));
}

template <class C>
void forward_columns(const View& x, const View& y, const Layout& l, bool log, C scale, const View* lengths) {
  const RowKernels<C>& fn = row_kernels<C>();
  const int64_t tile = lengths ? 1 : column_width(l), tiles = (l.inner + tile - 1) / tile;
  parallel_for(l.outer * tiles, loop_grain(kSoftmaxGrain, {l.n, tile}), [&](int64_t begin, int64_t end) {
    Elements<C> from(x, l.n * tile), to(y, l.n * tile);
    for (int64_t t = begin; t < end; ++t) {
      const int64_t first = t % tiles * tile, width = std::min(tile, l.inner - first);
      const int64_t at = t / tiles * l.n * l.inner + first, n = length_of(lengths, t, l.n);
      const C* in = from.read_rows(at, n, width, l.inner);
      C* out = to.write(at);
      const int64_t step = to.step(width, l.inner);
      if (n > 0) fn.columns(in, from.step(width, l.inner), out, step, n, width, scale, log);
      for (int64_t r = n; r < l.n; ++r) std::fill(out + r * step, out + r * step + width, C(0));
      to.store_rows(at, l.n, width, l.inner);
    }
  });
}

template <class C>
void backward_rows(const View& g, const View& y, const View& dx, const Layout& l, bool log, C scale) {
  const RowKernels<C>& fn = row_kernels<C>();
  const int64_t blocks = l.n > 2 * kSoftmaxBlock ? (l.n + kSoftmaxBlock - 1) / kSoftmaxBlock : 1;
  const int64_t block = blocks > 1 ? kSoftmaxBlock : l.n;
  const auto place = [&](int64_t i) { return i / blocks * l.n + i % blocks * block; };
  const auto part = [&](int64_t i) { return std::min(block, l.n - i % blocks * block); };
  ScratchArray<double> totals;
  if (blocks > 1) {
    totals = ScratchArray<double>(static_cast<size_t>(l.outer * blocks));
    parallel_for(l.outer * blocks, 1, [&](int64_t begin, int64_t end) {
      Elements<C> grads(g, block), outs(y, block);
      for (int64_t i = begin; i < end; ++i) {
        const C* of = log ? nullptr : outs.read(place(i), part(i));
        totals[static_cast<size_t>(i)] = fn.dot(grads.read(place(i), part(i)), of, part(i));
      }
    });
    for (int64_t r = 0; r < l.outer; ++r) {
      double* of = totals.data() + r * blocks;
      for (int64_t b = 1; b < blocks; ++b) of[0] += of[b];
    }
  }
  parallel_for(l.outer * blocks, loop_grain(kSoftmaxGrain, {block}), [&](int64_t begin, int64_t end) {
    Elements<C> grads(g, block), outs(y, block), to(dx, block);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = place(i), n = part(i);
      const C *from = grads.read(at, n), *of = outs.read(at, n);
      const double total = !totals.empty() ? totals[static_cast<size_t>(i / blocks * blocks)]
                                           : fn.dot(from, log ? nullptr : of, n);
      fn.gradient(from, of, to.write(at), n, scale, static_cast<C>(total), log);
      to.store(at, n);
    }
  });
}

template <class C>
void backward_columns(const View& g, const View& y, const View& dx, const Layout& l, bool log, C scale) {
  const RowKernels<C>& fn = row_kernels<C>();
  const int64_t tile = column_width(l), tiles = (l.inner + tile - 1) / tile;
  parallel_for(l.outer * tiles, loop_grain(kSoftmaxGrain, {l.n, tile}), [&](int64_t begin, int64_t end) {
    Elements<C> grads(g, l.n * tile), outs(y, l.n * tile), to(dx, l.n * tile);
    for (int64_t t = begin; t < end; ++t) {
      const int64_t first = t % tiles * tile, width = std::min(tile, l.inner - first);
      const int64_t at = t / tiles * l.n * l.inner + first;
      const C *from = grads.read_rows(at, l.n, width, l.inner), *of = outs.read_rows(at, l.n, width, l.inner);
      fn.columns_gradient(from, of, to.write(at), grads.step(width, l.inner), to.step(width, l.inner), l.n,
                          width, scale, log);
      to.store_rows(at, l.n, width, l.inner);
    }
  });
}

template <class C>
void forward_as(const View& x, const View& y, const Layout& l, bool log, double scale, const View* lengths) {
  const C s = static_cast<C>(scale);
  if (!kAllLoops || l.inner > 1)
    forward_columns<C>(x, y, l, log, s, lengths);
  else if (l.n > 2 * kSoftmaxBlock)
    forward_long<C>(x, y, l, log, s, lengths);
  else
    forward_rows<C>(x, y, l, log, s, lengths);
}

template <class C>
void backward_as(const View& g, const View& y, const View& dx, const Layout& l, bool log, double scale) {
  const C s = static_cast<C>(scale);
  if (!kAllLoops || l.inner > 1)
    backward_columns<C>(g, y, dx, l, log, s);
  else
    backward_rows<C>(g, y, dx, l, log, s);
}

}  // namespace

Layout along_axis(const Shape& shape, int64_t axis, const char* who) {
  if (shape.ndim() == 0) return {};
  const int at = normalize_axis(axis, shape.ndim(), who);
  return {shape.size(0, at), shape[at], shape.size(at + 1, shape.ndim())};
}

void forward(const View& x, const View& y, const Layout& layout, bool log, double scale,
             const View* lengths) {
  if (x.size() == 0) return;
  const bool wide = is_wide(x.dtype) || is_wide(y.dtype);
  if (wide)
    forward_as<double>(x, y, layout, log, scale, lengths);
  else
    forward_as<float>(x, y, layout, log, scale, lengths);
}

void backward(const View& g, const View& y, const View& dx, const Layout& layout, bool log, double scale) {
  if (dx.size() == 0) return;
  const bool wide = is_wide(y.dtype) || is_wide(dx.dtype);
  if (wide)
    backward_as<double>(g, y, dx, layout, log, scale);
  else
    backward_as<float>(g, y, dx, layout, log, scale);
}

}  // namespace mixgrad::softmax_loop
