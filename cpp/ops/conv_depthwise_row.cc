#include "ops/conv_depthwise_row.h"

#include "base/cpu.h"

// Written out for each instruction set, because GCC splits wide vectors before it inlines.

namespace mixgrad::ops::conv_depthwise_row {
namespace {

template <int kBytes>
struct PixelVector {
  typedef float type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

// kCols: columns of the window, or 0 where they are not known ahead.
template <int kPixels, int kCols>
int64_t depthwise_pixels_baseline(const Window& w, int64_t at, int64_t end, int64_t lane, float* out) {
  using V = PixelVector<16>::type;
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
  const int64_t step = w.pixel_step, tap = w.tap_step, rows = w.rows, cols = kCols ? kCols : w.cols;
  for (; at + kPixels <= end; at += kPixels) {
    V sum[kPixels];
#pragma GCC unroll 8
    for (int i = 0; i < kPixels; ++i) sum[i] = start;
    for (int64_t row = 0; row < rows; ++row) {
      const float *in = w.in[row] + at * step + lane, *weight = w.weight[row] + lane;
#pragma GCC unroll 5
      for (int64_t k = 0; k < cols; ++k) {
        const V x = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
        for (int i = 0; i < kPixels; ++i) sum[i] += x * *reinterpret_cast<const V*>(in + i * step);
        in += tap;
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kPixels; ++i) *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
  return at;
}
template <int kCols>
void depthwise_row_baseline(const Window& w, int64_t pixels, float* out) {
  for (int64_t lane = 0; lane < 16; lane += 4) {
    int64_t at = depthwise_pixels_baseline<8, kCols>(w, 0, pixels, lane, out);
    at = depthwise_pixels_baseline<4, kCols>(w, at, pixels, lane, out);
    depthwise_pixels_baseline<1, kCols>(w, at, pixels, lane, out);
  }
}
#if MIXGRAD_X86
// kCols: columns of the window, or 0 where they are not known ahead.
template <int kPixels, int kCols>
MIXGRAD_TARGET_AVX2 int64_t depthwise_pixels_avx2(const Window& w, int64_t at, int64_t end, int64_t lane,
                                                  float* out) {
  using V = PixelVector<32>::type;
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
  const int64_t step = w.pixel_step, tap = w.tap_step, rows = w.rows, cols = kCols ? kCols : w.cols;
  for (; at + kPixels <= end; at += kPixels) {
    V sum[kPixels];
#pragma GCC unroll 8
    for (int i = 0; i < kPixels; ++i) sum[i] = start;
    for (int64_t row = 0; row < rows; ++row) {
      const float *in = w.in[row] + at * step + lane, *weight = w.weight[row] + lane;
#pragma GCC unroll 5
      for (int64_t k = 0; k < cols; ++k) {
        const V x = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
        for (int i = 0; i < kPixels; ++i) sum[i] += x * *reinterpret_cast<const V*>(in + i * step);
        in += tap;
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kPixels; ++i) *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
  return at;
}
template <int kCols>
MIXGRAD_TARGET_AVX2 void depthwise_row_avx2(const Window& w, int64_t pixels, float* out) {
  for (int64_t lane = 0; lane < 16; lane += 8) {
    int64_t at = depthwise_pixels_avx2<8, kCols>(w, 0, pixels, lane, out);
    at = depthwise_pixels_avx2<4, kCols>(w, at, pixels, lane, out);
    depthwise_pixels_avx2<1, kCols>(w, at, pixels, lane, out);
  }
}
// kCols: columns of the window, or 0 where they are not known ahead.
template <int kPixels, int kCols>
MIXGRAD_TARGET_AVX512 int64_t depthwise_pixels_avx512(const Window& w, int64_t at, int64_t end, int64_t lane,
                                                      float* out) {
  using V = PixelVector<64>::type;
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
  const int64_t step = w.pixel_step, tap = w.tap_step, rows = w.rows, cols = kCols ? kCols : w.cols;
  for (; at + kPixels <= end; at += kPixels) {
    V sum[kPixels];
#pragma GCC unroll 8
    for (int i = 0; i < kPixels; ++i) sum[i] = start;
    for (int64_t row = 0; row < rows; ++row) {
      const float *in = w.in[row] + at * step + lane, *weight = w.weight[row] + lane;
#pragma GCC unroll 5
      for (int64_t k = 0; k < cols; ++k) {
        const V x = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
        for (int i = 0; i < kPixels; ++i) sum[i] += x * *reinterpret_cast<const V*>(in + i * step);
        in += tap;
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kPixels; ++i) *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
  return at;
}
template <int kCols>
MIXGRAD_TARGET_AVX512 void depthwise_row_avx512(const Window& w, int64_t pixels, float* out) {
  for (int64_t lane = 0; lane < 16; lane += 16) {
    int64_t at = depthwise_pixels_avx512<8, kCols>(w, 0, pixels, lane, out);
    at = depthwise_pixels_avx512<4, kCols>(w, at, pixels, lane, out);
    depthwise_pixels_avx512<1, kCols>(w, at, pixels, lane, out);
  }
}
#endif

using RowFn = void (*)(const Window&, int64_t, float*);

RowFn pick_row(const Window& w) {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512)
    return w.cols == 3   ? depthwise_row_avx512<3>
           : w.cols == 5 ? depthwise_row_avx512<5>
                         : depthwise_row_avx512<0>;
  if (best_isa() == Isa::avx2)
    return w.cols == 3 ? depthwise_row_avx2<3> : w.cols == 5 ? depthwise_row_avx2<5> : depthwise_row_avx2<0>;
#endif
  return w.cols == 3   ? depthwise_row_baseline<3>
         : w.cols == 5 ? depthwise_row_baseline<5>
                       : depthwise_row_baseline<0>;
}

}  // namespace

void run(const Window& window, int64_t pixels, float* out) { pick_row(window)(window, pixels, out); }

}  // namespace mixgrad::ops::conv_depthwise_row
