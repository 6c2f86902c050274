#include "kernels/gemm/gemm_dots.h"

#include "base/cpu.h"

// The functions below differ in their target and vector width only; GCC splits wide vectors before it inlines, so a
// shared inline body would be compiled for the baseline.

namespace mixgrad {
namespace {

constexpr int64_t kAheadLines = 16;  // cache lines of each row that are asked for ahead of their use

template <class T, int kBytes>
struct DotVector {
  typedef T type __attribute__((vector_size(kBytes), aligned(sizeof(T)), may_alias));
};

template <class T, int kRows>
MIXGRAD_TARGET_BASELINE_VECTORS void dots_baseline(const T* x, const T* rows, int64_t stride, int64_t n,
                                                   T* out) {
  using V = typename DotVector<T, 16>::type;
  constexpr int64_t kLanes = 16 / sizeof(T), kLine = 64 / sizeof(T);
  constexpr int kParts = 64 / 16 * 2;
  V sum[kRows][kParts] = {};
  int64_t i = 0;
  for (; i + kParts * kLanes <= n; i += kParts * kLanes) {
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const T* row = rows + r * stride + i;
      __builtin_prefetch(row + kAheadLines * kLine);
      __builtin_prefetch(row + (kAheadLines + 1) * kLine);
#pragma GCC unroll 8
      for (int c = 0; c < kParts; ++c) {
        sum[r][c] +=
            *reinterpret_cast<const V*>(x + i + c * kLanes) * *reinterpret_cast<const V*>(row + c * kLanes);
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    V both = sum[r][0];
    for (int c = 1; c < kParts; ++c) both += sum[r][c];
    T total = 0;
    for (int64_t lane = 0; lane < kLanes; ++lane) total += both[lane];
    for (int64_t j = i; j < n; ++j) total += x[j] * rows[r * stride + j];
    out[r] = total;
  }
}

#if MIXGRAD_X86
template <class T, int kRows>
MIXGRAD_TARGET_AVX2 void dots_avx2(const T* x, const T* rows, int64_t stride, int64_t n, T* out) {
  using V = typename DotVector<T, 32>::type;
  constexpr int64_t kLanes = 32 / sizeof(T), kLine = 64 / sizeof(T);
  constexpr int kParts = 64 / 32 * 2;
  V sum[kRows][kParts] = {};
  int64_t i = 0;
  for (; i + kParts * kLanes <= n; i += kParts * kLanes) {
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const T* row = rows + r * stride + i;
      __builtin_prefetch(row + kAheadLines * kLine);
      __builtin_prefetch(row + (kAheadLines + 1) * kLine);
#pragma GCC unroll 8
      for (int c = 0; c < kParts; ++c) {
        sum[r][c] +=
            *reinterpret_cast<const V*>(x + i + c * kLanes) * *reinterpret_cast<const V*>(row + c * kLanes);
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    V both = sum[r][0];
    for (int c = 1; c < kParts; ++c) both += sum[r][c];
    T total = 0;
    for (int64_t lane = 0; lane < kLanes; ++lane) total += both[lane];
    for (int64_t j = i; j < n; ++j) total += x[j] * rows[r * stride + j];
    out[r] = total;
  }
}

template <class T, int kRows>
MIXGRAD_TARGET_AVX512 void dots_avx512(const T* x, const T* rows, int64_t stride, int64_t n, T* out) {
  using V = typename DotVector<T, 64>::type;
  constexpr int64_t kLanes = 64 / sizeof(T), kLine = 64 / sizeof(T);
  constexpr int kParts = 64 / 64 * 2;
  V sum[kRows][kParts] = {};
  int64_t i = 0;
  for (; i + kParts * kLanes <= n; i += kParts * kLanes) {
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const T* row = rows + r * stride + i;
      __builtin_prefetch(row + kAheadLines * kLine);
      __builtin_prefetch(row + (kAheadLines + 1) * kLine);
#pragma GCC unroll 8
      for (int c = 0; c < kParts; ++c) {
        sum[r][c] +=
            *reinterpret_cast<const V*>(x + i + c * kLanes) * *reinterpret_cast<const V*>(row + c * kLanes);
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    V both = sum[r][0];
    for (int c = 1; c < kParts; ++c) both += sum[r][c];
    T total = 0;
    for (int64_t lane = 0; lane < kLanes; ++lane) total += both[lane];
    for (int64_t j = i; j < n; ++j) total += x[j] * rows[r * stride + j];
    out[r] = total;
  }
}
#endif

}  // namespace

template <class T>
Dots<T> gemm_dots() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return {&dots_avx512<T, 1>, &dots_avx512<T, kDotRows>};
  if (best_isa() == Isa::avx2) return {&dots_avx2<T, 1>, &dots_avx2<T, kDotRows>};
#endif
  return {&dots_baseline<T, 1>, &dots_baseline<T, kDotRows>};
}

template Dots<float> gemm_dots<float>();
template Dots<double> gemm_dots<double>();

}  // namespace mixgrad
