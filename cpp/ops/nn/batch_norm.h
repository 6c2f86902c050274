// What the operators that normalise a batch share.
#pragma once

#include <optional>

#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::batch_norm {

struct BatchNormParams {
  double eps = 1e-3;
  double momentum = 0.9;
  bool fix_gamma = true;
  bool use_global_stats = false;
  bool output_mean_var = false;
  int32_t axis = 1;
  bool cudnn_off = false;
  std::optional<float> min_calib_range, max_calib_range;
  static void fields(Fields<BatchNormParams>& f);
};

// One number per channel.
using Channels = ScratchArray<double>;
Channels channel_values(const View& v);
void store_channels(const Channels& values, const View& v);

// Outputs: out, mean, 1 / sqrt(variance + eps).
void batch_norm_shape(const BatchNormParams& p, ShapeInfer& s);
void batch_norm_dtype(const BatchNormParams& p, DTypeInfer& d);
void batch_norm_kernel(const BatchNormParams& p, KernelArgs& args);
void batch_norm_backward(const BatchNormParams& p, BackwardArgs& args);
// `dy` is the gradient of the normalised output, output `place` holds 1 / sqrt(variance + eps).
void batch_norm_grad_of(const BatchNormParams& p, Grad& g, const Tensor& dy, int place);

// Inputs, shapes and dtypes of all that normalise a batch.
template <class P>
Define<P>& norm_inputs(Define<P>& define) {
  return define.input("data", "Floats; axis 1, or `axis`, holds the channels.")
      .input("gamma", "(C,): scale; taken as 1 while fix_gamma is set.")
      .input("beta", "(C,): shift.")
      .auxiliary("moving_mean", "(C,): moving average of means.")
      .starts_as("[\"zero\", {}]")
      .auxiliary("moving_var", "(C,): moving average of variances.")
      .starts_as("[\"one\", {}]")
      .cost([](const P&, Span<const Shape> in) { return 300 + 0.5 * static_cast<double>(in[0].size()); })
      .depends_on_mode();
}

}  // namespace mixgrad::ops::batch_norm
