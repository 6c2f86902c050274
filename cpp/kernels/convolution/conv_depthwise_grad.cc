#include "kernels/convolution/conv_depthwise_grad.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/convolution/conv_flat.h"
#include "kernels/scratch.h"

// Phase (a, b) of a channel holds its elements (row * stride + a, col * stride + b), counted in the padded image. The
// input under a weight then lies at a fixed distance from the output's place in one of the phases. All rows are
// laid end to end with one pitch, so that a channel's convolution is a sum of shifted runs, whatever its width; the
// places at the end of a row where no output belongs are computed along and left out. Rows are taken in bands that
// stay in the first-level cache.

namespace mixgrad::conv_depthwise_grad {
namespace {

using conv_flat::kSlack;
using nn_backend::ConvShape;

constexpr int64_t kBandFloats = 8192;  // of phases and output together
constexpr int64_t kGrain = 100000;     // products for which another thread pays

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// One axis of the window.
struct Axis {
  int64_t in, out, kernel, stride, dilate, pad;
  int64_t phases, reach;  // phases that some weight reads; places a weight lies ahead of its output at most

  Axis(const ConvShape& s, int axis)
      : in(s.in[axis]),
        out(s.out[axis]),
        kernel(s.kernel[axis]),
        stride(s.stride[axis]),
        dilate(s.dilate[axis]),
        pad(s.pad[axis]),
        phases(0),
        reach((kernel - 1) * dilate / stride) {
    for (int64_t k = 0; k < kernel; ++k) phases = std::max(phases, phase(k) + 1);
  }
  int64_t phase(int64_t k) const { return k * dilate % stride; }
  int64_t place(int64_t k) const { return k * dilate / stride; }
};

// to[i] = from[i * step].
MIXGRAD_INLINE void pick_body(const float* __restrict from, int64_t step, float* __restrict to, int64_t n) {
  if (step == 2) {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) to[i] = from[2 * i];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = from[step * i];
  }
}
// to[i * step] = from[i].
MIXGRAD_INLINE void spread_body(const float* __restrict from, float* __restrict to, int64_t step, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[step * i] = from[i];
}
// to[2 i] = even[i], to[2 i + 1] = odd[i].
MIXGRAD_INLINE void braid_body(const float* __restrict even, const float* __restrict odd,
                               float* __restrict to, int64_t n) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) to[2 * i] = even[i], to[2 * i + 1] = odd[i];
}

MIXGRAD_TARGET_BASELINE void pick_baseline(const float* from, int64_t step, float* to, int64_t n) {
  pick_body(from, step, to, n);
}
#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 void pick_avx2(const float* from, int64_t step, float* to, int64_t n) {
  pick_body(from, step, to, n);
}
MIXGRAD_TARGET_AVX512 void pick_avx512(const float* from, int64_t step, float* to, int64_t n) {
  pick_body(from, step, to, n);
}
#endif

void pick(const float* from, int64_t step, float* to, int64_t n) {
  if (n <= 0) return;
  if (step == 1) {
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(float));
    return;
  }
#if MIXGRAD_X86
  if (loop_isa<float>() == Isa::avx512) return pick_avx512(from, step, to, n);
  if (loop_isa<float>() == Isa::avx2) return pick_avx2(from, step, to, n);
#endif
  pick_baseline(from, step, to, n);
}

void zero(float* at, int64_t n) {
  if (n > 0) std::memset(at, 0, static_cast<size_t>(n) * sizeof(float));
}

// How a convolution is laid out, for every channel alike.
class Layout {
 public:
  explicit Layout(const ConvShape& s) : rows_(s, 1), cols_(s, 2), pitch_(cols_.out + cols_.reach) {
    const int64_t per_row = (rows_.phases * cols_.phases + 1) * pitch_;
    const int64_t most = std::max<int64_t>(1, kBandFloats / per_row - rows_.reach);
    band_ = over(rows_.out, over(rows_.out, most));
    for (int64_t kh = 0; kh < rows_.kernel; ++kh) {
      for (int64_t kw = 0; kw < cols_.kernel; ++kw) {
        const int64_t phase = rows_.phase(kh) * cols_.phases + cols_.phase(kw);
        offset_.push_back(phase * phase_items() + rows_.place(kh) * pitch_ + cols_.place(kw));
      }
    }
  }

  const Axis& rows() const { return rows_; }
  const Axis& cols() const { return cols_; }
  int64_t pitch() const { return pitch_; }
  int64_t band() const { return band_; }
  const std::vector<int64_t>& offset() const { return offset_; }
  int64_t slack() const { return cols_.reach + kSlack; }
  int64_t phase_items() const { return (band_ + rows_.reach) * pitch_ + slack(); }
  int64_t input_items() const { return rows_.phases * cols_.phases * phase_items(); }
  int64_t output_items() const { return band_ * pitch_ + kSlack; }

  // The phases of the input under output rows [row, row + count).
  void cut(const float* image, int64_t row, int64_t count, float* phases) const {
    for (int64_t a = 0; a < rows_.phases; ++a) {
      for (int64_t b = 0; b < cols_.phases; ++b) {
        float* to = phases + (a * cols_.phases + b) * phase_items();
        const int64_t first_col = b - cols_.pad;
        const int64_t begin = std::min(pitch_, first_col < 0 ? over(-first_col, cols_.stride) : 0);
        const int64_t end = std::max(begin, std::min(pitch_, over(cols_.in - first_col, cols_.stride)));
        for (int64_t r = 0; r < count + rows_.reach; ++r, to += pitch_) {
          const int64_t at = (row + r) * rows_.stride + a - rows_.pad;
          if (at < 0 || at >= rows_.in) {
            zero(to, pitch_);
            continue;
          }
          zero(to, begin);
          pick(image + at * cols_.in + begin * cols_.stride + first_col, cols_.stride, to + begin,
               end - begin);
          zero(to + end, pitch_ - end);
        }
        zero(to, slack());
      }
    }
  }

 private:
  Axis rows_, cols_;
  int64_t pitch_, band_;
  std::vector<int64_t> offset_;
};

// `plane(unit, workspace)` for every channel of every image, with workspace of its thread's own.
template <class F>
void for_planes(int64_t planes, int64_t products, int64_t workspace_items, const F& plane) {
  parallel_for(planes, loop_grain(kGrain, {products}), [&](int64_t begin, int64_t end) {
    const Scratch workspace = Scratch::of<float>(workspace_items);
    for (int64_t unit = begin; unit < end; ++unit) plane(unit, workspace.as<float>());
  });
}

// The weights that read one phase, and where, seen from the input: the output lies behind.
struct PhaseTaps {
  std::vector<int64_t> offset, index;
};

// Input rows are phases too: each is a sum of shifted output gradients, of the weights that read that phase. Gradients
// get zeros around them, reach on each side.
class BackLayout {
 public:
  explicit BackLayout(const ConvShape& s)
      : rows_(s, 1), cols_(s, 2), taps_(static_cast<size_t>(rows_.stride * cols_.stride)) {
    places_ = over(rows_.in + rows_.pad, rows_.stride);
    pitch_ = over(cols_.in + cols_.pad, cols_.stride) + cols_.reach;
    const int64_t per_row = (cols_.stride + 1) * pitch_;
    const int64_t most = std::max<int64_t>(1, kBandFloats / per_row - rows_.reach);
    band_ = over(places_, over(places_, most));
    for (int64_t k = 0; k < s.kernel_size(); ++k) {
      const int64_t kh = k / cols_.kernel, kw = k % cols_.kernel;
      PhaseTaps& taps = taps_[static_cast<size_t>(rows_.phase(kh) * cols_.stride + cols_.phase(kw))];
      taps.offset.push_back((rows_.reach - rows_.place(kh)) * pitch_ + cols_.reach - cols_.place(kw));
      taps.index.push_back(k);
    }
  }

  int64_t workspace_items() const {
    return (band_ + rows_.reach) * pitch_ + cols_.reach + kSlack + cols_.stride * phase_items() +
           rows_.kernel * cols_.kernel;
  }

  void plane(const float* grad, const float* weight, float bias, float* image, float* workspace) const {
    float *phases = workspace + (band_ + rows_.reach) * pitch_ + cols_.reach + kSlack,
          *factors = phases + cols_.stride * phase_items();
    for (int64_t row = 0; row < places_; row += band_) {
      const int64_t count = std::min(band_, places_ - row);
      lay(grad, row, count, workspace);
      for (int64_t a = 0; a < rows_.stride; ++a) {
        for (int64_t b = 0; b < cols_.stride; ++b) {
          const PhaseTaps& taps = taps_[static_cast<size_t>(a * cols_.stride + b)];
          for (size_t t = 0; t < taps.index.size(); ++t) factors[t] = weight[taps.index[t]];
          conv_flat::convolve({taps.offset.data(), factors, static_cast<int64_t>(taps.index.size())},
                              workspace, bias, phases + b * phase_items(), count * pitch_);
        }
        for (int64_t r = 0; r < count; ++r) {
          const int64_t at = (row + r) * rows_.stride + a - rows_.pad;
          if (at >= 0 && at < rows_.in) join(phases + r * pitch_, image + at * cols_.in);
        }
      }
    }
  }

 private:
  int64_t phase_items() const { return band_ * pitch_ + kSlack; }

  // Gradient rows from row - reach on; place j of a row lies at reach + j.
  void lay(const float* grad, int64_t row, int64_t count, float* to) const {
    const int64_t width = std::min(cols_.out, pitch_ - cols_.reach);
    for (int64_t r = 0; r < count + rows_.reach; ++r, to += pitch_) {
      const int64_t at = row + r - rows_.reach;
      const bool inside = at >= 0 && at < rows_.out;
      zero(to, inside ? cols_.reach : pitch_);
      if (!inside) continue;
      std::memcpy(to + cols_.reach, grad + at * cols_.out, static_cast<size_t>(width) * sizeof(float));
      zero(to + cols_.reach + width, pitch_ - cols_.reach - width);
    }
  }

  // One image row from its phases.
  void join(const float* phases, float* image) const {
    if (cols_.stride == 1) {
      std::memcpy(image, phases + cols_.pad, static_cast<size_t>(cols_.in) * sizeof(float));
      return;
    }
    if (cols_.stride == 2) {
      // Place 2 j + b of the padded row; an odd first or last place is done apart.
      const float *even = phases, *odd = phases + phase_items();
      int64_t col = 0, j = cols_.pad / 2;
      if (cols_.pad % 2 && cols_.in > 0) image[col++] = odd[j++];
      const int64_t pairs = (cols_.in - col) / 2;
      braid_body(even + j, odd + j, image + col, pairs);
      if (col + 2 * pairs < cols_.in) image[col + 2 * pairs] = even[j + pairs];
      return;
    }
    for (int64_t b = 0; b < cols_.stride; ++b) {
      const int64_t first = b - cols_.pad, begin = first < 0 ? over(-first, cols_.stride) : 0;
      const int64_t count = over(cols_.in - first, cols_.stride) - begin;
      if (count <= 0) continue;
      spread_body(phases + b * phase_items() + begin, image + begin * cols_.stride + first, cols_.stride,
                  count);
    }
  }

  Axis rows_, cols_;
  std::vector<PhaseTaps> taps_;
  int64_t places_, pitch_, band_;
};

}  // namespace

bool serves(const ConvShape& s) {
  return !s.channels_last && s.channels == s.groups && s.filters == s.groups && s.in[0] == 1 &&
         s.kernel[0] == 1 && s.pad[0] == 0 && s.out_items() > 0 && s.data_items() > 0;
}

void data_grad(const ConvShape& s, const float* out_grad, const float* weight, const float* bias,
               float* grad) {
  const BackLayout layout(s);
  for_planes(s.batch * s.channels, s.out_size() * s.kernel_size(), layout.workspace_items(),
             [&](int64_t unit, float* workspace) {
               const int64_t c = unit % s.channels;
               layout.plane(out_grad + unit * s.out_size(), weight + c * s.kernel_size(), bias ? bias[c] : 0,
                            grad + unit * s.in_size(), workspace);
             });
}

void weight_grad(const ConvShape& s, const float* data, const float* out_grad, float* grad) {
  const Layout layout(s);
  const int64_t kernel = s.kernel_size();
  for_planes(s.channels, s.batch * s.out_size() * kernel,
             over(layout.input_items(), 16) * 16 + layout.output_items() + kernel,
             [&](int64_t c, float* workspace) {
               float* laid = workspace + over(layout.input_items(), 16) * 16;
               float* sums = laid + layout.output_items();
               // Bands are summed apart, so that errors grow with the square root of their number.
               std::vector<double> total(static_cast<size_t>(kernel), 0.0);
               for (int64_t n = 0; n < s.batch; ++n) {
                 const int64_t unit = n * s.channels + c;
                 for (int64_t row = 0; row < s.out[1]; row += layout.band()) {
                   const int64_t count = std::min(layout.band(), s.out[1] - row);
                   layout.cut(data + unit * s.in_size(), row, count, workspace);
                   for (int64_t r = 0; r < count; ++r) {
                     float* to = laid + r * layout.pitch();
                     const float* from = out_grad + unit * s.out_size() + (row + r) * s.out[2];
                     std::memcpy(to, from, static_cast<size_t>(s.out[2]) * sizeof(float));
                     zero(to + s.out[2], layout.pitch() - s.out[2]);
                   }
                   zero(laid + count * layout.pitch(), kSlack);
                   zero(sums, kernel);
                   conv_flat::correlate(layout.offset().data(), kernel, workspace, laid,
                                        count * layout.pitch(), sums);
                   for (int64_t t = 0; t < kernel; ++t)
                     total[static_cast<size_t>(t)] += static_cast<double>(sums[t]);
                 }
               }
               for (int64_t t = 0; t < kernel; ++t)
                 grad[c * kernel + t] = static_cast<float>(total[static_cast<size_t>(t)]);
             });
}

}  // namespace mixgrad::conv_depthwise_grad
