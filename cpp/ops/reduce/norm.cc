// Norms over axes.
#include "kernels/reduce/reduce.h"
#include "op/define.h"

namespace mixgrad::ops::norm {
namespace {

struct NormParams {
  int32_t ord = 2;
  std::optional<Shape> axis;
  std::optional<DType> out_dtype;
  bool keepdims = false;
  static void fields(Fields<NormParams>& f) {
    f.add("ord", &NormParams::ord, "1: sum of absolute values; 2: root of the sum of squares.", between(1, 2))
        .add("axis", &NormParams::axis, "Axis or axes to reduce; None and () mean all.")
        .add("out_dtype", &NormParams::out_dtype, "Element type of the output; None is that of the input.")
        .add("keepdims", &NormParams::keepdims, "Keeps reduced axes, with extent 1.");
  }
};

AxisSet norm_axes(const NormParams& p, const Shape& shape) {
  return axis_set(p.axis, false, shape.ndim(), "norm");
}

Tensor norm_spread(const NormParams& p, const Grad& g, const Tensor& t) {
  const Shape& shape = g.in_shape(0);
  const Tensor kept = reshape_to(t, reduced_shape(shape, norm_axes(p, shape), true));
  return broadcast_to(cast_to(kept, g.in_dtype(0)), shape);
}

void norm_grad(const NormParams& p, Grad& g) {
  if (p.ord == 1) {
    g.set(0, norm_spread(p, g, g.out_grad()) * apply("sign", {g.in(0)}));
    return;
  }
  // x / |x|, and 0 rather than 0/0 where the norm is 0.
  const Tensor length = g.out(0);
  const Tensor zero = apply("_equal_scalar", {length}, {{"scalar", Value(0.0)}});
  const Tensor scale = g.out_grad() / select(zero, ones_like(length), length);
  g.set(0, norm_spread(p, g, scale) * g.in(0));
}

const Op& norm = Define<NormParams>("norm")
                     .alias("_sparse_norm")
                     .doc("Norm over axes: the sum of absolute values or the Euclidean length.")
                     .origin("MXNet norm")
                     .input("data", "Any array.")
                     .shape([](const NormParams& p, ShapeInfer& s) {
                       if (!s.known(0)) return;
                       s.set_out(0, reduced_shape(s.in(0), norm_axes(p, s.in(0)), p.keepdims));
                     })
                     .dtype([](const NormParams& p, DTypeInfer& d) {
                       if (p.out_dtype)
                         d.set_out(0, *p.out_dtype);
                       else
                         infer_first_dtype(d);
                     })
                     .kernel([](const NormParams& p, KernelArgs& args) {
                       reduce_axes(p.ord == 1 ? Reduce::sum_abs : Reduce::sum_square,
                                   p.ord == 1 ? ReduceFinish::none : ReduceFinish::root, args.in[0],
                                   norm_axes(p, args.in[0].shape()), args.out[0]);
                     })
                     .cost([](const NormParams&, Span<const Shape> in) {
                       return 150 + 0.06 * static_cast<double>(in[0].size());
                     })
                     .grad_needs({0}, {0})
                     .grad(norm_grad);

}  // namespace
}  // namespace mixgrad::ops::norm
