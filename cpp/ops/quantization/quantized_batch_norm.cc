// Batch normalisation of 8-bit arrays by moving averages.
#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantized_batch_norm {
namespace {

using quantization::calibrated;
using quantization::FloatRange;
using quantization::kInt8Span;
using quantization::kRoundGrain;
using quantization::needs_8_bits;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::round_saturate;
using quantization::span_of;
using quantization::with_8_bits;
using quantization::write_range;

struct QuantizedNormParams {
  double eps = 1e-3f;
  float momentum = 0.9f;
  bool fix_gamma = true, use_global_stats = false, output_mean_var = false, cudnn_off = false;
  int64_t axis = 1;
  std::optional<float> min_calib_range, max_calib_range;
  static void fields(Fields<QuantizedNormParams>& f) {
    using P = QuantizedNormParams;
    f.add("eps", &P::eps, "Added to the variance.", at_least(0))
        .add("momentum", &P::momentum, "Accepted and ignored: the averages stay.")
        .add("fix_gamma", &P::fix_gamma, "Accepted and ignored: gamma counts, as in MXNet.")
        .add("use_global_stats", &P::use_global_stats, "Accepted and ignored: the moving averages are used.")
        .add("output_mean_var", &P::output_mean_var, "Accepted and ignored.")
        .add("axis", &P::axis, "The axis of channels: 1.")
        .add("cudnn_off", &P::cudnn_off, "Accepted and ignored.")
        .add("min_calib_range", &P::min_calib_range, "Smallest value of the output; must be given.")
        .add("max_calib_range", &P::max_calib_range, "Largest value of the output; must be given.");
  }
};

void quantized_norm_shape(const QuantizedNormParams& p, ShapeInfer& s) {
  if (!calibrated(p.min_calib_range, p.max_calib_range)) {
    s.reject("min_calib_range or max_calib_range is missing; expected both");
  }
  if (p.axis != 1) s.reject("axis is ", p.axis, "; expected 1");
  ranges_shape(s, 5);
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.in(0).known_rank()) return;
  if (s.in(0).ndim() < 2) s.reject("data needs at least two axes");
  for (int i = 1; i < 5; ++i) s.set_in(i, {s.in(0)[1]});
}

void quantized_norm_kernel(const QuantizedNormParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const FloatRange range{*p.min_calib_range, *p.max_calib_range};
  const float step = read_range(args.in[5], args.in[6]).magnitude() / span_of(data.dtype);
  const float scale = kInt8Span / range.magnitude();
  const int64_t channels = data.shape()[1], area = data.shape().size(2, data.shape().ndim());
  const auto *gamma = args.in[1].as<float>(), *beta = args.in[2].as<float>();
  const auto *mean = args.in[3].as<float>(), *var = args.in[4].as<float>();
  with_8_bits(data.dtype, [&](auto of) {
    const auto* x = data.as<decltype(of)>();
    auto* y = out.as<int8_t>();
    parallel_for(data.shape()[0] * channels, loop_grain(kRoundGrain, {area}),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t at = begin; at < end; ++at) {
                     const int64_t c = at % channels;
                     const float factor = gamma[c] / std::sqrt(var[c] + static_cast<float>(p.eps));
                     const float slope = factor * step * scale, offset = (beta[c] - mean[c] * factor) * scale;
                     MIXGRAD_VECTORIZE
                     for (int64_t i = at * area; i < (at + 1) * area; ++i)
                       y[i] = round_saturate<int8_t>(static_cast<float>(x[i]) * slope + offset);
                   }
                 });
  });
  write_range(args, 1, range);
}

const Op& quantized_batch_norm_op = Define<QuantizedNormParams>("_contrib_quantized_batch_norm")
                                        .doc(
                                            "gamma (data - moving_mean) / sqrt(moving_var + eps) + beta of "
                                            "an 8-bit array, as int8 over the range "
                                            "given.")
                                        .origin("MXNet _contrib_quantized_batch_norm")
                                        .input("data", "int8 or uint8 (n, channels, ...).")
                                        .input("gamma", "float32 (channels,).")
                                        .input("beta", "float32 (channels,).")
                                        .auxiliary("moving_mean", "float32 (channels,).")
                                        .auxiliary("moving_var", "float32 (channels,).")
                                        .input("min_data", "(1,): smallest value of data.")
                                        .input("max_data", "(1,): largest value of data.")
                                        .outputs({"output", "min_output", "max_output"})
                                        .shape(quantized_norm_shape)
                                        .dtype([](const QuantizedNormParams&, DTypeInfer& d) {
                                          needs_8_bits(d, 0);
                                          ranges_dtype(d, 1);
                                          d.set_out(0, DType::int8);
                                        })
                                        .kernel(quantized_norm_kernel)
                                        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_batch_norm
