#include "ops/nn/conv_blocked.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/convolution/conv_plan.h"
#include "kernels/normalization/image_norm_kernels.h"
#include "kernels/scratch.h"
#include "ops/nn/conv.h"

namespace mixgrad::ops::conv_blocked {
namespace {

using nn_backend::ConvShape;

ConvShape plain_of(const ConvShape& s) {
  ConvShape plain = s;
  plain.data_blocked = plain.out_blocked = false;
  return plain;
}

// A plain copy of an image, or the image itself.
class PlainInput {
 public:
  PlainInput(const float* image, bool blocked, int64_t batch, int64_t channels, int64_t positions)
      : data_(image) {
    if (!blocked) return;
    workspace_ = Scratch::of<float>(batch * channels * positions);
    conv_to_plain(image, batch, channels, positions, workspace_.as<float>());
    data_ = workspace_.as<float>();
  }
  const float* data() const { return data_; }

 private:
  Scratch workspace_;
  const float* data_;
};

// Plain memory for what becomes a blocked image, or that image's own.
class PlainOutput {
 public:
  PlainOutput(float* image, bool blocked, int64_t items) : image_(image), data_(image), blocked_(blocked) {
    if (!blocked) return;
    workspace_ = Scratch::of<float>(items);
    data_ = workspace_.as<float>();
  }
  float* data() const { return data_; }
  void store(int64_t batch, int64_t channels, int64_t positions) const {
    if (blocked_) conv_to_blocked(data_, batch, channels, positions, image_);
  }

 private:
  Scratch workspace_;
  float *image_, *data_;
  bool blocked_;
};

PlainInput plain_data(const ConvShape& s, const float* data) {
  return PlainInput(data, s.data_blocked, s.batch, s.channels, s.in_size());
}
PlainInput plain_out(const ConvShape& s, const float* out) {
  return PlainInput(out, s.out_blocked, s.batch, s.filters, s.out_size());
}

}  // namespace

void forward(const ConvShape& s, const float* data, const float* weight, const float* bias, float* out) {
  const PlainInput from = plain_data(s, data);
  const PlainOutput to(out, s.out_blocked, s.out_items());
  conv::forward(DType::float32, plain_of(s), from.data(), weight, bias, to.data());
  to.store(s.batch, s.filters, s.out_size());
}

void data_grad(const ConvShape& s, const float* out_grad, const float* weight, float* grad) {
  const PlainInput from = plain_out(s, out_grad);
  const PlainOutput to(grad, s.data_blocked, s.data_items());
  conv::data_grad(DType::float32, plain_of(s), from.data(), weight, nullptr, to.data());
  to.store(s.batch, s.channels, s.in_size());
}

void weight_grad(const ConvShape& s, const float* data, const float* out_grad, float* grad) {
  const PlainInput from = plain_data(s, data), above = plain_out(s, out_grad);
  conv::weight_grad(DType::float32, plain_of(s), from.data(), above.data(), grad);
}

void bias_grad(const float* image, int64_t batch, int64_t channels, int64_t positions, float* sums) {
  using image_norm_kernels::image_norms;
  constexpr int64_t kRun = 256;  // pixels summed in float
  const int64_t blocks = channels / kConvBlock;
  parallel_for(blocks, loop_grain(65536, {batch, positions, kConvBlock}), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      double total[kConvBlock] = {};
      for (int64_t n = 0; n < batch; ++n) {
        const float* plane = image + (n * blocks + b) * positions * kConvBlock;
        for (int64_t i = 0; i < positions; i += kRun) {
          float part[kConvBlock];
          image_norms().sum(plane + i * kConvBlock, std::min(kRun, positions - i), part);
          for (int l = 0; l < kConvBlock; ++l) total[l] += part[l];
        }
      }
      for (int l = 0; l < kConvBlock; ++l) sums[b * kConvBlock + l] = static_cast<float>(total[l]);
    }
  });
}

}  // namespace mixgrad::ops::conv_blocked
