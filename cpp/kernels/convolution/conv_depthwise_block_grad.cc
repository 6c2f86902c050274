#include "kernels/convolution/conv_depthwise_block_grad.h"

#include <algorithm>
#include <vector>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/convolution/conv_plan.h"
#include "kernels/scratch.h"

namespace mixgrad::conv_depthwise_block_grad {
namespace {

using nn_backend::ConvShape;

constexpr int64_t kBlock = kConvBlock;
constexpr int64_t kBandPixels =
    192;                           // whose products are summed in float; with their image first-level cache
constexpr int64_t kMostTaps = 64;  // of a window
constexpr int64_t kUnits = 32;     // into which the work is cut if it can be; shapes decide, not threads

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// Some rows of gradients and the pixels under one row of the window.
struct Rows {
  const float *data, *grad;
  int64_t rows, cols, data_row, grad_row, pixel_step, tap_step;  // steps in floats
  float* sums;                                                   // taps x 16, written
};

template <int kBytes>
struct SumVector {
  typedef float type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

// sums[tap] of kTaps taps. Two pixels at a time, so that sums need not wait for one another. The three functions differ in
// their target and vector width only; GCC splits wide vectors before it inlines.
template <int kTaps>
MIXGRAD_TARGET_BASELINE_VECTORS void depthwise_sums_baseline(const Rows& r) {
  using V = SumVector<16>::type;
  for (int64_t lane = 0; lane < kBlock; lane += 4) {
    V even[kTaps], odd[kTaps];
#pragma GCC unroll 8
    for (int k = 0; k < kTaps; ++k) even[k] = odd[k] = V{};
    const float* grad = r.grad + lane;
    for (int64_t row = 0; row < r.rows; ++row, grad += r.grad_row) {
      const float* x = r.data + row * r.data_row + lane;
      int64_t i = 0;
      for (; i + 2 <= r.cols; i += 2, x += 2 * r.pixel_step) {
        const V g0 = *reinterpret_cast<const V*>(grad + i * kBlock),
                g1 = *reinterpret_cast<const V*>(grad + (i + 1) * kBlock);
#pragma GCC unroll 8
        for (int k = 0; k < kTaps; ++k) {
          even[k] += g0 * *reinterpret_cast<const V*>(x + k * r.tap_step);
          odd[k] += g1 * *reinterpret_cast<const V*>(x + k * r.tap_step + r.pixel_step);
        }
      }
      if (i == r.cols) continue;
      const V g = *reinterpret_cast<const V*>(grad + i * kBlock);
#pragma GCC unroll 8
      for (int k = 0; k < kTaps; ++k) even[k] += g * *reinterpret_cast<const V*>(x + k * r.tap_step);
    }
#pragma GCC unroll 8
    for (int k = 0; k < kTaps; ++k) *reinterpret_cast<V*>(r.sums + k * kBlock + lane) = even[k] + odd[k];
  }
}
#if MIXGRAD_X86
template <int kTaps>
MIXGRAD_TARGET_AVX2 void depthwise_sums_avx2(const Rows& r) {
  using V = SumVector<32>::type;
  for (int64_t lane = 0; lane < kBlock; lane += 8) {
    V even[kTaps], odd[kTaps];
#pragma GCC unroll 8
    for (int k = 0; k < kTaps; ++k) even[k] = odd[k] = V{};
    const float* grad = r.grad + lane;
    for (int64_t row = 0; row < r.rows; ++row, grad += r.grad_row) {
      const float* x = r.data + row * r.data_row + lane;
      int64_t i = 0;
      for (; i + 2 <= r.cols; i += 2, x += 2 * r.pixel_step) {
        const V g0 = *reinterpret_cast<const V*>(grad + i * kBlock),
                g1 = *reinterpret_cast<const V*>(grad + (i + 1) * kBlock);
#pragma GCC unroll 8
        for (int k = 0; k < kTaps; ++k) {
          even[k] += g0 * *reinterpret_cast<const V*>(x + k * r.tap_step);
          odd[k] += g1 * *reinterpret_cast<const V*>(x + k * r.tap_step + r.pixel_step);
        }
      }
      if (i == r.cols) continue;
      const V g = *reinterpret_cast<const V*>(grad + i * kBlock);
#pragma GCC unroll 8
      for (int k = 0; k < kTaps; ++k) even[k] += g * *reinterpret_cast<const V*>(x + k * r.tap_step);
    }
#pragma GCC unroll 8
    for (int k = 0; k < kTaps; ++k) *reinterpret_cast<V*>(r.sums + k * kBlock + lane) = even[k] + odd[k];
  }
}
template <int kTaps>
MIXGRAD_TARGET_AVX512 void depthwise_sums_avx512(const Rows& r) {
  using V = SumVector<64>::type;
  V even[kTaps], odd[kTaps];
#pragma GCC unroll 8
  for (int k = 0; k < kTaps; ++k) even[k] = odd[k] = V{};
  const float* grad = r.grad;
  for (int64_t row = 0; row < r.rows; ++row, grad += r.grad_row) {
    const float* x = r.data + row * r.data_row;
    int64_t i = 0;
    for (; i + 2 <= r.cols; i += 2, x += 2 * r.pixel_step) {
      const V g0 = *reinterpret_cast<const V*>(grad + i * kBlock),
              g1 = *reinterpret_cast<const V*>(grad + (i + 1) * kBlock);
#pragma GCC unroll 8
      for (int k = 0; k < kTaps; ++k) {
        even[k] += g0 * *reinterpret_cast<const V*>(x + k * r.tap_step);
        odd[k] += g1 * *reinterpret_cast<const V*>(x + k * r.tap_step + r.pixel_step);
      }
    }
    if (i == r.cols) continue;
    const V g = *reinterpret_cast<const V*>(grad + i * kBlock);
#pragma GCC unroll 8
    for (int k = 0; k < kTaps; ++k) even[k] += g * *reinterpret_cast<const V*>(x + k * r.tap_step);
  }
#pragma GCC unroll 8
  for (int k = 0; k < kTaps; ++k) *reinterpret_cast<V*>(r.sums + k * kBlock) = even[k] + odd[k];
}
#endif

// Sums of `count` products each, at pixels `step` floats apart: tap t's gradients lie side by side from grad[t] on.
struct Taps {
  const float *grad[kMostTaps], *weight[kMostTaps];
  int64_t count;
};

MIXGRAD_TARGET_BASELINE_VECTORS void depthwise_taps_baseline(const Taps& t, int64_t pixels, int64_t step,
                                                             float* out) {
  using V = SumVector<16>::type;
  for (int64_t i = 0; i < pixels; ++i, out += step) {
    for (int64_t lane = 0; lane < kBlock; lane += 4) {
      V sum = {};
      for (int64_t k = 0; k < t.count; ++k) {
        sum += *reinterpret_cast<const V*>(t.grad[k] + i * kBlock + lane) *
               *reinterpret_cast<const V*>(t.weight[k] + lane);
      }
      *reinterpret_cast<V*>(out + lane) = sum;
    }
  }
}
#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 void depthwise_taps_avx2(const Taps& t, int64_t pixels, int64_t step, float* out) {
  using V = SumVector<32>::type;
  for (int64_t i = 0; i < pixels; ++i, out += step) {
    V low = {}, high = {};
    for (int64_t k = 0; k < t.count; ++k) {
      const float *grad = t.grad[k] + i * kBlock, *weight = t.weight[k];
      low += *reinterpret_cast<const V*>(grad) * *reinterpret_cast<const V*>(weight);
      high += *reinterpret_cast<const V*>(grad + 8) * *reinterpret_cast<const V*>(weight + 8);
    }
    *reinterpret_cast<V*>(out) = low;
    *reinterpret_cast<V*>(out + 8) = high;
  }
}
MIXGRAD_TARGET_AVX512 void depthwise_taps_avx512(const Taps& t, int64_t pixels, int64_t step, float* out) {
  using V = SumVector<64>::type;
  for (int64_t i = 0; i < pixels; ++i, out += step) {
    V sum = {};
    for (int64_t k = 0; k < t.count; ++k) {
      sum += *reinterpret_cast<const V*>(t.grad[k] + i * kBlock) * *reinterpret_cast<const V*>(t.weight[k]);
    }
    *reinterpret_cast<V*>(out) = sum;
  }
}
#endif

using TapsFn = void (*)(const Taps&, int64_t pixels, int64_t step, float* out);

TapsFn taps_fn() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return &depthwise_taps_avx512;
  if (best_isa() == Isa::avx2) return &depthwise_taps_avx2;
#endif
  return &depthwise_taps_baseline;
}

// Rows of data of one block of one image. Of a row's pixels those that lie equally far into a window's step are reached by
// the same weights, from gradients side by side; near the edges some of these are missing.
class BlockBack {
 public:
  explicit BlockBack(const ConvShape& s) : s_(s), run_(taps_fn()) {}

  // `weight`: taps x 16.
  void row(int64_t row, const float* out_grad, const float* weight, float* data) const {
    const int64_t step = s_.stride[2];
    for (int64_t b = 0; b < step; ++b) {
      const int64_t taps = b < s_.kernel[2] ? over(s_.kernel[2] - b, step) : 0;
      const int64_t end = over(s_.in[2] + s_.pad[2] - b, step);
      int64_t pixels = 0;
      for (int64_t q = std::max<int64_t>(0, over(s_.pad[2] - b, step)); q < end; q += pixels) {
        // Places in the window whose gradient there is for pixel q; the same for more pixels where none is missing.
        const int64_t first = std::max<int64_t>(0, q - s_.out[2] + 1), last = std::min(taps, q + 1);
        const bool whole = first == 0 && last == taps;
        pixels = taps == 0 ? end - q : whole ? std::min(end, s_.out[2]) - q : 1;
        sum({row, q, b, first, last}, out_grad, weight, pixels, data + (q * step + b - s_.pad[2]) * kBlock);
      }
    }
  }

 private:
  // A pixel: its row, its step, how far into that, and the places [first, last) of the window's rows that reach it.
  struct Place {
    int64_t row, q, into, first, last;
  };
  void sum(const Place& p, const float* out_grad, const float* weight, int64_t pixels, float* to) const {
    Taps t;
    t.count = 0;
    const int64_t row = p.row + s_.pad[1];
    for (int64_t kh = row % s_.stride[1]; kh < s_.kernel[1] && kh <= row; kh += s_.stride[1]) {
      const int64_t from = (row - kh) / s_.stride[1];
      if (from >= s_.out[1]) continue;
      for (int64_t k = p.first; k < p.last; ++k) {
        t.grad[t.count] = out_grad + (from * s_.out[2] + p.q - k) * kBlock;
        t.weight[t.count++] = weight + (kh * s_.kernel[2] + p.into + k * s_.stride[2]) * kBlock;
      }
    }
    run_(t, pixels, s_.stride[2] * kBlock, to);
  }

  const ConvShape& s_;
  const TapsFn run_;
};

using RowsFn = void (*)(const Rows&);

template <int kTaps>
RowsFn rows_fn() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return &depthwise_sums_avx512<kTaps>;
  if (best_isa() == Isa::avx2) return &depthwise_sums_avx2<kTaps>;
#endif
  return &depthwise_sums_baseline<kTaps>;
}

// Any number of taps, some at a time.
void sum_rows(Rows r, int64_t taps) {
  const RowsFn three = rows_fn<3>(), one = rows_fn<1>();
  while (taps > 0) {
    const int64_t now = taps >= 3 ? 3 : 1;
    (now == 3 ? three : one)(r);
    taps -= now;
    r.data += now * r.tap_step, r.sums += now * kBlock;
  }
}

// Bands of gradients of a block of channels, for every row of the window over what it sees of the image. Columns that see
// the image's edges are summed apart. Sums of bands are joined in double, those of parts of the batch in order.
class BlockGrad {
 public:
  explicit BlockGrad(const ConvShape& s) : s_(s), blocks_(s.channels / kBlock) {
    band_ = std::max<int64_t>(1, kBandPixels / s.out[2]);
    parts_ = std::clamp<int64_t>(kUnits / blocks_, 1, s.batch);
    const int64_t behind = s.in[2] - 1 + s.pad[2] - (s.kernel[2] - 1);
    inner_begin_ = std::min(s.out[2], over(s.pad[2], s.stride[2]));
    inner_end_ = behind < 0 ? 0 : std::min(s.out[2], behind / s.stride[2] + 1);
    inner_end_ = std::max(inner_begin_, inner_end_);
  }

  void run(const float* data, const float* out_grad, float* weight_grad) const {
    const int64_t taps = s_.kernel_size(), items = taps * kBlock;
    std::vector<double> parts(static_cast<size_t>(blocks_ * parts_ * items), 0.0);
    parallel_for(blocks_ * parts_, 1, [&](int64_t begin, int64_t end) {
      const Scratch sums = Scratch::of<float>(items);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t part = i % parts_;
        for (int64_t n = s_.batch * part / parts_; n < s_.batch * (part + 1) / parts_; ++n) {
          add_image(data + (n * blocks_ + i / parts_) * s_.in_size() * kBlock,
                    out_grad + (n * blocks_ + i / parts_) * s_.out_size() * kBlock, sums.as<float>(),
                    parts.data() + i * items);
        }
      }
    });
    for (int64_t c = 0; c < s_.channels; ++c) {
      for (int64_t t = 0; t < taps; ++t) {
        double sum = 0;
        for (int64_t part = 0; part < parts_; ++part) {
          const int64_t unit = c / kBlock * parts_ + part;
          sum += parts[static_cast<size_t>(unit * items + t * kBlock + c % kBlock)];
        }
        weight_grad[c * taps + t] = static_cast<float>(sum);
      }
    }
  }

 private:
  void add_image(const float* data, const float* out_grad, float* sums, double* total) const {
    const int64_t taps = s_.kernel[2];
    Rows r;
    r.cols = inner_end_ - inner_begin_;
    r.data_row = s_.stride[1] * s_.in[2] * kBlock, r.grad_row = s_.out[2] * kBlock;
    r.pixel_step = s_.stride[2] * kBlock, r.tap_step = kBlock;
    r.sums = sums;
    for (int64_t band = 0; band < s_.out[1]; band += band_) {
      for (int64_t kh = 0; kh < s_.kernel[1]; ++kh) {
        // Rows whose window row lies in the image.
        const int64_t above = s_.pad[1] - kh, below = s_.in[1] - 1 + above;
        const int64_t first = std::max(band, above > 0 ? over(above, s_.stride[1]) : 0);
        const int64_t last = std::min({band + band_, s_.out[1], below < 0 ? 0 : below / s_.stride[1] + 1});
        if (first >= last) continue;
        const float* image = data + (first * s_.stride[1] - above) * s_.in[2] * kBlock;
        r.rows = last - first;
        r.grad = out_grad + (first * s_.out[2] + inner_begin_) * kBlock;
        r.data = image + (inner_begin_ * s_.stride[2] - s_.pad[2]) * kBlock;
        sum_rows(r, taps);
        for (int64_t row = 0; row < r.rows; ++row) {
          const float *under = image + row * r.data_row, *grad = out_grad + (first + row) * r.grad_row;
          for (int64_t i = 0; i < inner_begin_; ++i) add_edge(under, grad, i, sums);
          for (int64_t i = inner_end_; i < s_.out[2]; ++i) add_edge(under, grad, i, sums);
        }
        for (int64_t i = 0; i < taps * kBlock; ++i)
          total[kh * taps * kBlock + i] += static_cast<double>(sums[i]);
      }
    }
  }

  // Pixel i of a row of gradients with the image under it, as far as that goes.
  void add_edge(const float* image, const float* grad, int64_t i, float* sums) const {
    for (int64_t k = 0; k < s_.kernel[2]; ++k) {
      const int64_t col = i * s_.stride[2] + k - s_.pad[2];
      if (col < 0 || col >= s_.in[2]) continue;
      for (int64_t lane = 0; lane < kBlock; ++lane)
        sums[k * kBlock + lane] += image[col * kBlock + lane] * grad[i * kBlock + lane];
    }
  }

  const ConvShape& s_;
  int64_t blocks_, band_, parts_;
  int64_t inner_begin_, inner_end_;  // columns that see no edge of the image
};

}  // namespace

bool serves(const ConvShape& s) {
  return s.data_blocked && s.out_blocked && s.groups == s.channels && s.groups == s.filters && s.in[0] == 1 &&
         s.kernel[0] == 1 && s.pad[0] == 0 && s.dilate[1] == 1 && s.dilate[2] == 1 &&
         s.kernel_size() <= kMostTaps && s.out_items() > 0 && s.data_items() > 0;
}

void data_grad(const ConvShape& s, const float* out_grad, const float* weight, float* data_grad) {
  const int64_t blocks = s.channels / kBlock, taps = s.kernel_size();
  const Scratch laid = Scratch::of<float>(s.channels * taps);
  float* weights = laid.as<float>();
  for (int64_t i = 0; i < s.channels * taps; ++i)
    weights[(i / taps / kBlock * taps + i % taps) * kBlock + i / taps % kBlock] = weight[i];
  const BlockBack back(s);
  const int64_t row_items = s.in[2] * kBlock;
  parallel_for(s.batch * blocks * s.in[1], loop_grain(16384, {row_items}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / s.in[1];
      back.row(i % s.in[1], out_grad + plane * s.out_size() * kBlock,
               weights + plane % blocks * taps * kBlock, data_grad + i * row_items);
    }
  });
}

void weight_grad(const ConvShape& s, const float* data, const float* out_grad, float* weight_grad) {
  BlockGrad(s).run(data, out_grad, weight_grad);
}

}  // namespace mixgrad::conv_depthwise_block_grad
