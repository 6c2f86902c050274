#include "kernels/convolution/conv_grad_tile.h"

#include "base/cpu.h"

// The two functions differ in their target, vector width and rows only; GCC splits wide vectors before it inlines, so a
// shared inline body would be compiled for the baseline. With so little work in a pixel, what counts is how few instructions
// there are beside the products.

namespace mixgrad::conv_grad_tile {
#if MIXGRAD_X86
namespace {

template <int kBytes>
struct GradVector {
  typedef float type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

MIXGRAD_TARGET_AVX2 void grad_tile_avx2(const Tile& t) {
  using V = GradVector<32>::type;
  constexpr int kRows = 4, kLanes = 8;
  V sum[kRows][2];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) sum[i][0] = sum[i][1] = V{};
  const float* b = t.b;
  for (int64_t s = 0; s < t.segments; ++s) {
    const float* a = t.a + t.offset[s];
#pragma GCC unroll 4
    for (int64_t p = 0; p < t.count; ++p) {
      const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        const float x = a[i];
        sum[i][0] += x * b0;
        sum[i][1] += x * b1;
      }
      a += t.step;
      b += 2 * kLanes;
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    V* c = reinterpret_cast<V*>(t.c + i * 2 * kLanes);
    V* d = reinterpret_cast<V*>(t.c + i * 2 * kLanes + kLanes);
    *c = t.add ? *c + sum[i][0] : sum[i][0];
    *d = t.add ? *d + sum[i][1] : sum[i][1];
  }
}

MIXGRAD_TARGET_AVX512 void grad_tile_avx512(const Tile& t) {
  using V = GradVector<64>::type;
  constexpr int kRows = 8, kLanes = 16;
  V sum[kRows][2];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) sum[i][0] = sum[i][1] = V{};
  const float* b = t.b;
  for (int64_t s = 0; s < t.segments; ++s) {
    const float* a = t.a + t.offset[s];
#pragma GCC unroll 4
    for (int64_t p = 0; p < t.count; ++p) {
      const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        const float x = a[i];
        sum[i][0] += x * b0;
        sum[i][1] += x * b1;
      }
      a += t.step;
      b += 2 * kLanes;
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    V* c = reinterpret_cast<V*>(t.c + i * 2 * kLanes);
    V* d = reinterpret_cast<V*>(t.c + i * 2 * kLanes + kLanes);
    *c = t.add ? *c + sum[i][0] : sum[i][0];
    *d = t.add ? *d + sum[i][1] : sum[i][1];
  }
}

}  // namespace
#endif

Kernel kernel() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return {8, 32, &grad_tile_avx512};
  if (best_isa() == Isa::avx2) return {4, 16, &grad_tile_avx2};
#endif
  return {};
}

}  // namespace mixgrad::conv_grad_tile
