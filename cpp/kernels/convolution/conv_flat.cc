#include "kernels/convolution/conv_flat.h"

#include <algorithm>

#include "base/cpu.h"
#include "kernels/loops/lanes.h"

// Written out for each instruction set, because GCC splits wide vectors before it inlines.

namespace mixgrad::conv_flat {
namespace {

constexpr int kTogether = 9;  // taps whose sums a vector register holds each

template <int kBytes>
struct FlatVector {
  typedef float type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

MIXGRAD_TARGET_BASELINE_VECTORS void convolve_baseline(const Taps& taps, const float* src, float bias,
                                                       float* out, int64_t n) {
  using V = FlatVector<16>::type;
  constexpr int kLanes = 4, kVectors = 4;
  const V start = bias - V{};
  for (int64_t i = 0; i < n; i += kVectors * kLanes) {
    V sum[kVectors] = {start, start, start, start};
    for (int64_t t = 0; t < taps.count; ++t) {
      const float* from = src + i + taps.offset[t];
      const float w = taps.weight[t];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[v] += w * *reinterpret_cast<const V*>(from + v * kLanes);
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) *reinterpret_cast<V*>(out + i + v * kLanes) = sum[v];
  }
}
template <int kTaps>
MIXGRAD_TARGET_BASELINE_VECTORS void correlate_baseline(const int64_t* offset, const float* src,
                                                        const float* grad, int64_t n, float* sums) {
  using V = FlatVector<16>::type;
  constexpr int kLanes = 4;
  V sum[kTaps];
#pragma GCC unroll 16
  for (int t = 0; t < kTaps; ++t) sum[t] = V{};
  for (int64_t i = 0; i < n; i += kLanes) {
    const V g = *reinterpret_cast<const V*>(grad + i);
#pragma GCC unroll 16
    for (int t = 0; t < kTaps; ++t) sum[t] += g * *reinterpret_cast<const V*>(src + i + offset[t]);
  }
#pragma GCC unroll 16
  for (int t = 0; t < kTaps; ++t) {
    float lane[kLanes];
    *reinterpret_cast<V*>(lane) = sum[t];
    sums[t] += join_lanes<kLanes>(lane, [](auto x, auto y) { return x + y; });
  }
}
#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 void convolve_avx2(const Taps& taps, const float* src, float bias, float* out,
                                       int64_t n) {
  using V = FlatVector<32>::type;
  constexpr int kLanes = 8, kVectors = 4;
  const V start = bias - V{};
  for (int64_t i = 0; i < n; i += kVectors * kLanes) {
    V sum[kVectors] = {start, start, start, start};
    for (int64_t t = 0; t < taps.count; ++t) {
      const float* from = src + i + taps.offset[t];
      const float w = taps.weight[t];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[v] += w * *reinterpret_cast<const V*>(from + v * kLanes);
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) *reinterpret_cast<V*>(out + i + v * kLanes) = sum[v];
  }
}
template <int kTaps>
MIXGRAD_TARGET_AVX2 void correlate_avx2(const int64_t* offset, const float* src, const float* grad, int64_t n,
                                        float* sums) {
  using V = FlatVector<32>::type;
  constexpr int kLanes = 8;
  V sum[kTaps];
#pragma GCC unroll 16
  for (int t = 0; t < kTaps; ++t) sum[t] = V{};
  for (int64_t i = 0; i < n; i += kLanes) {
    const V g = *reinterpret_cast<const V*>(grad + i);
#pragma GCC unroll 16
    for (int t = 0; t < kTaps; ++t) sum[t] += g * *reinterpret_cast<const V*>(src + i + offset[t]);
  }
#pragma GCC unroll 16
  for (int t = 0; t < kTaps; ++t) {
    float lane[kLanes];
    *reinterpret_cast<V*>(lane) = sum[t];
    sums[t] += join_lanes<kLanes>(lane, [](auto x, auto y) { return x + y; });
  }
}
MIXGRAD_TARGET_AVX512 void convolve_avx512(const Taps& taps, const float* src, float bias, float* out,
                                           int64_t n) {
  using V = FlatVector<64>::type;
  constexpr int kLanes = 16, kVectors = 4;
  const V start = bias - V{};
  for (int64_t i = 0; i < n; i += kVectors * kLanes) {
    V sum[kVectors] = {start, start, start, start};
    for (int64_t t = 0; t < taps.count; ++t) {
      const float* from = src + i + taps.offset[t];
      const float w = taps.weight[t];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[v] += w * *reinterpret_cast<const V*>(from + v * kLanes);
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) *reinterpret_cast<V*>(out + i + v * kLanes) = sum[v];
  }
}
template <int kTaps>
MIXGRAD_TARGET_AVX512 void correlate_avx512(const int64_t* offset, const float* src, const float* grad,
                                            int64_t n, float* sums) {
  using V = FlatVector<64>::type;
  constexpr int kLanes = 16;
  V sum[kTaps];
#pragma GCC unroll 16
  for (int t = 0; t < kTaps; ++t) sum[t] = V{};
  for (int64_t i = 0; i < n; i += kLanes) {
    const V g = *reinterpret_cast<const V*>(grad + i);
#pragma GCC unroll 16
    for (int t = 0; t < kTaps; ++t) sum[t] += g * *reinterpret_cast<const V*>(src + i + offset[t]);
  }
#pragma GCC unroll 16
  for (int t = 0; t < kTaps; ++t) {
    float lane[kLanes];
    *reinterpret_cast<V*>(lane) = sum[t];
    sums[t] += join_lanes<kLanes>(lane, [](auto x, auto y) { return x + y; });
  }
}
#endif

struct FlatKernel {
  void (*convolve)(const Taps&, const float*, float, float*, int64_t);
  void (*correlate)(const int64_t*, const float*, const float*, int64_t, float*);
  void (*correlate_one)(const int64_t*, const float*, const float*, int64_t, float*);
};

FlatKernel flat_kernel() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) {
    return {&convolve_avx512, &correlate_avx512<kTogether>, &correlate_avx512<1>};
  }
  if (best_isa() == Isa::avx2) return {&convolve_avx2, &correlate_avx2<kTogether>, &correlate_avx2<1>};
#endif
  return {&convolve_baseline, &correlate_baseline<kTogether>, &correlate_baseline<1>};
}

}  // namespace

void convolve(const Taps& taps, const float* src, float bias, float* out, int64_t n) {
  flat_kernel().convolve(taps, src, bias, out, n);
}

void correlate(const int64_t* offset, int64_t count, const float* src, const float* grad, int64_t n,
               float* sums) {
  const FlatKernel kernel = flat_kernel();
  int64_t t = 0;
  for (; t + kTogether <= count; t += kTogether) kernel.correlate(offset + t, src, grad, n, sums + t);
  for (; t < count; ++t) kernel.correlate_one(offset + t, src, grad, n, sums + t);
}

}  // namespace mixgrad::conv_flat
