// Sums, means, products and extremes over axes.
#include "kernels/reduce/reduce.h"

#include "op/define.h"

namespace mixgrad::ops::reduce {
namespace {

struct ReduceParams {
  std::optional<Shape> axis;
  bool keepdims = false;
  bool exclude = false;
  static void fields(Fields<ReduceParams>& f) {
    f.add("axis", &ReduceParams::axis, "Axis or axes to reduce; None and () mean all.")
        .add("keepdims", &ReduceParams::keepdims, "Keeps reduced axes, with extent 1.")
        .add("exclude", &ReduceParams::exclude, "Reduces all axes but those in `axis`.");
  }
};

AxisSet axes_of(const ReduceParams& p, const Shape& shape, const char* who) {
  return axis_set(p.axis, p.exclude, shape.ndim(), who);
}

void reduce_shape(const ReduceParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  s.set_out(0, reduced_shape(s.in(0), axes_of(p, s.in(0), s.name()), p.keepdims));
}

// For operations without a neutral element.
void reduce_shape_nonempty(const ReduceParams& p, ShapeInfer& s) {
  reduce_shape(p, s);
  if (!s.known(0)) return;
  if (reduced_count(s.in(0), axes_of(p, s.in(0), s.name())) == 0 && s.out(0).size() > 0) {
    s.reject("an axis without elements has no extreme");
  }
}

double reduce_cost(const ReduceParams&, Span<const Shape> in) {
  return 150 + 0.06 * static_cast<double>(in[0].size());
}

template <Reduce kKind, ReduceFinish kFinish>
void reduce_kernel(const ReduceParams& p, KernelArgs& args) {
  reduce_axes(kKind, kFinish, args.in[0], axes_of(p, args.in[0].shape(), args.name()), args.out[0]);
}

// An output-shaped tensor, broadcast over the reduced axes.
Tensor spread(const ReduceParams& p, const Grad& g, const Tensor& t) {
  const Shape& shape = g.in_shape(0);
  return broadcast_to(reshape_to(t, reduced_shape(shape, axes_of(p, shape, "reduce"), true)), shape);
}

void sum_grad(const ReduceParams& p, Grad& g) { g.set(0, spread(p, g, g.out_grad())); }

void square_sum_grad(const ReduceParams& p, Grad& g) { g.set(0, spread(p, g, g.out_grad()) * g.in(0) * 2.0); }

void mean_grad(const ReduceParams& p, Grad& g) {
  const Shape& shape = g.in_shape(0);
  const int64_t n = reduced_count(shape, axes_of(p, shape, "mean"));
  g.set(0, spread(p, g, g.out_grad() / static_cast<double>(n > 0 ? n : 1)));
}

// 1 where x is a number, else 0.
Tensor is_number(const Tensor& x) { return apply("broadcast_equal", {x, x}); }

void nansum_grad(const ReduceParams& p, Grad& g) {
  g.set(0, spread(p, g, g.out_grad()) * is_number(g.in(0)));
}

Tensor product_grad(const ReduceParams& p, Grad& g, const Tensor& x) {
  const AxisSet set = axes_of(p, x->shape(), "prod");
  Shape axes;
  for (int i = 0; i < x->shape().ndim(); ++i) {
    if (set.has[i]) axes.push_back(i);
  }
  return spread(p, g, g.out_grad()) * product_of_others(x, axes);
}

void prod_grad(const ReduceParams& p, Grad& g) { g.set(0, product_grad(p, g, g.in(0))); }

void nanprod_grad(const ReduceParams& p, Grad& g) {
  const Tensor number = is_number(g.in(0));
  g.set(0, product_grad(p, g, select(number, g.in(0), ones_like(g.in(0)))) * number);
}

// Every element equal to the extreme takes the whole gradient.
void extreme_grad(const ReduceParams& p, Grad& g) {
  const Tensor hit = apply("broadcast_equal", {g.in(0), spread(p, g, g.out(0))});
  g.set(0, spread(p, g, g.out_grad()) * hit);
}

Define<ReduceParams> reduction(const char* name, const char* doc) {
  Define<ReduceParams> define(name);
  define.doc(doc)
      .origin("MXNet broadcast_reduce_op")
      .input("data", "Any array. Integers are joined in int64 and wrap to the input's dtype.")
      .shape(reduce_shape)
      .cost(reduce_cost);
  return define;
}

const bool kRegistered = [] {
  reduction("sum", "Sum over axes. The error of a float sum does not grow with its length.")
      .alias("sum_axis")
      .alias("_sparse_sum")
      .kernel(reduce_kernel<Reduce::sum, ReduceFinish::none>)
      .grad(sum_grad)
      .grad_needs({}, {})
      .done();
  reduction("_square_sum", "Sum of squares over axes.")
      .kernel(reduce_kernel<Reduce::sum_square, ReduceFinish::none>)
      .grad(square_sum_grad)
      .done();
  reduction("mean", "Arithmetic mean over axes; that of integers is truncated toward zero.")
      .alias("_sparse_mean")
      .kernel(reduce_kernel<Reduce::sum, ReduceFinish::mean>)
      .grad(mean_grad)
      .grad_needs({}, {})
      .done();
  reduction("nansum", "Sum over axes, NaN counting as 0.")
      .kernel(reduce_kernel<Reduce::nansum, ReduceFinish::none>)
      .grad(nansum_grad)
      .grad_needs({0}, {})
      .done();
  reduction("prod", "Product over axes.")
      .kernel(reduce_kernel<Reduce::prod, ReduceFinish::none>)
      .grad(prod_grad)
      .grad_needs({0}, {})
      .done();
  reduction("nanprod", "Product over axes, NaN counting as 1.")
      .kernel(reduce_kernel<Reduce::nanprod, ReduceFinish::none>)
      .grad(nanprod_grad)
      .grad_needs({0}, {})
      .done();
  reduction("max",
            "Largest element over axes; NaN if there is one. Every tied element receives the gradient.")
      .alias("max_axis")
      .shape(reduce_shape_nonempty)
      .kernel(reduce_kernel<Reduce::max, ReduceFinish::none>)
      .grad(extreme_grad)
      .grad_needs({0}, {0})
      .done();
  reduction("min",
            "Smallest element over axes; NaN if there is one. Every tied element receives the gradient.")
      .alias("min_axis")
      .shape(reduce_shape_nonempty)
      .kernel(reduce_kernel<Reduce::min, ReduceFinish::none>)
      .grad(extreme_grad)
      .grad_needs({0}, {0})
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::reduce
