#include "kernels/reduce/reduce_kernels.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/loops/lanes.h"

namespace mixgrad {
namespace {

// T below is a scalar or a vector of the compute type; `map` is applied to each element once, `join` to
// pairs. kOften: compact builds have it for AVX2, too, where C is float32.
struct ReduceSum {
  static constexpr bool kOften = true;
  static constexpr bool kAdds = true;
  template <class C>
  static constexpr C neutral() {
    return C(0);
  }
  template <class T>
  static T map(T x) {
    return x;
  }
  template <class T>
  static T join(T a, T b) {
    return a + b;
  }
};
struct ReduceNanSum : ReduceSum {
  static constexpr bool kOften = false;
  template <class T>
  static T map(T x) {
    return x == x ? x : T{};
  }
};
struct ReduceAbs : ReduceSum {
  static constexpr bool kOften = false;
  template <class T>
  static T map(T x) {
    return x < T{} ? -x : x;
  }
};
struct ReduceSquare : ReduceSum {
  static constexpr bool kOften = false;
  template <class T>
  static T map(T x) {
    return x * x;
  }
};
struct ReduceProd {
  static constexpr bool kOften = false;
  static constexpr bool kAdds = false;
  template <class C>
  static constexpr C neutral() {
    return C(1);
  }
  template <class T>
  static T map(T x) {
    return x;
  }
  template <class T>
  static T join(T a, T b) {
    return a * b;
  }
};
struct ReduceNanProd : ReduceProd {
  template <class T>
  static T map(T x) {
    return x == x ? x : T{} + 1;
  }
};
// NaN wins from either side. Written as two selections, which every compiler turns into vector code.
struct ReduceMax {
  static constexpr bool kOften = true;
  static constexpr bool kAdds = false;
  template <class C>
  static constexpr C neutral() {
    return std::is_integral_v<C> ? std::numeric_limits<C>::lowest() : -std::numeric_limits<C>::infinity();
  }
  template <class T>
  static T map(T x) {
    return x;
  }
  template <class T>
  static T join(T a, T b) {
    const T larger = a < b ? b : a;
    return b != b ? b : larger;
  }
};
struct ReduceMin : ReduceMax {
  static constexpr bool kOften = false;
  template <class C>
  static constexpr C neutral() {
    return std::is_integral_v<C> ? std::numeric_limits<C>::max() : std::numeric_limits<C>::infinity();
  }
  template <class T>
  static T join(T a, T b) {
    const T smaller = a > b ? b : a;
    return b != b ? b : smaller;
  }
};

constexpr int64_t kReduceRun = 2048;  // elements joined in the compute type before widening
constexpr int64_t kReduceLong = 512;  // from here on the loop over many lanes is quicker

// A run shorter than kReduceLong.
template <class F, class C>
MIXGRAD_INLINE C reduce_short(const C* x, int64_t n) {
  constexpr int kLanes = 16 / sizeof(C);
  using V = typename SmallVector<C>::type;
  if (n < kLanes) {
    C a = F::template neutral<C>();
    for (int64_t i = 0; i < n; ++i) a = F::template join<C>(a, F::template map<C>(x[i]));
    return a;
  }
  const V neutral = F::template neutral<C>() - V{};
  V acc[4] = {neutral, neutral, neutral, neutral};
  V v[4];
  int64_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    std::memcpy(v, x + i, sizeof v);
    for (int k = 0; k < 4; ++k) acc[k] = F::template join<V>(acc[k], F::template map<V>(v[k]));
  }
  for (; i + kLanes <= n; i += kLanes) {
    std::memcpy(v, x + i, sizeof(V));
    acc[0] = F::template join<V>(acc[0], F::template map<V>(v[0]));
  }
  if (i < n) {
    // The last vector again, with the lanes that were already counted made neutral.
    std::memcpy(v, x + n - kLanes, sizeof(V));
    V lane;
    for (int l = 0; l < kLanes; ++l) lane[l] = static_cast<C>(l);
    const V first = static_cast<C>(kLanes - (n - i)) - V{};
    v[0] = lane >= first ? F::template map<V>(v[0]) : neutral;
    acc[1] = F::template join<V>(acc[1], v[0]);
  }
  acc[0] = F::template join<V>(F::template join<V>(acc[0], acc[1]), F::template join<V>(acc[2], acc[3]));
  C result = acc[0][0];
  for (int l = 1; l < kLanes; ++l) result = F::template join<C>(result, acc[0][l]);
  return result;
}

// A run of kReduceLong to kReduceRun elements.
template <class F, class C>
MIXGRAD_INLINE C reduce_long(const C* x, int64_t n) {
  constexpr int kLanes = 256 / sizeof(C);
  alignas(64) C acc[kLanes];
  for (int l = 0; l < kLanes; ++l) acc[l] = F::template neutral<C>();
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    MIXGRAD_VECTORIZE
    for (int l = 0; l < kLanes; ++l) acc[l] = F::template join<C>(acc[l], F::template map<C>(x[i + l]));
  }
  MIXGRAD_VECTORIZE
  for (int l = 0; l < n - i; ++l) acc[l] = F::template join<C>(acc[l], F::template map<C>(x[i + l]));
  return join_lanes<kLanes>(
      acc, [](auto a, auto b) __attribute__((always_inline)) { return F::template join<decltype(a)>(a, b); });
}

template <class F, class C>
MIXGRAD_INLINE C reduce_run(const C* x, int64_t n) {
  return n < kReduceLong ? reduce_short<F, C>(x, n) : reduce_long<F, C>(x, n);
}

template <class F, class C, class W>
MIXGRAD_INLINE void reduce_rows(const void* data, int64_t n, int64_t stride, int64_t count, void* wide) {
  const C* x = static_cast<const C*>(data);
  W* out = static_cast<W*>(wide);
  for (int64_t r = 0; r < count; ++r, x += stride) {
    if (n <= kReduceRun) {
      out[r] = static_cast<W>(reduce_run<F, C>(x, n));
      continue;
    }
    int64_t i = 0;
    do {
      const W part = static_cast<W>(reduce_run<F, C>(x + i, n - i < kReduceRun ? n - i : kReduceRun));
      out[r] = i == 0 ? part : F::template join<W>(out[r], part);
      i += kReduceRun;
    } while (i < n);
  }
}

template <class F, class C>
MIXGRAD_INLINE void reduce_columns(const void* const* rows, int count, int64_t width, void* accumulator) {
  C* acc = static_cast<C*>(accumulator);
  int r = 0;
  for (; r + 8 <= count; r += 8) {
    const C* x[8];
    for (int k = 0; k < 8; ++k) x[k] = static_cast<const C*>(rows[r + k]);
    const C *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3], *x4 = x[4], *x5 = x[5], *x6 = x[6], *x7 = x[7];
    MIXGRAD_VECTORIZE
    for (int64_t c = 0; c < width; ++c) {
      const C a = F::template join<C>(F::template map<C>(x0[c]), F::template map<C>(x1[c]));
      const C b = F::template join<C>(F::template map<C>(x2[c]), F::template map<C>(x3[c]));
      const C d = F::template join<C>(F::template map<C>(x4[c]), F::template map<C>(x5[c]));
      const C e = F::template join<C>(F::template map<C>(x6[c]), F::template map<C>(x7[c]));
      acc[c] = F::template join<C>(acc[c],
                                   F::template join<C>(F::template join<C>(a, b), F::template join<C>(d, e)));
    }
  }
  for (; r < count; ++r) {
    const C* x = static_cast<const C*>(rows[r]);
    MIXGRAD_VECTORIZE
    for (int64_t c = 0; c < width; ++c) acc[c] = F::template join<C>(acc[c], F::template map<C>(x[c]));
  }
}

template <class F, class C, class W>
MIXGRAD_INLINE void reduce_widen(const void* acc, void* wide, int64_t width) {
  const C* a = static_cast<const C*>(acc);
  W* w = static_cast<W*>(wide);
  MIXGRAD_VECTORIZE
  for (int64_t c = 0; c < width; ++c) w[c] = F::template join<W>(w[c], static_cast<W>(a[c]));
}

template <class F, class W>
MIXGRAD_INLINE void reduce_merge(void* wide, const void* more, int64_t width) {
  W* w = static_cast<W*>(wide);
  const W* m = static_cast<const W*>(more);
  MIXGRAD_VECTORIZE
  for (int64_t c = 0; c < width; ++c) w[c] = F::template join<W>(w[c], m[c]);
}

template <class F, class C, class W>
void reduce_reset(void* acc, void* wide, int64_t n) {
  if (acc) {
    for (int64_t i = 0; i < n; ++i) static_cast<C*>(acc)[i] = F::template neutral<C>();
  }
  if (wide) {
    for (int64_t i = 0; i < n; ++i) static_cast<W*>(wide)[i] = F::template neutral<W>();
  }
}

template <class F, class W>
void reduce_fold(const void* parts, int64_t stride, int64_t count, void* result) {
  const W* x = static_cast<const W*>(parts);
  W sum = F::template neutral<W>();
  if constexpr (F::kAdds && std::is_same_v<W, double>) {
    double lost = 0;  // what rounding dropped from the sum so far
    for (int64_t i = 0; i < count; ++i) {
      const double v = x[i * stride], next = sum + v;
      lost += std::abs(sum) >= std::abs(v) ? (sum - next) + v : (v - next) + sum;
      sum = next;
    }
    if (std::isfinite(lost)) sum += lost;
  } else {
    for (int64_t i = 0; i < count; ++i) sum = F::template join<W>(sum, x[i * stride]);
  }
  *static_cast<W*>(result) = sum;
}

// The same an element at a time, and rows in the wide type: of compact builds, for machines that lack AVX2 and for what is
// seldom asked for.
template <class F, class C, class W>
struct ReducePlain {
  static MIXGRAD_TARGET_BASELINE void rows(const void* x, int64_t n, int64_t stride, int64_t count,
                                           void* wide) {
    const C* row = static_cast<const C*>(x);
    for (int64_t r = 0; r < count; ++r, row += stride) {
      W sum = F::template neutral<W>();
      for (int64_t i = 0; i < n; ++i)
        sum = F::template join<W>(sum, static_cast<W>(F::template map<C>(row[i])));
      static_cast<W*>(wide)[r] = sum;
    }
  }
  static MIXGRAD_TARGET_BASELINE void columns(const void* const* rows, int count, int64_t width,
                                              void* accumulator) {
    C* acc = static_cast<C*>(accumulator);
    for (int r = 0; r < count; ++r) {
      const C* x = static_cast<const C*>(rows[r]);
      for (int64_t c = 0; c < width; ++c) acc[c] = F::template join<C>(acc[c], F::template map<C>(x[c]));
    }
  }
  static MIXGRAD_TARGET_BASELINE void merge(void* wide, const void* more, int64_t width) {
    reduce_merge<F, W>(wide, more, width);
  }
  static MIXGRAD_TARGET_BASELINE void widen(const void* acc, void* wide, int64_t width) {
    reduce_widen<F, C, W>(acc, wide, width);
  }
};

template <class F, class C, class W>
struct ReduceBaseline {
  static void rows(const void* x, int64_t n, int64_t stride, int64_t count, void* wide) {
    reduce_rows<F, C, W>(x, n, stride, count, wide);
  }
  static void columns(const void* const* rows, int count, int64_t width, void* acc) {
    reduce_columns<F, C>(rows, count, width, acc);
  }
  static void merge(void* wide, const void* more, int64_t width) { reduce_merge<F, W>(wide, more, width); }
  static void widen(const void* acc, void* wide, int64_t width) { reduce_widen<F, C, W>(acc, wide, width); }
};
#if MIXGRAD_X86
template <class F, class C, class W>
struct ReduceAvx2 {
  static MIXGRAD_TARGET_AVX2 void rows(const void* x, int64_t n, int64_t stride, int64_t count, void* wide) {
    reduce_rows<F, C, W>(x, n, stride, count, wide);
  }
  static MIXGRAD_TARGET_AVX2 void columns(const void* const* rows, int count, int64_t width, void* acc) {
    reduce_columns<F, C>(rows, count, width, acc);
  }
  static MIXGRAD_TARGET_AVX2 void merge(void* wide, const void* more, int64_t width) {
    reduce_merge<F, W>(wide, more, width);
  }
  static MIXGRAD_TARGET_AVX2 void widen(const void* acc, void* wide, int64_t width) {
    reduce_widen<F, C, W>(acc, wide, width);
  }
};
template <class F, class C, class W>
struct ReduceAvx512 {
  static MIXGRAD_TARGET_AVX512 void rows(const void* x, int64_t n, int64_t stride, int64_t count,
                                         void* wide) {
    reduce_rows<F, C, W>(x, n, stride, count, wide);
  }
  static MIXGRAD_TARGET_AVX512 void columns(const void* const* rows, int count, int64_t width, void* acc) {
    reduce_columns<F, C>(rows, count, width, acc);
  }
  static MIXGRAD_TARGET_AVX512 void merge(void* wide, const void* more, int64_t width) {
    reduce_merge<F, W>(wide, more, width);
  }
  static MIXGRAD_TARGET_AVX512 void widen(const void* acc, void* wide, int64_t width) {
    reduce_widen<F, C, W>(acc, wide, width);
  }
};
#endif

template <class F, class C, class W, class Loops>
ReduceKernels make_reduce(DType compute, DType wide) {
  return {compute,       wide,          &Loops::rows,      &Loops::columns, &reduce_reset<F, C, W>,
          &Loops::widen, &Loops::merge, &reduce_fold<F, W>};
}

template <class F, class C, class W>
ReduceKernels pick_reduce(DType compute, DType wide) {
#if MIXGRAD_X86
  if constexpr (!kCompact || F::kOften) {
    if (loop_isa<C>() == Isa::avx512) return make_reduce<F, C, W, ReduceAvx512<F, C, W>>(compute, wide);
    if (loop_isa<C>() == Isa::avx2) return make_reduce<F, C, W, ReduceAvx2<F, C, W>>(compute, wide);
  }
#endif
  using Least = std::conditional_t<!kBaselineVectors || (kCompact && !F::kOften), ReducePlain<F, C, W>,
                                   ReduceBaseline<F, C, W>>;
  return make_reduce<F, C, W, Least>(compute, wide);
}

enum ReduceCompute { kReduceF32, kReduceF64, kReduceI64 };

// `Integer` is the type in which integers are joined: unsigned where a result wraps.
template <class F, class Integer>
const ReduceKernels& kernels_of(ReduceCompute compute) {
  static const ReduceKernels f32 = pick_reduce<F, float, double>(DType::float32, DType::float64);
  if constexpr (!std::is_void_v<Integer>) {
    static const ReduceKernels i64 = pick_reduce<F, Integer, Integer>(DType::int64, DType::int64);
    if (compute == kReduceI64) return i64;
  }
  if (compute == kReduceF32) return f32;
  static const ReduceKernels f64 = pick_reduce<F, double, double>(DType::float64, DType::float64);
  return f64;
}

}  // namespace

const ReduceKernels& reduce_kernels(Reduce kind, DType dtype) {
  const ReduceCompute compute = dtype == DType::float64 ? kReduceF64
                                : is_float(dtype)       ? kReduceF32
                                                        : kReduceI64;
  switch (kind) {
    case Reduce::nansum:
      if (compute != kReduceI64) return kernels_of<ReduceNanSum, void>(compute);
      break;
    case Reduce::prod: return kernels_of<ReduceProd, uint64_t>(compute);
    case Reduce::nanprod:
      if (compute == kReduceI64) return kernels_of<ReduceProd, uint64_t>(compute);
      return kernels_of<ReduceNanProd, void>(compute);
    case Reduce::max: return kernels_of<ReduceMax, int64_t>(compute);
    case Reduce::min: return kernels_of<ReduceMin, int64_t>(compute);
    case Reduce::sum_abs: return kernels_of<ReduceAbs, void>(compute);
    case Reduce::sum_square: return kernels_of<ReduceSquare, void>(compute);
    case Reduce::sum: break;
  }
  return kernels_of<ReduceSum, uint64_t>(compute);
}

}  // namespace mixgrad
