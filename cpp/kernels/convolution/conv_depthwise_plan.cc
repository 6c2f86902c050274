// Depthwise convolutions of float images, 16 channels at a time.
#include <algorithm>
#include <cstring>

#include "kernels/convolution/conv_block.h"
#include "kernels/convolution/conv_depthwise_row.h"
#include "kernels/convolution/conv_epilogue.h"
#include "kernels/convolution/conv_plan.h"
#include "kernels/convolution/conv_workspace.h"

namespace mixgrad::conv_depthwise_plan {
namespace {

using conv_block::Format;
using conv_block::kBlock;
using conv_block::Patch;
using conv_depthwise_row::Window;

constexpr int64_t kBandPixels = 512;      // of input and output staged together: 32 KB
constexpr int64_t kPartProducts = 50000;  // for which another thread pays

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// Bands of output rows of one block of channels. The input under a band of a plain image is first laid out in blocks
// with its padding; blocked images are read in place.
class Depthwise : public ConvPlan {
 public:
  explicit Depthwise(const ConvProblem& problem)
      : ConvPlan(problem, ConvAlgorithm::depthwise), edges_(problem.shape) {
    const nn_backend::ConvShape& s = problem.shape;
    data_ = {problem.data, s.channels, s.in[1], s.in[2]};
    out_ = {problem.out, s.channels, s.out[1], s.out[2]};
    kernel_rows_ = s.kernel[1], kernel_cols_ = s.kernel[2];
    blocks_ = conv_blocks(s.channels);
    patch_cols_ = (s.out[2] - 1) * s.stride[2] + (kernel_cols_ - 1) * s.dilate[2] + 1;
    const int64_t covered = (kernel_rows_ - 1) * s.dilate[1] + 1;
    const int64_t per_row = s.stride[1] * patch_cols_ + out_.width;
    int64_t most = std::max<int64_t>(1, (kBandPixels - covered * patch_cols_) / per_row + 1);
    most = std::max(most, std::min<int64_t>(out_.height, 2 * covered / s.stride[1]));

    laid_ = problem.data == ConvLayout::plain;
    inner_begin_ = laid_ ? 0 : edges_.inner_begin;
    inner_end_ = laid_ ? out_.width : edges_.inner_end;
    band_ = over(out_.height, over(out_.height, most));
    bands_ = over(out_.height, band_);
    patch_rows_ = (band_ - 1) * s.stride[1] + covered;
  }

  int64_t weight_items() const override { return blocks_ * kernel_rows_ * kernel_cols_ * kBlock; }
  int64_t scratch_items() const override { return threads() * workspace_items(); }

  void prepare(const float* weight, const float* scale, float* prepared) const override {
    const int64_t taps = kernel_rows_ * kernel_cols_;
    for (int64_t c = 0; c < blocks_ * kBlock; ++c) {
      for (int64_t t = 0; t < taps; ++t) {
        const float by = scale && c < data_.channels ? scale[c] : 1;
        prepared[(c / kBlock * taps + t) * kBlock + c % kBlock] =
            c < data_.channels ? weight[c * taps + t] * by : 0;
      }
    }
  }

  void run(const float* data, const float* prepared, const ConvEpilogue& end, float* out,
           float* scratch) const override {
    const nn_backend::ConvShape& s = problem().shape;
    const int64_t units = s.batch * blocks_ * bands_;
    const int64_t products = static_cast<int64_t>(s.products()) / units + 1;
    const auto bands = [&](int64_t begin, int64_t stop, float* workspace) {
      for (int64_t unit = begin; unit < stop; ++unit) {
        band(data, prepared, end, unit / bands_ / blocks_, unit / bands_ % blocks_, unit % bands_ * band_,
             out, workspace);
      }
    };
    conv_workspace::for_workspaces(units, kPartProducts / products + 1, scratch, workspace_items(), threads(),
                                   bands);
  }

 private:
  int64_t threads() const {
    return std::min(conv_workspace::Workspaces::kMost, std::max(1, problem().threads));
  }
  int64_t workspace_items() const { return (patch_rows_ * patch_cols_ + band_ * out_.width) * kBlock; }

  void band(const float* data, const float* prepared, const ConvEpilogue& end, int64_t image, int64_t block,
            int64_t row, float* out, float* workspace) const {
    const nn_backend::ConvShape& s = problem().shape;
    const int64_t rows = std::min(band_, out_.height - row);
    alignas(64) float bias[kBlock] = {};
    if (end.bias) {
      const int64_t lanes = std::min(kBlock, data_.channels - block * kBlock);
      std::memcpy(bias, end.bias + block * kBlock, static_cast<size_t>(lanes) * sizeof(float));
    }
    // Without a residual, blocked sums are computed where they belong.
    const bool in_place = out_.layout == ConvLayout::blocked && !end.residual;
    const bool clamp = in_place && end.activation == ConvActivation::clamp;
    float* sums =
        in_place ? out + out_.at(image, block, row, 0) : workspace + patch_rows_ * patch_cols_ * kBlock;
    const float* weight = prepared + block * kernel_rows_ * kernel_cols_ * kBlock;
    const int64_t first_row = row * s.stride[1] - s.pad[1];
    if (laid_) {
      const int64_t in_rows = (rows - 1) * s.stride[1] + (kernel_rows_ - 1) * s.dilate[1] + 1;
      conv_block::gather(data_, data, {image, block, first_row, -s.pad[2], in_rows, patch_cols_}, workspace,
                         patch_cols_);
    }
    Window window;
    window.cols = kernel_cols_;
    window.tap_step = s.dilate[2] * kBlock, window.pixel_step = s.stride[2] * kBlock;
    window.bias = bias;
    window.pixels = out_.width;
    window.inner_begin = inner_begin_, window.inner_end = inner_end_;
    window.first_tap = edges_.first_tap.data(), window.last_tap = edges_.last_tap.data();
    window.clamp = clamp, window.low = end.low, window.high = end.high;
    for (int64_t r = 0; r < rows; ++r) {
      float* to = sums + r * out_.width * kBlock;
      window.rows = 0;
      for (int64_t k = 0; k < kernel_rows_; ++k) {
        const int64_t ahead = r * s.stride[1] + k * s.dilate[1], at = first_row + ahead;
        if (!laid_ && (at < 0 || at >= data_.height)) continue;
        window.in[window.rows] = laid_ ? workspace + ahead * patch_cols_ * kBlock
                                       : data + data_.at(image, block, at, 0) - s.pad[2] * kBlock;
        window.weight[window.rows++] = weight + k * kernel_cols_ * kBlock;
      }
      conv_depthwise_row::run(window, to);
      if (in_place && !clamp && end.activation != ConvActivation::none) {
        conv_epilogue::finish(end, to, nullptr, to, out_.width * kBlock);
      }
    }
    if (!in_place) {
      conv_block::scatter(out_, {image, block, row, 0, rows, out_.width}, sums, out_.width, end, out);
    }
  }

  const conv_depthwise_row::Edges edges_;
  Format data_, out_;
  bool laid_;                        // input bands are copied
  int64_t inner_begin_, inner_end_;  // outputs of a row that need no padding, where bands are not copied
  int64_t kernel_rows_, kernel_cols_, blocks_, patch_rows_, patch_cols_, band_, bands_;
};

// One channel and one filter per group, one or two axes, windows of up to 32 rows.
bool serves(const ConvProblem& problem) {
  const nn_backend::ConvShape& s = problem.shape;
  return !s.channels_last && s.channels == s.groups && s.filters == s.groups && s.in[0] == 1 &&
         s.kernel[0] == 1 && s.pad[0] == 0 && s.kernel[1] <= conv_depthwise_row::kMostRows &&
         s.out_items() > 0;
}

std::unique_ptr<ConvPlan> make(const ConvProblem& problem) { return std::make_unique<Depthwise>(problem); }

const bool kRegistered = register_conv_method(ConvAlgorithm::depthwise, {serves, make});

}  // namespace

}  // namespace mixgrad::conv_depthwise_plan
