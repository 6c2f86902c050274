#include "kernels/softmax/softmax_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/cpu.h"
#include "kernels/loops/lanes.h"
#include "kernels/loops/transpose_tile.h"
#include "kernels/math/math_exp.h"

namespace mixgrad::softmax_rows {
namespace {

constexpr int kManyLanes = 64,
              kFewLanes = 32;  // partial results side by side; loops of 16 turns would be unrolled instead
// Rows of up to so many values are transposed, so many at a time; the step is the most values of a register.
constexpr int64_t kTransposedRow = 24, kTransposedRows = 64, kTransposedStep = 16;

// e^x for x <= 0, with one scale factor; 0 where the result would not be a normal number.
template <class C>
inline C exp_down(C x) {
  constexpr C kLow = sizeof(C) == 4 ? C(-87) : C(-708);
  const C near = x < kLow ? kLow : x;
  const math::ExpParts<C> parts = math::exp_parts(near);
  const C result = (C(1) + math::expm1_reduced(parts.r)) * math::power_of_2(parts.n);
  return x < kLow ? C(0) : result;
}

// NaN wins; written as two selections, which vectorise.
template <class C>
inline C larger(C a, C b) {
  const C m = a < b ? b : a;
  return b != b ? b : m;
}

// The last, incomplete block of a vector, completed by values that count for nothing.
template <class C, int kLanes>
inline void pad_block(const C* x, int64_t n, C scale, C* block) {
  for (int l = 0; l < kLanes; ++l) block[l] = -std::numeric_limits<C>::infinity();
  for (int64_t l = 0; l < n; ++l) block[l] = x[l] * scale;
}

template <class C, int kLanes>
MIXGRAD_INLINE Total measure_lanes(const C* x, C* y, int64_t n, C scale) {
  alignas(64) C top[kLanes], tail[kLanes], sum[kLanes];
  const int64_t whole = n / kLanes * kLanes, rest = n - whole;
  if (rest > 0) {
    pad_block<C, kLanes>(x + whole, rest, scale, tail);
    for (int l = 0; l < kLanes; ++l) top[l] = tail[l];
  } else {
    for (int l = 0; l < kLanes; ++l) top[l] = -std::numeric_limits<C>::infinity();
  }
  for (int64_t i = 0; i < whole; i += kLanes) {
    MIXGRAD_VECTORIZE
    for (int l = 0; l < kLanes; ++l) top[l] = larger(top[l], x[i + l] * scale);
  }
  const C shift = join_lanes<kLanes>(
      top, [](auto a, auto b) __attribute__((always_inline)) { return larger(a, b); });
  if (rest > 0) {
    MIXGRAD_VECTORIZE
    for (int l = 0; l < kLanes; ++l) {
      tail[l] = exp_down(tail[l] - shift);
      sum[l] = tail[l];
    }
  } else {
    for (int l = 0; l < kLanes; ++l) sum[l] = 0;
  }
  if (y) {
    for (int64_t i = 0; i < whole; i += kLanes) {
      MIXGRAD_VECTORIZE
      for (int l = 0; l < kLanes; ++l) {
        const C e = exp_down(x[i + l] * scale - shift);
        y[i + l] = e;
        sum[l] += e;
      }
    }
    for (int64_t l = 0; l < rest; ++l) y[whole + l] = tail[l];
  } else {
    for (int64_t i = 0; i < whole; i += kLanes) {
      MIXGRAD_VECTORIZE
      for (int l = 0; l < kLanes; ++l) sum[l] += exp_down(x[i + l] * scale - shift);
    }
  }
  const C total = join_lanes<kLanes>(
      sum, [](auto a, auto b) __attribute__((always_inline)) { return a + b; });
  return {static_cast<double>(shift), static_cast<double>(total)};
}

template <class C>
MIXGRAD_INLINE Total measure_body(const C* x, C* y, int64_t n, C scale) {
  return !kCompact && n >= 4 * kManyLanes ? measure_lanes<C, kManyLanes>(x, y, n, scale)
                                          : measure_lanes<C, kFewLanes>(x, y, n, scale);
}

template <class C>
MIXGRAD_INLINE void multiply_body(C* y, int64_t n, C factor) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) y[i] *= factor;
}

template <class C>
MIXGRAD_INLINE void exponentials_body(const C* x, C* y, int64_t n, C scale, C shift, C factor) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) y[i] = exp_down(x[i] * scale - shift) * factor;
}

template <class C>
MIXGRAD_INLINE void distances_body(const C* x, C* y, int64_t n, C scale, C shift, C log_sum) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) y[i] = (x[i] * scale - shift) - log_sum;
}

template <class C>
MIXGRAD_INLINE double dot_body(const C* g, const C* y, int64_t n) {
  alignas(64) C sum[kFewLanes] = {};
  int64_t i = 0;
  for (; i + kFewLanes <= n; i += kFewLanes) {
    MIXGRAD_VECTORIZE
    for (int l = 0; l < kFewLanes; ++l) sum[l] += y ? g[i + l] * y[i + l] : g[i + l];
  }
  double total = 0;
  for (; i < n; ++i) total += static_cast<double>(y ? g[i] * y[i] : g[i]);
  return total + static_cast<double>(join_lanes<kFewLanes>(
                     sum, [](auto a, auto b) __attribute__((always_inline)) { return a + b; }));
}

template <class C>
MIXGRAD_INLINE void gradient_body(const C* g, const C* y, C* dx, int64_t n, C scale, C total, bool log) {
  if (log) {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) dx[i] = scale * (g[i] - exp_down(y[i]) * total);
  } else {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) dx[i] = scale * y[i] * (g[i] - total);
  }
}

template <class C>
MIXGRAD_INLINE void columns_body(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t n, int64_t width,
                                 C scale, bool log) {
  alignas(64) C top[kMaxColumns], sum[kMaxColumns];
  for (int64_t c = 0; c < width; ++c) {
    top[c] = -std::numeric_limits<C>::infinity();
    sum[c] = 0;
  }
  for (int64_t r = 0; r < n; ++r) {
    const C* from = x + r * x_step;
    MIXGRAD_VECTORIZE
    for (int64_t c = 0; c < width; ++c) top[c] = larger(top[c], from[c] * scale);
  }
  for (int64_t r = 0; r < n; ++r) {
    const C* from = x + r * x_step;
    C* to = y + r * y_step;
    if (log) {
      MIXGRAD_VECTORIZE
      for (int64_t c = 0; c < width; ++c) sum[c] += exp_down(from[c] * scale - top[c]);
    } else {
      MIXGRAD_VECTORIZE
      for (int64_t c = 0; c < width; ++c) {
        const C e = exp_down(from[c] * scale - top[c]);
        to[c] = e;
        sum[c] += e;
      }
    }
  }
  MIXGRAD_VECTORIZE
  for (int64_t c = 0; c < width; ++c) sum[c] = log ? math::log(sum[c]) : C(1) / sum[c];
  for (int64_t r = 0; r < n; ++r) {
    const C* from = x + r * x_step;
    C* to = y + r * y_step;
    if (log) {
      MIXGRAD_VECTORIZE
      for (int64_t c = 0; c < width; ++c) to[c] = (from[c] * scale - top[c]) - sum[c];
    } else {
      MIXGRAD_VECTORIZE
      for (int64_t c = 0; c < width; ++c) to[c] *= sum[c];
    }
  }
}

// Rows so short that most lanes would idle: a block of them is transposed, so that rows lie side by side.
template <class C>
MIXGRAD_INLINE void turned_rows_body(const C* x, C* y, int64_t rows, int64_t n, C scale) {
  alignas(64) C workspace[kTransposedRow * kTransposedRows];
  const auto transpose_any = [](const C* from, int64_t from_row, int64_t count, int64_t cols, C* to,
                                int64_t to_row) {
    if constexpr (std::is_same_v<C, float>) {
      transpose_tile(from, from_row, count, cols, to, to_row);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t j = 0; j < cols; ++j) to[j * to_row + i] = from[i * from_row + j];
      }
    }
  };
  for (int64_t r = 0; r < rows; r += kTransposedRows, x += kTransposedRows * n, y += kTransposedRows * n) {
    const int64_t count = std::min(kTransposedRows, rows - r);
    // Whole vectors, so that all rows are rounded alike.
    const int64_t width = (count + kTransposedStep - 1) / kTransposedStep * kTransposedStep;
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = count; i < width; ++i) workspace[j * kTransposedRows + i] = 0;
    }
    transpose_any(x, n, count, n, workspace, kTransposedRows);
    columns_body<C>(workspace, kTransposedRows, workspace, kTransposedRows, n, width, scale, false);
    transpose_any(workspace, kTransposedRows, n, count, y, n);
  }
}

// Short rows one after another, without leaving the function in between.
template <class C>
MIXGRAD_INLINE void rows_body(const C* x, C* y, int64_t rows, int64_t n, C scale) {
  if (!kCompact && n <= kTransposedRow) return turned_rows_body(x, y, rows, n, scale);
  for (int64_t r = 0; r < rows; ++r) {
    const Total total = measure_lanes<C, kFewLanes>(x + r * n, y + r * n, n, scale);
    multiply_body(y + r * n, n, C(1) / static_cast<C>(total.sum));
  }
}

template <class C>
MIXGRAD_INLINE void columns_gradient_body(const C* g, const C* y, C* dx, int64_t step, int64_t dx_step,
                                          int64_t n, int64_t width, C scale, bool log) {
  alignas(64) C total[kMaxColumns] = {};
  for (int64_t r = 0; r < n; ++r) {
    const C *from = g + r * step, *of = y + r * step;
    MIXGRAD_VECTORIZE
    for (int64_t c = 0; c < width; ++c) total[c] += log ? from[c] : from[c] * of[c];
  }
  for (int64_t r = 0; r < n; ++r) {
    const C *from = g + r * step, *of = y + r * step;
    C* to = dx + r * dx_step;
    if (log) {
      MIXGRAD_VECTORIZE
      for (int64_t c = 0; c < width; ++c) to[c] = scale * (from[c] - exp_down(of[c]) * total[c]);
    } else {
      MIXGRAD_VECTORIZE
      for (int64_t c = 0; c < width; ++c) to[c] = scale * of[c] * (from[c] - total[c]);
    }
  }
}

// One struct per instruction set, so that each body is compiled for it.
template <class C>
struct SoftmaxBaseline {
  static MIXGRAD_TARGET_BASELINE Total measure(const C* x, C* y, int64_t n, C scale) {
    return measure_body(x, y, n, scale);
  }
  static MIXGRAD_TARGET_BASELINE void multiply(C* y, int64_t n, C factor) { multiply_body(y, n, factor); }
  static MIXGRAD_TARGET_BASELINE void rows(const C* x, C* y, int64_t rows, int64_t n, C scale) {
    rows_body(x, y, rows, n, scale);
  }
  static MIXGRAD_TARGET_BASELINE void exponentials(const C* x, C* y, int64_t n, C scale, C shift, C factor) {
    exponentials_body(x, y, n, scale, shift, factor);
  }
  static MIXGRAD_TARGET_BASELINE void distances(const C* x, C* y, int64_t n, C scale, C shift, C log_sum) {
    distances_body(x, y, n, scale, shift, log_sum);
  }
  static MIXGRAD_TARGET_BASELINE double dot(const C* g, const C* y, int64_t n) { return dot_body(g, y, n); }
  static MIXGRAD_TARGET_BASELINE void gradient(const C* g, const C* y, C* dx, int64_t n, C scale, C total,
                                               bool log) {
    gradient_body(g, y, dx, n, scale, total, log);
  }
  static MIXGRAD_TARGET_BASELINE void columns(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t n,
                                              int64_t width, C scale, bool log) {
    columns_body(x, x_step, y, y_step, n, width, scale, log);
  }
  static MIXGRAD_TARGET_BASELINE void columns_gradient(const C* g, const C* y, C* dx, int64_t step,
                                                       int64_t dx_step, int64_t n, int64_t width, C scale,
                                                       bool log) {
    columns_gradient_body(g, y, dx, step, dx_step, n, width, scale, log);
  }
};

#if MIXGRAD_X86
template <class C>
struct SoftmaxAvx2 {
  static MIXGRAD_TARGET_AVX2 Total measure(const C* x, C* y, int64_t n, C scale) {
    return measure_body(x, y, n, scale);
  }
  static MIXGRAD_TARGET_AVX2 void multiply(C* y, int64_t n, C factor) { multiply_body(y, n, factor); }
  static MIXGRAD_TARGET_AVX2 void rows(const C* x, C* y, int64_t rows, int64_t n, C scale) {
    rows_body(x, y, rows, n, scale);
  }
  static MIXGRAD_TARGET_AVX2 void exponentials(const C* x, C* y, int64_t n, C scale, C shift, C factor) {
    exponentials_body(x, y, n, scale, shift, factor);
  }
  static MIXGRAD_TARGET_AVX2 void distances(const C* x, C* y, int64_t n, C scale, C shift, C log_sum) {
    distances_body(x, y, n, scale, shift, log_sum);
  }
  static MIXGRAD_TARGET_AVX2 double dot(const C* g, const C* y, int64_t n) { return dot_body(g, y, n); }
  static MIXGRAD_TARGET_AVX2 void gradient(const C* g, const C* y, C* dx, int64_t n, C scale, C total,
                                           bool log) {
    gradient_body(g, y, dx, n, scale, total, log);
  }
  static MIXGRAD_TARGET_AVX2 void columns(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t n,
                                          int64_t width, C scale, bool log) {
    columns_body(x, x_step, y, y_step, n, width, scale, log);
  }
  static MIXGRAD_TARGET_AVX2 void columns_gradient(const C* g, const C* y, C* dx, int64_t step,
                                                   int64_t dx_step, int64_t n, int64_t width, C scale,
                                                   bool log) {
    columns_gradient_body(g, y, dx, step, dx_step, n, width, scale, log);
  }
};
template <class C>
struct SoftmaxAvx512 {
  static MIXGRAD_TARGET_AVX512 Total measure(const C* x, C* y, int64_t n, C scale) {
    return measure_body(x, y, n, scale);
  }
  static MIXGRAD_TARGET_AVX512 void multiply(C* y, int64_t n, C factor) { multiply_body(y, n, factor); }
  static MIXGRAD_TARGET_AVX512 void rows(const C* x, C* y, int64_t rows, int64_t n, C scale) {
    rows_body(x, y, rows, n, scale);
  }
  static MIXGRAD_TARGET_AVX512 void exponentials(const C* x, C* y, int64_t n, C scale, C shift, C factor) {
    exponentials_body(x, y, n, scale, shift, factor);
  }
  static MIXGRAD_TARGET_AVX512 void distances(const C* x, C* y, int64_t n, C scale, C shift, C log_sum) {
    distances_body(x, y, n, scale, shift, log_sum);
  }
  static MIXGRAD_TARGET_AVX512 double dot(const C* g, const C* y, int64_t n) { return dot_body(g, y, n); }
  static MIXGRAD_TARGET_AVX512 void gradient(const C* g, const C* y, C* dx, int64_t n, C scale, C total,
                                             bool log) {
    gradient_body(g, y, dx, n, scale, total, log);
  }
  static MIXGRAD_TARGET_AVX512 void columns(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t n,
                                            int64_t width, C scale, bool log) {
    columns_body(x, x_step, y, y_step, n, width, scale, log);
  }
  static MIXGRAD_TARGET_AVX512 void columns_gradient(const C* g, const C* y, C* dx, int64_t step,
                                                     int64_t dx_step, int64_t n, int64_t width, C scale,
                                                     bool log) {
    columns_gradient_body(g, y, dx, step, dx_step, n, width, scale, log);
  }
};
#endif

template <class C, class Loops>
RowKernels<C> make_row_kernels() {
  RowKernels<C> kernels{};
  kernels.columns = &Loops::columns;
  if constexpr (kAllLoops) {
    kernels.measure = &Loops::measure;
    kernels.multiply = &Loops::multiply;
    kernels.rows = &Loops::rows;
    kernels.exponentials = &Loops::exponentials;
    kernels.distances = &Loops::distances;
  }
  if constexpr (kTraining) {
    kernels.dot = &Loops::dot;
    kernels.gradient = &Loops::gradient;
    kernels.columns_gradient = &Loops::columns_gradient;
  }
  return kernels;
}

template <class C>
RowKernels<C> pick_row_kernels() {
#if MIXGRAD_X86
  if (loop_isa<C>() == Isa::avx512) return make_row_kernels<C, SoftmaxAvx512<C>>();
  if (loop_isa<C>() == Isa::avx2) return make_row_kernels<C, SoftmaxAvx2<C>>();
#endif
  return make_row_kernels<C, SoftmaxBaseline<C>>();
}

}  // namespace

const RowKernels<float>& float_kernels() {
  static const RowKernels<float> kernels = pick_row_kernels<float>();
  return kernels;
}
const RowKernels<double>& double_kernels() {
  static const RowKernels<double> kernels = pick_row_kernels<double>();
  return kernels;
}

}  // namespace mixgrad::softmax_rows
