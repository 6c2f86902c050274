#include "kernels/linalg/matrix_rows.h"

#include "base/cpu.h"
#include "kernels/loops/lanes.h"

namespace mixgrad::matrix_rows {
namespace {

// A fixed number of partial sums: the same result for every instruction set but for fused multiplication.
template <class C>
MIXGRAD_INLINE C dot_rows(const C* x, const C* y, int64_t n) {
  constexpr int kLanes = 32;
  C lane[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int l = 0; l < kLanes; ++l) lane[l] += x[i + l] * y[i + l];
  }
  C sum = join_lanes<kLanes>(lane, [](auto a, auto b) { return a + b; });
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
template <class C>
MIXGRAD_INLINE void subtract_rows(C* __restrict y, const C* __restrict x, C factor, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] -= factor * x[i];
}
template <class C>
MIXGRAD_INLINE void rotate_rows(C* __restrict x, C* __restrict y, C c, C s, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const C t = c * x[i] + s * y[i];
    y[i] = c * y[i] - s * x[i];
    x[i] = t;
  }
}

template <class C>
MIXGRAD_TARGET_BASELINE C dot_baseline(const C* x, const C* y, int64_t n) {
  return dot_rows(x, y, n);
}
template <class C>
MIXGRAD_TARGET_BASELINE void subtract_baseline(C* y, const C* x, C factor, int64_t n) {
  subtract_rows(y, x, factor, n);
}
template <class C>
MIXGRAD_TARGET_BASELINE void rotate_baseline(C* x, C* y, C c, C s, int64_t n) {
  rotate_rows(x, y, c, s, n);
}
#if MIXGRAD_X86
template <class C>
MIXGRAD_TARGET_AVX2 C dot_avx2(const C* x, const C* y, int64_t n) {
  return dot_rows(x, y, n);
}
template <class C>
MIXGRAD_TARGET_AVX2 void subtract_avx2(C* y, const C* x, C factor, int64_t n) {
  subtract_rows(y, x, factor, n);
}
template <class C>
MIXGRAD_TARGET_AVX2 void rotate_avx2(C* x, C* y, C c, C s, int64_t n) {
  rotate_rows(x, y, c, s, n);
}
template <class C>
MIXGRAD_TARGET_AVX512 C dot_avx512(const C* x, const C* y, int64_t n) {
  return dot_rows(x, y, n);
}
template <class C>
MIXGRAD_TARGET_AVX512 void subtract_avx512(C* y, const C* x, C factor, int64_t n) {
  subtract_rows(y, x, factor, n);
}
template <class C>
MIXGRAD_TARGET_AVX512 void rotate_avx512(C* x, C* y, C c, C s, int64_t n) {
  rotate_rows(x, y, c, s, n);
}
#endif

template <class C>
RowLoops<C> pick_rows() {
#if MIXGRAD_X86
  if (loop_isa<C>() == Isa::avx512) return {&dot_avx512<C>, &subtract_avx512<C>, &rotate_avx512<C>};
  if (loop_isa<C>() == Isa::avx2) return {&dot_avx2<C>, &subtract_avx2<C>, &rotate_avx2<C>};
#endif
  return {&dot_baseline<C>, &subtract_baseline<C>, &rotate_baseline<C>};
}

}  // namespace

template <class C>
const RowLoops<C>& row_loops() {
  static const RowLoops<C> loops = pick_rows<C>();
  return loops;
}
template const RowLoops<float>& row_loops();
template const RowLoops<double>& row_loops();

}  // namespace mixgrad::matrix_rows
