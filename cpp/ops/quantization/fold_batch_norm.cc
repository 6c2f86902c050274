// What a batch normalisation makes of the convolution before it: a factor per filter, and another bias.
#include <cmath>

#include "op/define.h"

namespace mixgrad::ops::fold_batch_norm {
namespace {

struct FoldParams {
  double eps = 1e-3;
  bool fix_gamma = true, no_bias = false;
  static void fields(Fields<FoldParams>& f) {
    f.add("eps", &FoldParams::eps, "Added to the variance.", at_least(0))
        .add("fix_gamma", &FoldParams::fix_gamma, "Gamma counts as 1.")
        .add("no_bias", &FoldParams::no_bias, "The convolution has no bias.");
  }
};

void fold_kernel(const FoldParams& p, KernelArgs& args) {
  const auto *gamma = args.in[0].as<float>(), *beta = args.in[1].as<float>();
  const auto *mean = args.in[2].as<float>(), *var = args.in[3].as<float>();
  const float* bias = p.no_bias ? nullptr : args.in[4].as<float>();
  auto *factor = args.out[0].as<float>(), *to_bias = args.out[1].as<float>();
  for (int64_t f = 0; f < args.out[0].size(); ++f) {
    // In double, as MXNet: the largest weight of a filter lies in the middle of two steps, where the last bit decides.
    const double deviation = std::sqrt(static_cast<double>(var[f]) + p.eps);
    factor[f] = static_cast<float>((p.fix_gamma ? 1.0 : static_cast<double>(gamma[f])) / deviation);
    to_bias[f] = beta[f] + ((bias ? bias[f] : 0.0f) - mean[f]) * factor[f];
  }
}

const Op& fold_batch_norm_op =
    Define<FoldParams>("_fold_batch_norm")
        .doc(
            "A factor for the weights of each filter, and a bias: with them a convolution gives what it and "
            "a batch "
            "normalisation by moving averages give.")
        .origin("MXNet _sg_mkldnn_conv with with_bn")
        .input("gamma", "float32 (num_filter,).")
        .input("beta", "float32 (num_filter,).")
        .auxiliary("moving_mean", "float32 (num_filter,).")
        .auxiliary("moving_var", "float32 (num_filter,).")
        .input("bias", "float32 (num_filter,): the convolution's; absent with no_bias.")
        .num_inputs([](const FoldParams& p) { return p.no_bias ? 4 : 5; })
        .outputs({"factor", "bias"})
        .shape([](const FoldParams&, ShapeInfer& s) {
          s.set_in(0, {Shape::kUnknownDim});
          infer_like(s, 0);
        })
        .dtype([](const FoldParams&, DTypeInfer& d) {
          for (int i = 0; i < d.num_inputs(); ++i) d.set_in(i, DType::float32);
          for (int i = 0; i < 2; ++i) d.set_out(i, DType::float32);
        })
        .kernel(fold_kernel)
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::fold_batch_norm
