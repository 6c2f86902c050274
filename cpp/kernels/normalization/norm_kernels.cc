#include "kernels/normalization/norm_kernels.h"

#include "kernels/loops/lanes.h"

namespace mixgrad::norm_kernels {
namespace {

constexpr int kNormLanes = 32;      // partial sums side by side
constexpr int64_t kNormRun = 2048;  // elements summed in C before widening

template <class C>
inline double add_lanes(const C* lane) {
  return static_cast<double>(join_lanes<kNormLanes>(
      lane, [](auto a, auto b) __attribute__((always_inline)) { return a + b; }));
}

// Sum of f(i) over [0, n).
template <class C, class F>
MIXGRAD_INLINE double lane_sum(int64_t n, const F& f) {
  double total = 0;
  for (int64_t run = 0; run < n; run += kNormRun) {
    const int64_t end = run + kNormRun < n ? run + kNormRun : n;
    alignas(64) C lane[kNormLanes];
    for (int l = 0; l < kNormLanes; ++l) lane[l] = 0;
    int64_t i = run;
    for (; i + kNormLanes <= end; i += kNormLanes) {
      MIXGRAD_VECTORIZE
      for (int l = 0; l < kNormLanes; ++l) lane[l] += f(i + l);
    }
    for (; i < end; ++i) total += static_cast<double>(f(i));
    total += add_lanes(lane);
  }
  return total;
}

// Sums of both members of f(i) over [0, n).
template <class C>
struct Two {
  C first, second;
};
template <class C, class F>
MIXGRAD_INLINE Pair lane_sums(int64_t n, const F& f) {
  Pair total;
  for (int64_t run = 0; run < n; run += kNormRun) {
    const int64_t end = run + kNormRun < n ? run + kNormRun : n;
    alignas(64) C first[kNormLanes], second[kNormLanes];
    for (int l = 0; l < kNormLanes; ++l) first[l] = second[l] = 0;
    int64_t i = run;
    for (; i + kNormLanes <= end; i += kNormLanes) {
      MIXGRAD_VECTORIZE
      for (int l = 0; l < kNormLanes; ++l) {
        const Two<C> v = f(i + l);
        first[l] += v.first;
        second[l] += v.second;
      }
    }
    for (; i < end; ++i) {
      const Two<C> v = f(i);
      total.first += static_cast<double>(v.first);
      total.second += static_cast<double>(v.second);
    }
    total.first += add_lanes(first);
    total.second += add_lanes(second);
  }
  return total;
}

template <class C>
MIXGRAD_INLINE Spread spread_body(const C* x, int64_t n) {
  const double count = static_cast<double>(n);
  const C about = static_cast<C>(lane_sum<C>(
                                     n, [x](int64_t i) __attribute__((always_inline)) { return x[i]; }) /
                                 count);
  // Distances are from the rounded mean; their sum puts that right.
  const Pair d = lane_sums<C>(
      n, [ x, about ](int64_t i) __attribute__((always_inline)) {
        const C apart = x[i] - about;
        return Two<C>{apart, apart * apart};
      });
  return {count, static_cast<double>(about) + d.first / count, d.second - d.first * d.first / count};
}

template <class C>
MIXGRAD_INLINE void affine_body(const C* x, C* y, int64_t n, C mean, C scale, C shift) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) y[i] = (x[i] - mean) * scale + shift;
}

template <class C>
MIXGRAD_INLINE void affine_each_body(const C* x, C* y, int64_t n, C mean, C scale, const C* gamma,
                                     const C* beta) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}

template <class C>
MIXGRAD_INLINE Pair dots_body(const C* g, const C* x, int64_t n, C mean) {
  return lane_sums<C>(
      n, [ g, x, mean ](int64_t i) __attribute__((always_inline)) {
        return Two<C>{g[i], g[i] * (x[i] - mean)};
      });
}

template <class C>
MIXGRAD_INLINE Pair dots_each_body(const C* g, const C* x, const C* gamma, int64_t n, C mean) {
  return lane_sums<C>(
      n, [ g, x, gamma, mean ](int64_t i) __attribute__((always_inline)) {
        const C scaled = g[i] * gamma[i];
        return Two<C>{scaled, scaled * (x[i] - mean)};
      });
}

template <class C>
MIXGRAD_INLINE void linear_body(const C* g, const C* x, C* dx, int64_t n, C mean, C a, C b, C c) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) dx[i] = a * g[i] + b * (x[i] - mean) + c;
}

template <class C>
MIXGRAD_INLINE void linear_each_body(const C* g, const C* x, const C* gamma, C* dx, int64_t n, C mean, C a,
                                     C b, C c) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) dx[i] = a * g[i] * gamma[i] + b * (x[i] - mean) + c;
}

template <class C>
MIXGRAD_INLINE void gather_body(const C* g, const C* x, int64_t n, C mean, C scale, C* dgamma, C* dbeta) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    dgamma[i] += g[i] * (x[i] - mean) * scale;
    dbeta[i] += g[i];
  }
}

template <class C>
MIXGRAD_INLINE void squares_body(const C* x, const C* mean, C* acc, int64_t n) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) acc[i] += (x[i] - mean[i]) * (x[i] - mean[i]);
}

template <class C>
MIXGRAD_INLINE void affine_columns_body(const C* x, C* y, int64_t n, const C* mean, const C* scale,
                                        const C* shift) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) y[i] = (x[i] - mean[i]) * scale[i] + shift[i];
}

template <class C>
MIXGRAD_INLINE void dots_columns_body(const C* g, const C* x, const C* mean, C* first, C* second, int64_t n) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    first[i] += g[i];
    second[i] += g[i] * (x[i] - mean[i]);
  }
}

template <class C>
MIXGRAD_INLINE void linear_columns_body(const C* g, const C* x, C* dx, int64_t n, const C* mean, const C* a,
                                        const C* b, const C* c) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) dx[i] = a[i] * g[i] + b[i] * (x[i] - mean[i]) + c[i];
}

// One struct per instruction set, so that each body is compiled for it.
template <class C>
struct NormBaseline {
  static MIXGRAD_TARGET_BASELINE Spread spread(const C* x, int64_t n) { return spread_body(x, n); }
  static MIXGRAD_TARGET_BASELINE void affine(const C* x, C* y, int64_t n, C mean, C scale, C shift) {
    affine_body(x, y, n, mean, scale, shift);
  }
  static MIXGRAD_TARGET_BASELINE void affine_each(const C* x, C* y, int64_t n, C mean, C scale,
                                                  const C* gamma, const C* beta) {
    affine_each_body(x, y, n, mean, scale, gamma, beta);
  }
  static MIXGRAD_TARGET_BASELINE Pair dots(const C* g, const C* x, int64_t n, C mean) {
    return dots_body(g, x, n, mean);
  }
  static MIXGRAD_TARGET_BASELINE Pair dots_each(const C* g, const C* x, const C* gamma, int64_t n, C mean) {
    return dots_each_body(g, x, gamma, n, mean);
  }
  static MIXGRAD_TARGET_BASELINE void linear(const C* g, const C* x, C* dx, int64_t n, C mean, C a, C b,
                                             C c) {
    linear_body(g, x, dx, n, mean, a, b, c);
  }
  static MIXGRAD_TARGET_BASELINE void linear_each(const C* g, const C* x, const C* gamma, C* dx, int64_t n,
                                                  C mean, C a, C b, C c) {
    linear_each_body(g, x, gamma, dx, n, mean, a, b, c);
  }
  static MIXGRAD_TARGET_BASELINE void gather(const C* g, const C* x, int64_t n, C mean, C scale, C* dgamma,
                                             C* dbeta) {
    gather_body(g, x, n, mean, scale, dgamma, dbeta);
  }
  static MIXGRAD_TARGET_BASELINE void squares(const C* x, const C* mean, C* acc, int64_t n) {
    squares_body(x, mean, acc, n);
  }
  static MIXGRAD_TARGET_BASELINE void affine_columns(const C* x, C* y, int64_t n, const C* mean,
                                                     const C* scale, const C* shift) {
    affine_columns_body(x, y, n, mean, scale, shift);
  }
  static MIXGRAD_TARGET_BASELINE void dots_columns(const C* g, const C* x, const C* mean, C* first, C* second,
                                                   int64_t n) {
    dots_columns_body(g, x, mean, first, second, n);
  }
  static MIXGRAD_TARGET_BASELINE void linear_columns(const C* g, const C* x, C* dx, int64_t n, const C* mean,
                                                     const C* a, const C* b, const C* c) {
    linear_columns_body(g, x, dx, n, mean, a, b, c);
  }
};
#if MIXGRAD_X86
template <class C>
struct NormAvx2 {
  static MIXGRAD_TARGET_AVX2 Spread spread(const C* x, int64_t n) { return spread_body(x, n); }
  static MIXGRAD_TARGET_AVX2 void affine(const C* x, C* y, int64_t n, C mean, C scale, C shift) {
    affine_body(x, y, n, mean, scale, shift);
  }
  static MIXGRAD_TARGET_AVX2 void affine_each(const C* x, C* y, int64_t n, C mean, C scale, const C* gamma,
                                              const C* beta) {
    affine_each_body(x, y, n, mean, scale, gamma, beta);
  }
  static MIXGRAD_TARGET_AVX2 Pair dots(const C* g, const C* x, int64_t n, C mean) {
    return dots_body(g, x, n, mean);
  }
  static MIXGRAD_TARGET_AVX2 Pair dots_each(const C* g, const C* x, const C* gamma, int64_t n, C mean) {
    return dots_each_body(g, x, gamma, n, mean);
  }
  static MIXGRAD_TARGET_AVX2 void linear(const C* g, const C* x, C* dx, int64_t n, C mean, C a, C b, C c) {
    linear_body(g, x, dx, n, mean, a, b, c);
  }
  static MIXGRAD_TARGET_AVX2 void linear_each(const C* g, const C* x, const C* gamma, C* dx, int64_t n,
                                              C mean, C a, C b, C c) {
    linear_each_body(g, x, gamma, dx, n, mean, a, b, c);
  }
  static MIXGRAD_TARGET_AVX2 void gather(const C* g, const C* x, int64_t n, C mean, C scale, C* dgamma,
                                         C* dbeta) {
    gather_body(g, x, n, mean, scale, dgamma, dbeta);
  }
  static MIXGRAD_TARGET_AVX2 void squares(const C* x, const C* mean, C* acc, int64_t n) {
    squares_body(x, mean, acc, n);
  }
  static MIXGRAD_TARGET_AVX2 void affine_columns(const C* x, C* y, int64_t n, const C* mean, const C* scale,
                                                 const C* shift) {
    affine_columns_body(x, y, n, mean, scale, shift);
  }
  static MIXGRAD_TARGET_AVX2 void dots_columns(const C* g, const C* x, const C* mean, C* first, C* second,
                                               int64_t n) {
    dots_columns_body(g, x, mean, first, second, n);
  }
  static MIXGRAD_TARGET_AVX2 void linear_columns(const C* g, const C* x, C* dx, int64_t n, const C* mean,
                                                 const C* a, const C* b, const C* c) {
    linear_columns_body(g, x, dx, n, mean, a, b, c);
  }
};
template <class C>
struct NormAvx512 {
  static MIXGRAD_TARGET_AVX512 Spread spread(const C* x, int64_t n) { return spread_body(x, n); }
  static MIXGRAD_TARGET_AVX512 void affine(const C* x, C* y, int64_t n, C mean, C scale, C shift) {
    affine_body(x, y, n, mean, scale, shift);
  }
  static MIXGRAD_TARGET_AVX512 void affine_each(const C* x, C* y, int64_t n, C mean, C scale, const C* gamma,
                                                const C* beta) {
    affine_each_body(x, y, n, mean, scale, gamma, beta);
  }
  static MIXGRAD_TARGET_AVX512 Pair dots(const C* g, const C* x, int64_t n, C mean) {
    return dots_body(g, x, n, mean);
  }
  static MIXGRAD_TARGET_AVX512 Pair dots_each(const C* g, const C* x, const C* gamma, int64_t n, C mean) {
    return dots_each_body(g, x, gamma, n, mean);
  }
  static MIXGRAD_TARGET_AVX512 void linear(const C* g, const C* x, C* dx, int64_t n, C mean, C a, C b, C c) {
    linear_body(g, x, dx, n, mean, a, b, c);
  }
  static MIXGRAD_TARGET_AVX512 void linear_each(const C* g, const C* x, const C* gamma, C* dx, int64_t n,
                                                C mean, C a, C b, C c) {
    linear_each_body(g, x, gamma, dx, n, mean, a, b, c);
  }
  static MIXGRAD_TARGET_AVX512 void gather(const C* g, const C* x, int64_t n, C mean, C scale, C* dgamma,
                                           C* dbeta) {
    gather_body(g, x, n, mean, scale, dgamma, dbeta);
  }
  static MIXGRAD_TARGET_AVX512 void squares(const C* x, const C* mean, C* acc, int64_t n) {
    squares_body(x, mean, acc, n);
  }
  static MIXGRAD_TARGET_AVX512 void affine_columns(const C* x, C* y, int64_t n, const C* mean, const C* scale,
                                                   const C* shift) {
    affine_columns_body(x, y, n, mean, scale, shift);
  }
  static MIXGRAD_TARGET_AVX512 void dots_columns(const C* g, const C* x, const C* mean, C* first, C* second,
                                                 int64_t n) {
    dots_columns_body(g, x, mean, first, second, n);
  }
  static MIXGRAD_TARGET_AVX512 void linear_columns(const C* g, const C* x, C* dx, int64_t n, const C* mean,
                                                   const C* a, const C* b, const C* c) {
    linear_columns_body(g, x, dx, n, mean, a, b, c);
  }
};
#endif
template <class C, class Loops>
NormKernels<C> make_norms() {
  NormKernels<C> kernels{};
  kernels.affine = &Loops::affine;
  kernels.affine_columns = &Loops::affine_columns;
  kernels.spread = &Loops::spread;
  kernels.affine_each = &Loops::affine_each;
  kernels.squares = &Loops::squares;
  if constexpr (kTraining) {
    kernels.dots = &Loops::dots;
    kernels.dots_each = &Loops::dots_each;
    kernels.linear = &Loops::linear;
    kernels.linear_each = &Loops::linear_each;
    kernels.gather = &Loops::gather;
    kernels.dots_columns = &Loops::dots_columns;
    kernels.linear_columns = &Loops::linear_columns;
  }
  return kernels;
}

template <class C>
NormKernels<C> pick_norms() {
#if MIXGRAD_X86
  if (loop_isa<C>() == Isa::avx512) return make_norms<C, NormAvx512<C>>();
  if (loop_isa<C>() == Isa::avx2) return make_norms<C, NormAvx2<C>>();
#endif
  return make_norms<C, NormBaseline<C>>();
}

}  // namespace

void Spread::add(const Spread& o) {
  if (o.n == 0) return;
  const double all = n + o.n, apart = o.mean - mean;
  m2 += o.m2 + apart * apart * (n * o.n / all);
  mean += apart * (o.n / all);
  n = all;
}

const NormKernels<float>& float_norms() {
  static const NormKernels<float> kernels = pick_norms<float>();
  return kernels;
}
const NormKernels<double>& double_norms() {
  static const NormKernels<double> kernels = pick_norms<double>();
  return kernels;
}

}  // namespace mixgrad::norm_kernels
