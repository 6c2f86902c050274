#include "kernels/gemm/int16_dots.h"

#include <algorithm>

#include "base/cpu.h"

namespace mixgrad {
namespace {

// Products that an int32 holds whatever the elements: 65536 * 255 * 128 < 2^31.
constexpr int64_t kMostTerms = 65536;

// sums[r * kCols + c] = dot of rows r and c; the compiler makes the loop over k one of pairwise multiply-add.
template <int kRows, int kCols>
MIXGRAD_INLINE void dot_tile(const Int16Dots& d, const int16_t* a, const int16_t* b, int64_t k,
                             int32_t* sums) {
  int32_t s[kRows * kCols] = {};
  for (int64_t i = 0; i < k; ++i) {
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int c = 0; c < kCols; ++c)
        s[r * kCols + c] += static_cast<int32_t>(a[r * d.lda + i]) * static_cast<int32_t>(b[c * d.ldb + i]);
    }
  }
  for (int i = 0; i < kRows * kCols; ++i) sums[i] = s[i];
}

template <int kRows, int kCols>
MIXGRAD_INLINE void dot_block(const Int16Dots& d, int64_t i, int64_t j) {
  const int16_t *a = d.a + i * d.lda, *b = d.b + j * d.ldb;
  int32_t sums[kRows * kCols];
  dot_tile<kRows, kCols>(d, a, b, std::min(d.k, kMostTerms), sums);
  for (int64_t at = kMostTerms; at < d.k; at += kMostTerms) {
    int32_t more[kRows * kCols];
    dot_tile<kRows, kCols>(d, a + at, b + at, std::min(d.k - at, kMostTerms), more);
    for (int t = 0; t < kRows * kCols; ++t) {
      sums[t] = static_cast<int32_t>(
          std::clamp<int64_t>(static_cast<int64_t>(sums[t]) + more[t], INT32_MIN, INT32_MAX));
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kCols; ++c) d.c[(i + r) * d.ldc + j + c] = sums[r * kCols + c];
  }
}

template <int kRows, int kCols>
MIXGRAD_INLINE void dot_all(const Int16Dots& d) {
  int64_t i = 0;
  for (; i + kRows <= d.m; i += kRows) {
    int64_t j = 0;
    for (; j + kCols <= d.n; j += kCols) dot_block<kRows, kCols>(d, i, j);
    for (; j < d.n; ++j) dot_block<kRows, 1>(d, i, j);
  }
  for (; i < d.m; ++i) {
    int64_t j = 0;
    for (; j + kCols <= d.n; j += kCols) dot_block<1, kCols>(d, i, j);
    for (; j < d.n; ++j) dot_block<1, 1>(d, i, j);
  }
}

MIXGRAD_INLINE void axpy_row(const int16_t* __restrict x, int64_t step, int32_t weight, int32_t* __restrict y,
                             int64_t n) {
  if (step == 1) {
    for (int64_t i = 0; i < n; ++i) y[i] += weight * x[i];
  } else {
    for (int64_t i = 0; i < n; ++i) y[i] += weight * x[i * step];
  }
}

MIXGRAD_TARGET_BASELINE void dots_baseline(const Int16Dots& d) { dot_all<2, 4>(d); }
MIXGRAD_TARGET_BASELINE void axpy_baseline(const int16_t* x, int64_t step, int32_t weight, int32_t* y,
                                           int64_t n) {
  axpy_row(x, step, weight, y, n);
}
#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 void dots_avx2(const Int16Dots& d) { dot_all<2, 4>(d); }
MIXGRAD_TARGET_AVX2 void axpy_avx2(const int16_t* x, int64_t step, int32_t weight, int32_t* y, int64_t n) {
  axpy_row(x, step, weight, y, n);
}
MIXGRAD_TARGET_AVX512 void dots_avx512(const Int16Dots& d) { dot_all<4, 4>(d); }
MIXGRAD_TARGET_AVX512 void axpy_avx512(const int16_t* x, int64_t step, int32_t weight, int32_t* y,
                                       int64_t n) {
  axpy_row(x, step, weight, y, n);
}
#endif

}  // namespace

void int16_dots(const Int16Dots& d) {
#if MIXGRAD_X86
  const Isa isa = product_isa<int16_t>();
  if (isa == Isa::avx512) return dots_avx512(d);
  if (isa == Isa::avx2) return dots_avx2(d);
#endif
  dots_baseline(d);
}

void int16_axpy(const int16_t* x, int64_t step, int32_t weight, int32_t* y, int64_t n) {
#if MIXGRAD_X86
  const Isa isa = product_isa<int16_t>();
  if (isa == Isa::avx512) return axpy_avx512(x, step, weight, y, n);
  if (isa == Isa::avx2) return axpy_avx2(x, step, weight, y, n);
#endif
  axpy_baseline(x, step, weight, y, n);
}

}  // namespace mixgrad
