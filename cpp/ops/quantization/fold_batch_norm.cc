// A convolution's weights with the batch normalisation that follows multiplied into them.
#include <cmath>

#include "base/parallel.h"
#include "op/define.h"

namespace mixgrad::ops::fold_batch_norm {
namespace {

struct FoldParams {
  double eps = 1e-3;
  bool fix_gamma = true, no_bias = false;
  static void fields(Fields<FoldParams>& f) {
    f.add("eps", &FoldParams::eps, "Added to the variance.", at_least(0))
        .add("fix_gamma", &FoldParams::fix_gamma, "Gamma counts as 1.")
        .add("no_bias", &FoldParams::no_bias, "The convolution has no bias; there are five inputs.");
  }
};

void fold_shape(const FoldParams& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.in(0).known_rank()) return;
  if (s.in(0).ndim() < 2) s.reject("weight needs at least two axes");
  for (int i = 1; i < (p.no_bias ? 5 : 6); ++i) s.set_in(i, {s.in(0)[0]});
  s.set_out(1, {s.in(0)[0]});
}

void fold_kernel(const FoldParams& p, KernelArgs& args) {
  const View& weight = args.in[0];
  const int64_t filters = weight.shape()[0], each = weight.shape().size(1, weight.shape().ndim());
  const auto *gamma = args.in[1].as<float>(), *beta = args.in[2].as<float>();
  const auto *mean = args.in[3].as<float>(), *var = args.in[4].as<float>();
  const float* bias = p.no_bias ? nullptr : args.in[5].as<float>();
  const auto* from = weight.as<float>();
  auto *to = args.out[0].as<float>(), *to_bias = args.out[1].as<float>();
  parallel_for(filters, loop_grain(65536, {each}), [&](int64_t begin, int64_t end) {
    for (int64_t f = begin; f < end; ++f) {
      const float factor = (p.fix_gamma ? 1.0f : gamma[f]) / std::sqrt(var[f] + static_cast<float>(p.eps));
      for (int64_t i = f * each; i < (f + 1) * each; ++i) to[i] = from[i] * factor;
      to_bias[f] = beta[f] + ((bias ? bias[f] : 0.0f) - mean[f]) * factor;
    }
  });
}

const Op& fold_batch_norm_op = Define<FoldParams>("_fold_batch_norm")
                                   .doc(
                                       "Weight and bias of the convolution that gives what a convolution and "
                                       "a batch normalisation by moving "
                                       "averages give.")
                                   .origin("MXNet _sg_mkldnn_conv with with_bn")
                                   .input("weight", "float32 (num_filter, ...).")
                                   .input("gamma", "float32 (num_filter,).")
                                   .input("beta", "float32 (num_filter,).")
                                   .auxiliary("moving_mean", "float32 (num_filter,).")
                                   .auxiliary("moving_var", "float32 (num_filter,).")
                                   .input("bias", "float32 (num_filter,); absent with no_bias.")
                                   .num_inputs([](const FoldParams& p) { return p.no_bias ? 5 : 6; })
                                   .outputs({"weight", "bias"})
                                   .shape(fold_shape)
                                   .dtype([](const FoldParams&, DTypeInfer& d) {
                                     for (int i = 0; i < d.num_inputs(); ++i) d.set_in(i, DType::float32);
                                     for (int i = 0; i < 2; ++i) d.set_out(i, DType::float32);
                                   })
                                   .kernel(fold_kernel)
                                   .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::fold_batch_norm
