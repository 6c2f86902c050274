// Sums, means, products, extremes and truths over axes with NumPy's shapes: axes vanish, also the last one.
#include <cmath>
#include <limits>

#include "base/load.h"
#include "kernels/loops/convert.h"
#include "kernels/reduce/reduce.h"
#include "kernels/scratch.h"
#include "launch/composed.h"

namespace mixgrad::ops::numpy_reduce {
namespace {

struct AxesParams {
  std::optional<Shape> axis;
  bool keepdims = false;
  template <class P>
  static void axes_fields(Fields<P>& f) {
    f.add("axis", &P::axis, "Axis or axes to reduce; None means all, () none.")
        .add("keepdims", &P::keepdims, "Keeps reduced axes, with extent 1.");
  }
  static void fields(Fields<AxesParams>& f) { axes_fields(f); }
};

constexpr const char* kInitialDoc = "Not supported, as in MXNet: None.";

struct ExtremeParams : AxesParams {
  std::optional<double> initial;
  static void fields(Fields<ExtremeParams>& f) {
    axes_fields(f);
    f.add("initial", &ExtremeParams::initial, kInitialDoc);
  }
};

struct SumParams : AxesParams {
  std::optional<DType> dtype;
  std::optional<double> initial;
  static void fields(Fields<SumParams>& f) {
    f.add("axis", &SumParams::axis, "Axis or axes to reduce; None means all, () none.")
        .add("dtype", &SumParams::dtype, "Element type of the output.")
        .add("keepdims", &SumParams::keepdims, "Keeps reduced axes, with extent 1.")
        .add("initial", &SumParams::initial, kInitialDoc);
  }
};

struct SpreadParams : AxesParams {
  std::optional<DType> dtype;
  int32_t ddof = 0;
  static void fields(Fields<SpreadParams>& f) {
    f.add("axis", &SpreadParams::axis, "Axis or axes to reduce; None means all, () none.")
        .add("dtype", &SpreadParams::dtype, "Element type of the output; None is that of the input.")
        .add("ddof", &SpreadParams::ddof, "What the number of elements is lessened by before it divides.")
        .add("keepdims", &SpreadParams::keepdims, "Keeps reduced axes, with extent 1.");
  }
};

struct AverageParams {
  std::optional<Shape> axis;
  bool returned = false, weighted = true;
  static void fields(Fields<AverageParams>& f) {
    f.add("axis", &AverageParams::axis, "Axis or axes to average over; None means all.")
        .add("returned", &AverageParams::returned, "Whether the sum of weights is given, too.")
        .add("weighted", &AverageParams::weighted, "Whether there are weights.");
  }
};

AxisSet axes_of(const std::optional<Shape>& axis, const Shape& shape, const char* who) {
  return axis && axis->ndim() == 0 ? AxisSet() : axis_set(axis, false, shape.ndim(), who);
}

Shape shape_without(const Shape& shape, const AxisSet& axes, bool keepdims) {
  Shape out;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (!axes.has[i])
      out.push_back(shape[i]);
    else if (keepdims)
      out.push_back(1);
  }
  return out;
}

template <class P>
void reduce_shape(const P& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  s.set_out(0, shape_without(s.in(0), axes_of(p.axis, s.in(0), s.name()), p.keepdims));
}
template <class P>
void reduce_shape_plain(const P& p, ShapeInfer& s) {
  if (p.initial) s.reject("initial is ", *p.initial, "; expected None");
  reduce_shape(p, s);
}
void extreme_shape(const ExtremeParams& p, ShapeInfer& s) {
  reduce_shape_plain(p, s);
  if (s.known(0) && reduced_count(s.in(0), axes_of(p.axis, s.in(0), s.name())) == 0)
    s.reject("no elements have no extreme");
}

// An output-shaped tensor, broadcast over the reduced axes.
template <class P>
Tensor spread(const P& p, const Grad& g, const Tensor& t) {
  const Shape& shape = g.in_shape(0);
  return broadcast_to(reshape_to(t, shape_without(shape, axes_of(p.axis, shape, "reduce"), true)), shape);
}
template <class P>
int64_t count_of(const P& p, const Shape& shape, const char* who) {
  return reduced_count(shape, axes_of(p.axis, shape, who));
}

// The input, in double where the output is and wants it.
View widened(const KernelArgs& args, bool wide, ScratchArray<double>& memory) {
  View x = args.in[0];
  if (!wide || x.dtype == DType::float64) return x;
  memory = ScratchArray<double>(static_cast<size_t>(x.size()));
  convert(x.data, x.dtype, memory.data(), DType::float64, x.size());
  x.data = memory.data();
  x.dtype = DType::float64;
  return x;
}

template <Reduce kKind, class P>
void reduce_kernel(const P& p, KernelArgs& args) {
  ScratchArray<double> memory;
  const View x = widened(args, args.out[0].dtype == DType::float64 && is_float(args.in[0].dtype), memory);
  reduce_axes(kKind, ReduceFinish::none, x, axes_of(p.axis, args.in[0].shape(), args.name()), args.out[0]);
}

// Joined in double: means of integers are no integers.
void mean_kernel(const SumParams& p, KernelArgs& args) {
  ScratchArray<double> memory;
  const View x = widened(args, !is_float(args.in[0].dtype) || args.out[0].dtype == DType::float64, memory);
  reduce_axes(Reduce::sum, ReduceFinish::mean, x, axes_of(p.axis, x.shape(), args.name()), args.out[0]);
}

// Counts elements that decide: those other than 0 for any, zeros for all.
template <bool kAll>
void truth_kernel(const AxesParams& p, KernelArgs& args) {
  const View &x = args.in[0], &out = args.out[0];
  const auto n = static_cast<size_t>(x.size()), m = static_cast<size_t>(out.size());
  ScratchArray<uint8_t> marks(n);
  convert(x.data, x.dtype, marks.data(), DType::boolean, x.size());
  if (kAll) {
    for (uint8_t& mark : marks) mark ^= 1;
  }
  ScratchArray<int64_t> counts(m);
  reduce_axes(Reduce::sum, ReduceFinish::none, {marks.data(), &x.shape(), DType::boolean},
              axes_of(p.axis, x.shape(), args.name()), {counts.data(), &out.shape(), DType::int64});
  for (size_t i = 0; i < m; ++i) out.as<uint8_t>()[i] = (counts[i] > 0) != kAll ? 1 : 0;
}

void sum_dtype(const SumParams& p, DTypeInfer& d) {
  if (p.dtype) return d.set_out(0, *p.dtype);
  d.set_out(0, d.in(0) == DType::boolean ? DType::int64 : d.in(0));
}
void mean_dtype(const SumParams& p, DTypeInfer& d) {
  if (d.in(0) == DType::unknown && !p.dtype) return;
  d.set_out(0, p.dtype ? *p.dtype : is_float(d.in(0)) ? d.in(0) : DType::float32);
}
void spread_dtype(const SpreadParams& p, DTypeInfer& d) { d.set_out(0, p.dtype.value_or(d.in(0))); }

// The type in which gradients are computed: that of what arrives, unless it holds integers.
Tensor arriving(const Grad& g) { return g.out_grad(); }
void set_cast(Grad& g, const Tensor& gradient) { g.set(0, cast_to(gradient, g.in_dtype(0))); }

void prod_grad(const SumParams& p, Grad& g) {
  const Tensor og = arriving(g), x = cast_to(g.in(0), og->dtype());
  const AxisSet set = axes_of(p.axis, x->shape(), "prod");
  Shape axes;
  for (int i = 0; i < x->shape().ndim(); ++i) {
    if (set.has[i]) axes.push_back(i);
  }
  set_cast(g, spread(p, g, og) * product_of_others(x, axes));
}

template <class P>
Define<P> reduction(const char* name, const char* input, Text doc) {
  Define<P> define(name);
  define.doc(doc).origin("MXNet np_broadcast_reduce_op").input(input, "Any array.").element_cost(0.1);
  return define;
}

template <Reduce kKind>
void extreme(const char* name, const char* alias, Text doc) {
  Define<ExtremeParams> define = reduction<ExtremeParams>(name, "a", doc);
  define.alias(alias)
      .shape(extreme_shape)
      .kernel(reduce_kernel<kKind, ExtremeParams>)
      .grad([](const ExtremeParams& p, Grad& g) {
        const Tensor hit = apply("broadcast_equal", {g.in(0), spread(p, g, g.out(0))});
        g.set(0, spread(p, g, g.out_grad()) * hit);
      })
      .grad_needs({0}, {0})
      .done();
}

template <bool kAll>
void truth(const char* name, const char* alias, Text doc) {
  Define<AxesParams> define = reduction<AxesParams>(name, "data", doc);
  if (alias) define.alias(alias);
  define.shape([](const AxesParams& p, ShapeInfer& s) { reduce_shape(p, s); })
      .dtype([](const AxesParams&, DTypeInfer& d) { d.set_out(0, DType::boolean); })
      .kernel(truth_kernel<kAll>)
      .grad_needs({}, {})
      .no_gradient()
      .done();
}

// A float tensor of a type in which squares may be summed.
Tensor wide_float(const Tensor& x) {
  const DType t = x->dtype();
  return t == DType::float32 || t == DType::float64
             ? x
             : cast_to(x, is_float(t) ? DType::float32 : DType::float64);
}
Tensor mean_of(const Tensor& x, const std::optional<Shape>& axis, bool keepdims) {
  if (!axis) return apply("_npi_mean", {x}, {{"keepdims", Value(keepdims)}});
  return apply("_npi_mean", {x}, {{"axis", TupleValue(*axis)}, {"keepdims", Value(keepdims)}});
}
Tensor sum_of(const Tensor& x, const std::optional<Shape>& axis) {
  return axis ? apply("_np_sum", {x}, {{"axis", TupleValue(*axis)}}) : apply("_np_sum", {x});
}

Tensor variance(const SpreadParams& p, Composition& c) {
  const Tensor x = wide_float(c.in(0));
  const auto n = static_cast<double>(count_of(p, x->shape(), c.name()));
  const Tensor distance = x - mean_of(x, p.axis, true);
  const Tensor mean = mean_of(apply("square", {distance}), p.axis, p.keepdims);
  if (p.ddof == 0) return mean;
  return mean * (n > p.ddof ? n / (n - p.ddof) : std::numeric_limits<double>::infinity());
}

const bool kRegistered = at_load([] {
  reduction<SumParams>("_np_sum", "a", "Sum over axes; truths are counted in int64.")
      .shape([](const SumParams& p, ShapeInfer& s) { reduce_shape_plain(p, s); })
      .dtype(sum_dtype)
      .kernel(reduce_kernel<Reduce::sum, SumParams>)
      .grad_needs({}, {})
      .grad([](const SumParams& p, Grad& g) { set_cast(g, spread(p, g, arriving(g))); })
      .done();
  reduction<SumParams>("_np_prod", "a", "Product over axes.")
      .alias("_np_product")
      .shape([](const SumParams& p, ShapeInfer& s) { reduce_shape_plain(p, s); })
      .dtype(sum_dtype)
      .kernel(reduce_kernel<Reduce::prod, SumParams>)
      .grad(prod_grad)
      .done();
  reduction<SumParams>("_npi_mean", "a",
                       "Arithmetic mean over axes, NaN of no elements; that of integers is float32.")
      .shape([](const SumParams& p, ShapeInfer& s) { reduce_shape_plain(p, s); })
      .dtype(mean_dtype)
      .kernel(mean_kernel)
      .grad_needs({}, {})
      .grad([](const SumParams& p, Grad& g) {
        const auto n = static_cast<double>(std::max<int64_t>(1, count_of(p, g.in_shape(0), "mean")));
        set_cast(g, spread(p, g, arriving(g) / n));
      })
      .done();
  extreme<Reduce::max>("_np_max", "_np_amax", "Largest element over axes; NaN if there is one.");
  extreme<Reduce::min>("_np_min", "_np_amin", "Smallest element over axes; NaN if there is one.");
  truth<true>("_np_all", nullptr, "Whether all elements over axes differ from 0.");
  truth<false>("_np_any", "_np_sometrue", "Whether any element over axes differs from 0.");

  Define<SpreadParams> var = reduction<SpreadParams>("_npi_var", "a", "Variance over axes.");
  composed(var, [](const SpreadParams& p, Composition& c) { c.set(0, variance(p, c)); })
      .dtype(spread_dtype)
      .done();
  Define<SpreadParams> deviation = reduction<SpreadParams>("_npi_std", "a", "Standard deviation over axes.");
  composed(deviation,
           [](const SpreadParams& p, Composition& c) { c.set(0, apply("sqrt", {variance(p, c)})); })
      .dtype(spread_dtype)
      .done();

  Define<AverageParams> average("_npi_average");
  average.doc("Average over axes, weighted or not, and the sum of the weights.")
      .origin("MXNet _npi_average")
      .input("a", "Any array of numbers.")
      .input("weights", "Of the shape of a, or one for each place along the one axis.")
      .outputs({"average", "sum_of_weights"})
      .num_inputs([](const AverageParams& p) { return p.weighted ? 2 : 1; })
      .num_visible([](const AverageParams& p) { return p.returned ? 2 : 1; });
  composed(average, [](const AverageParams& p, Composition& c) {
    const Tensor a = c.in(0);
    if (!p.weighted) {
      const auto n = static_cast<double>(count_of(p, a->shape(), c.name()));
      c.set(0, mean_of(a, p.axis, false));
      return c.set(1, apply("_full", {}, {{"shape", TupleValue(Shape())}, {"value", n}}));
    }
    Tensor w = c.in(1);
    if (w->shape() == a->shape()) {
      c.set(1, sum_of(w, p.axis));
    } else {
      if (!p.axis || p.axis->ndim() != 1 || w->shape().ndim() != 1)
        c.reject("expected weights of the shape of a, or one axis and a weight for each place along it");
      const int axis = normalize_axis((*p.axis)[0], a->shape().ndim(), c.name());
      if (w->shape()[0] != a->shape()[axis]) c.reject("expected one weight for each place along axis ", axis);
      c.set(1, sum_of(w, std::nullopt));
      Shape beside = Shape::filled(a->shape().ndim(), 1);
      beside[axis] = w->shape()[0];
      w = reshape_to(w, beside);
    }
    c.set(0,
          sum_of(a * w, p.axis) / (w->shape() == a->shape() ? sum_of(w, p.axis) : sum_of(w, std::nullopt)));
  }).done();
});

}  // namespace
}  // namespace mixgrad::ops::numpy_reduce
