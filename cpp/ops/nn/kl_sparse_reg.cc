// A copy whose gradient pulls mean activations towards a target.
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/region.h"
#include "kernels/reduce/reduce.h"
#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::kl_sparse_reg {
namespace {

struct SparseRegParams {
  float sparseness_target = 0.1f, penalty = 0.001f, momentum = 0.9f;
  static void fields(Fields<SparseRegParams>& f) {
    f.add("sparseness_target", &SparseRegParams::sparseness_target, "The mean that is aimed at.",
          between(0, 1))
        .add("penalty", &SparseRegParams::penalty, "Factor of the added gradient.")
        .add("momentum", &SparseRegParams::momentum, "Share of the old value in a moving average.",
             between(0, 1));
  }
};

void sparse_reg_shape(const SparseRegParams&, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.in(0).known_rank()) return;
  if (s.in(0).ndim() < 2) s.reject("expected data (batch, channels, ...)");
  s.set_in(1, {s.in(0)[1]});
  s.set_out(1, {s.in(0)[1]});
}

// In training the averages move first: out 1 holds those that the gradient reads.
void sparse_reg_kernel(const SparseRegParams& p, KernelArgs& args) {
  const View &data = args.in[0], &state = args.in[1];
  ScratchArray<double> average(static_cast<size_t>(state.size())), mean(average.size());
  convert(state.data, state.dtype, average.data(), DType::float64, state.size());
  const bool moves = kTraining && args.training && data.size() > 0;
  if (moves) {
    AxisSet axes;
    for (int a = 0; a < data.shape().ndim(); ++a) axes.has[a] = a != 1;
    const Shape channels{data.shape()[1]};
    reduce_axes(Reduce::sum, ReduceFinish::mean, data, axes, {mean.data(), &channels, DType::float64});
    const double keep = p.momentum;
    for (size_t c = 0; c < mean.size(); ++c) average[c] = keep * average[c] + (1 - keep) * mean[c];
  }
  copy_elements(data, args.out[0]);
  convert(average.data(), DType::float64, args.out[1].data, args.out[1].dtype, state.size());
  if (moves) convert(average.data(), DType::float64, state.data, state.dtype, state.size());
}

// The derivative of target log(target / average) + (1 - target) log((1 - target) / (1 - average)) by the average.
void sparse_reg_grad(const SparseRegParams& p, Grad& g) {
  if (g.wants(1)) g.set(1, zeros_like(g.out(1)));
  if (!g.wants(0)) return;
  const double target = p.sparseness_target, penalty = p.penalty;
  const Tensor average = g.out(1);
  const auto share = [](double number, const Tensor& of) {
    return apply("_rdiv_scalar", {of}, {{"scalar", Value(number)}});
  };
  const Tensor slope = share((1 - target) * penalty, 1.0 - average) - share(target * penalty, average);
  Shape across = Shape::filled(g.in_shape(0).ndim(), 1);
  across[1] = g.in_shape(0)[1];
  g.set(0, g.out_grad() + cast_to(reshape_to(slope, across), g.in_dtype(0)));
}

const Op& op =
    Define<SparseRegParams>("IdentityAttachKLSparseReg")
        .doc(
            "A copy of activations between 0 and 1. In training, to the gradient comes the Kullback-Leibler "
            "divergence's between a target and each channel's moving average, times penalty: activations "
            "become sparse.")
        .origin("MXNet IdentityAttachKLSparseReg")
        .input("data", "(batch, channels, ...), float.")
        .auxiliary("moving_avg", "(channels,): moving average of means.")
        .starts_as("[\"zero\", {}]")
        .outputs({"output", "average"})
        .num_visible([](const SparseRegParams&) { return 1; })
        .shape(sparse_reg_shape)
        .dtype([](const SparseRegParams&, DTypeInfer& d) {
          d.set_in(0, d.out(0));
          const DType data = d.in(0);
          if (data == DType::unknown) return;
          if (!is_float(data)) d.reject("data must be of a float dtype");
          d.set_out(0, data);
          if (d.in(1) == DType::unknown) d.set_in(1, is_half(data) ? DType::float32 : data);
          d.set_out(1, d.in(1));
        })
        .kernel(sparse_reg_kernel)
        .depends_on_mode()
        .grad_needs({}, {1})
        .grad(sparse_reg_grad);

}  // namespace
}  // namespace mixgrad::ops::kl_sparse_reg
