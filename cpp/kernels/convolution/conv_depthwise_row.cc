#include "kernels/convolution/conv_depthwise_row.h"

#include <algorithm>

#include "base/cpu.h"

// Written out for each instruction set, because GCC splits wide vectors before it inlines.

namespace mixgrad::conv_depthwise_row {
namespace {

template <int kBytes>
struct PixelVector {
  typedef float type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

// Taps [first, last) of each window row, `kPixels` outputs from `at` on.
template <int kPixels>
MIXGRAD_TARGET_BASELINE_VECTORS void depthwise_some_baseline(const Window& w, int64_t at, int64_t first,
                                                             int64_t last, int64_t lane, float* out) {
  using V = PixelVector<16>::type;
  V sum[kPixels];
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) sum[i] = start;
  for (int64_t row = 0; row < w.rows; ++row) {
    const float* in = w.in[row] + at * w.pixel_step + first * w.tap_step + lane;
    const float* weight = w.weight[row] + lane;
    for (int64_t k = first; k < last; ++k) {
      const V x = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
      for (int i = 0; i < kPixels; ++i) sum[i] += x * *reinterpret_cast<const V*>(in + i * w.pixel_step);
      in += w.tap_step;
    }
  }
  const V low = w.low - V{}, high = w.high - V{};
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) {
    if (w.clamp) {
      sum[i] = low > sum[i] ? low : sum[i];
      sum[i] = high < sum[i] ? high : sum[i];
    }
    *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
}
// The same for all kCols taps. With kShared a step from output to output is one from tap to tap, so that an input is
// read once for several taps.
template <int kPixels, int kCols, bool kShared>
MIXGRAD_TARGET_BASELINE_VECTORS void depthwise_block_baseline(const Window& w, int64_t at, int64_t lane,
                                                              float* out) {
  using V = PixelVector<16>::type;
  constexpr int kInputs = kShared ? kPixels + kCols - 1 : 1;
  const int64_t step = w.pixel_step, tap = kShared ? step : w.tap_step;
  V sum[kPixels];
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) sum[i] = start;
  for (int64_t row = 0; row < w.rows; ++row) {
    const float *in = w.in[row] + at * step + lane, *weight = w.weight[row] + lane;
    V x[kInputs];
    if constexpr (kShared) {
#pragma GCC unroll 12
      for (int i = 0; i < kInputs; ++i) x[i] = *reinterpret_cast<const V*>(in + i * step);
    }
#pragma GCC unroll 5
    for (int k = 0; k < kCols; ++k) {
      const V factor = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
      for (int i = 0; i < kPixels; ++i) {
        if constexpr (kShared)
          sum[i] += factor * x[i + k];
        else
          sum[i] += factor * *reinterpret_cast<const V*>(in + i * step + k * tap);
      }
    }
  }
  const V low = w.low - V{}, high = w.high - V{};
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) {
    if (w.clamp) {
      sum[i] = low > sum[i] ? low : sum[i];
      sum[i] = high < sum[i] ? high : sum[i];
    }
    *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
}
template <int kCols, bool kShared>
MIXGRAD_TARGET_BASELINE_VECTORS void depthwise_row_baseline(const Window& w, float* out) {
  constexpr int kWide = kBaselineRows;
  for (int64_t lane = 0; lane < 16; lane += 4) {
    for (int64_t at = 0; at < w.inner_begin; ++at) {
      depthwise_some_baseline<1>(w, at, w.first_tap[at], w.last_tap[at], lane, out);
    }
    int64_t at = w.inner_begin;
    const int64_t end = w.inner_end;
    if constexpr (kCols > 0) {
      for (; at + kWide <= end; at += kWide)
        depthwise_block_baseline<kWide, kCols, kShared>(w, at, lane, out);
      // The last outputs again, together with those before them.
      if (at < end && end - w.inner_begin >= 4) {
        for (; at < end; at += 4) {
          depthwise_block_baseline<4, kCols, kShared>(w, at + 4 <= end ? at : end - 4, lane, out);
        }
      }
    } else {
      for (; at + 8 <= end; at += 8) depthwise_some_baseline<8>(w, at, 0, w.cols, lane, out);
    }
    for (; at < end; ++at) depthwise_some_baseline<1>(w, at, 0, w.cols, lane, out);
    for (at = end; at < w.pixels; ++at) {
      depthwise_some_baseline<1>(w, at, w.first_tap[at], w.last_tap[at], lane, out);
    }
  }
}
#if MIXGRAD_X86
// Taps [first, last) of each window row, `kPixels` outputs from `at` on.
template <int kPixels>
MIXGRAD_TARGET_AVX2 void depthwise_some_avx2(const Window& w, int64_t at, int64_t first, int64_t last,
                                             int64_t lane, float* out) {
  using V = PixelVector<32>::type;
  V sum[kPixels];
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) sum[i] = start;
  for (int64_t row = 0; row < w.rows; ++row) {
    const float* in = w.in[row] + at * w.pixel_step + first * w.tap_step + lane;
    const float* weight = w.weight[row] + lane;
    for (int64_t k = first; k < last; ++k) {
      const V x = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
      for (int i = 0; i < kPixels; ++i) sum[i] += x * *reinterpret_cast<const V*>(in + i * w.pixel_step);
      in += w.tap_step;
    }
  }
  const V low = w.low - V{}, high = w.high - V{};
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) {
    if (w.clamp) {
      sum[i] = low > sum[i] ? low : sum[i];
      sum[i] = high < sum[i] ? high : sum[i];
    }
    *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
}
// The same for all kCols taps. With kShared a step from output to output is one from tap to tap, so that an input is
// read once for several taps.
template <int kPixels, int kCols, bool kShared>
MIXGRAD_TARGET_AVX2 void depthwise_block_avx2(const Window& w, int64_t at, int64_t lane, float* out) {
  using V = PixelVector<32>::type;
  constexpr int kInputs = kShared ? kPixels + kCols - 1 : 1;
  const int64_t step = w.pixel_step, tap = kShared ? step : w.tap_step;
  V sum[kPixels];
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) sum[i] = start;
  for (int64_t row = 0; row < w.rows; ++row) {
    const float *in = w.in[row] + at * step + lane, *weight = w.weight[row] + lane;
    V x[kInputs];
    if constexpr (kShared) {
#pragma GCC unroll 12
      for (int i = 0; i < kInputs; ++i) x[i] = *reinterpret_cast<const V*>(in + i * step);
    }
#pragma GCC unroll 5
    for (int k = 0; k < kCols; ++k) {
      const V factor = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
      for (int i = 0; i < kPixels; ++i) {
        if constexpr (kShared)
          sum[i] += factor * x[i + k];
        else
          sum[i] += factor * *reinterpret_cast<const V*>(in + i * step + k * tap);
      }
    }
  }
  const V low = w.low - V{}, high = w.high - V{};
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) {
    if (w.clamp) {
      sum[i] = low > sum[i] ? low : sum[i];
      sum[i] = high < sum[i] ? high : sum[i];
    }
    *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
}
template <int kCols, bool kShared>
MIXGRAD_TARGET_AVX2 void depthwise_row_avx2(const Window& w, float* out) {
  constexpr int kWide = 4;
  for (int64_t lane = 0; lane < 16; lane += 8) {
    for (int64_t at = 0; at < w.inner_begin; ++at) {
      depthwise_some_avx2<1>(w, at, w.first_tap[at], w.last_tap[at], lane, out);
    }
    int64_t at = w.inner_begin;
    const int64_t end = w.inner_end;
    if constexpr (kCols > 0) {
      for (; at + kWide <= end; at += kWide) depthwise_block_avx2<kWide, kCols, kShared>(w, at, lane, out);
      // The last outputs again, together with those before them.
      if (at < end && end - w.inner_begin >= 4) {
        for (; at < end; at += 4) {
          depthwise_block_avx2<4, kCols, kShared>(w, at + 4 <= end ? at : end - 4, lane, out);
        }
      }
    } else {
      for (; at + 8 <= end; at += 8) depthwise_some_avx2<8>(w, at, 0, w.cols, lane, out);
    }
    for (; at < end; ++at) depthwise_some_avx2<1>(w, at, 0, w.cols, lane, out);
    for (at = end; at < w.pixels; ++at) {
      depthwise_some_avx2<1>(w, at, w.first_tap[at], w.last_tap[at], lane, out);
    }
  }
}
// Taps [first, last) of each window row, `kPixels` outputs from `at` on.
template <int kPixels>
MIXGRAD_TARGET_AVX512 void depthwise_some_avx512(const Window& w, int64_t at, int64_t first, int64_t last,
                                                 int64_t lane, float* out) {
  using V = PixelVector<64>::type;
  V sum[kPixels];
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) sum[i] = start;
  for (int64_t row = 0; row < w.rows; ++row) {
    const float* in = w.in[row] + at * w.pixel_step + first * w.tap_step + lane;
    const float* weight = w.weight[row] + lane;
    for (int64_t k = first; k < last; ++k) {
      const V x = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
      for (int i = 0; i < kPixels; ++i) sum[i] += x * *reinterpret_cast<const V*>(in + i * w.pixel_step);
      in += w.tap_step;
    }
  }
  const V low = w.low - V{}, high = w.high - V{};
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) {
    if (w.clamp) {
      sum[i] = low > sum[i] ? low : sum[i];
      sum[i] = high < sum[i] ? high : sum[i];
    }
    *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
}
// The same for all kCols taps. With kShared a step from output to output is one from tap to tap, so that an input is
// read once for several taps.
template <int kPixels, int kCols, bool kShared>
MIXGRAD_TARGET_AVX512 void depthwise_block_avx512(const Window& w, int64_t at, int64_t lane, float* out) {
  using V = PixelVector<64>::type;
  constexpr int kInputs = kShared ? kPixels + kCols - 1 : 1;
  const int64_t step = w.pixel_step, tap = kShared ? step : w.tap_step;
  V sum[kPixels];
  const V start = *reinterpret_cast<const V*>(w.bias + lane);
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) sum[i] = start;
  for (int64_t row = 0; row < w.rows; ++row) {
    const float *in = w.in[row] + at * step + lane, *weight = w.weight[row] + lane;
    V x[kInputs];
    if constexpr (kShared) {
#pragma GCC unroll 12
      for (int i = 0; i < kInputs; ++i) x[i] = *reinterpret_cast<const V*>(in + i * step);
    }
#pragma GCC unroll 5
    for (int k = 0; k < kCols; ++k) {
      const V factor = *reinterpret_cast<const V*>(weight + k * 16);
#pragma GCC unroll 8
      for (int i = 0; i < kPixels; ++i) {
        if constexpr (kShared)
          sum[i] += factor * x[i + k];
        else
          sum[i] += factor * *reinterpret_cast<const V*>(in + i * step + k * tap);
      }
    }
  }
  const V low = w.low - V{}, high = w.high - V{};
#pragma GCC unroll 8
  for (int i = 0; i < kPixels; ++i) {
    if (w.clamp) {
      sum[i] = low > sum[i] ? low : sum[i];
      sum[i] = high < sum[i] ? high : sum[i];
    }
    *reinterpret_cast<V*>(out + (at + i) * 16 + lane) = sum[i];
  }
}
template <int kCols, bool kShared>
MIXGRAD_TARGET_AVX512 void depthwise_row_avx512(const Window& w, float* out) {
  constexpr int kWide = 8;
  for (int64_t lane = 0; lane < 16; lane += 16) {
    for (int64_t at = 0; at < w.inner_begin; ++at) {
      depthwise_some_avx512<1>(w, at, w.first_tap[at], w.last_tap[at], lane, out);
    }
    int64_t at = w.inner_begin;
    const int64_t end = w.inner_end;
    if constexpr (kCols > 0) {
      for (; at + kWide <= end; at += kWide) depthwise_block_avx512<kWide, kCols, kShared>(w, at, lane, out);
      // The last outputs again, together with those before them.
      if (at < end && end - w.inner_begin >= 4) {
        for (; at < end; at += 4) {
          depthwise_block_avx512<4, kCols, kShared>(w, at + 4 <= end ? at : end - 4, lane, out);
        }
      }
    } else {
      for (; at + 8 <= end; at += 8) depthwise_some_avx512<8>(w, at, 0, w.cols, lane, out);
    }
    for (; at < end; ++at) depthwise_some_avx512<1>(w, at, 0, w.cols, lane, out);
    for (at = end; at < w.pixels; ++at) {
      depthwise_some_avx512<1>(w, at, w.first_tap[at], w.last_tap[at], lane, out);
    }
  }
}
#endif

// By whether inputs are shared, and by columns: any, 3, 5.
struct RowTable {
  void (*run[2][3])(const Window&, float*);
};

// Machines without AVX2, which are few among x86, have one loop for all numbers of columns in compact builds.
constexpr bool kOwn = kBaselineVectors;
constexpr bool kFiveShares = !kCompact;  // a loop of its own for inputs shared by five columns
constexpr int kThree = kOwn ? 3 : 0, kFive = kOwn ? 5 : 0;

const RowTable& row_table() {
  static const RowTable baseline = {
      {{&depthwise_row_baseline<0, false>, &depthwise_row_baseline<kThree, false>,
        &depthwise_row_baseline<kFive, false>},
       {&depthwise_row_baseline<0, false>, &depthwise_row_baseline<kThree, kOwn>,
        &depthwise_row_baseline<kFive, kOwn>}}};
#if MIXGRAD_X86
  static const RowTable avx2 = {
      {{&depthwise_row_avx2<0, false>, &depthwise_row_avx2<3, false>, &depthwise_row_avx2<5, false>},
       {&depthwise_row_avx2<0, false>, &depthwise_row_avx2<3, true>, &depthwise_row_avx2<5, kFiveShares>}}};
  static const RowTable avx512 = {
      {{&depthwise_row_avx512<0, false>, &depthwise_row_avx512<3, false>, &depthwise_row_avx512<5, false>},
       {&depthwise_row_avx512<0, false>, &depthwise_row_avx512<3, true>,
        &depthwise_row_avx512<5, kFiveShares>}}};
  if (best_isa() == Isa::avx512) return avx512;
  if (best_isa() == Isa::avx2) return avx2;
#endif
  return baseline;
}

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

}  // namespace

Edges::Edges(const nn_backend::ConvShape& s) {
  const int64_t cols = s.kernel[2], width = s.out[2];
  const int64_t span = s.in[2] + s.pad[2] - ((cols - 1) * s.dilate[2] + 1);
  inner_begin = std::min(over(s.pad[2], s.stride[2]), width);
  inner_end = std::max(inner_begin, std::min(width, span < 0 ? 0 : span / s.stride[2] + 1));
  for (int64_t i = 0; i < width; ++i) {
    const int64_t at = i * s.stride[2] - s.pad[2], first = at < 0 ? over(-at, s.dilate[2]) : 0;
    const int64_t last = s.in[2] > at ? over(s.in[2] - at, s.dilate[2]) : 0;
    first_tap.push_back(std::min(first, cols));
    last_tap.push_back(std::max(first_tap.back(), std::min(last, cols)));
  }
}

void run(const Window& window, float* out) {
  const int cols = window.cols == 3 ? 1 : window.cols == 5 ? 2 : 0;
  row_table().run[window.pixel_step == window.tap_step][cols](window, out);
}

}  // namespace mixgrad::conv_depthwise_row
