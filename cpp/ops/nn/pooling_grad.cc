// The gradient of Pooling made of operators: averages and sums are spread back over their windows, and that operator's
// own gradient is Pooling again; a largest element is found once and then only moved.
#include "ops/nn/pooling.h"

namespace mixgrad::ops::pooling_grad {
namespace {

using pooling::kConventionNames;
using pooling::kKindNames;
using pooling::pool_last;
using pooling::pool_shape;
using pooling::pooling_dtype;
using pooling::pooling_shape;
using pooling::PoolingParams;

struct SpreadParams : PoolingParams {
  Shape shape;
  static void fields(Fields<SpreadParams>& f) {
    add_to(f).required("shape", &SpreadParams::shape, "Extents of what was pooled.", at_least(0));
  }
};

// Applies an operator that takes Pooling's parameters, and `shape` where one is given.
Tensor pool_call(const char* op, const PoolingParams& p, const Tensor& x, pool_kernel::Kind kind,
                 const Shape* shape) {
  const TupleValue kernel(p.kernel), stride(p.stride), pad(p.pad), extents(shape ? *shape : Shape());
  const auto name = [](Span<const char* const> names, auto value) {
    return Value(names[static_cast<size_t>(value)]);
  };
  const NamedValue values[] = {
      {"kernel", kernel},
      {"pool_type", name(kKindNames, kind)},
      {"global_pool", Value(p.global_pool)},
      {"pooling_convention", name(kConventionNames, p.pooling_convention)},
      {"stride", stride},
      {"pad", pad},
      {"count_include_pad", p.count_include_pad ? Value(*p.count_include_pad) : Value()},
      {"layout", name(conv::kLayoutNames, p.layout)},
      {"shape", extents}};
  const Tensor in[] = {x};
  return apply(op, in, Span<const NamedValue>(values, shape ? 9 : 8));
}

Tensor spread(const PoolingParams& p, const Tensor& x, pool_kernel::Kind kind, const Shape& shape) {
  return pool_call("_pooling_spread", p, x, kind, &shape);
}

// The gradient goes where the largest elements lie.
Tensor move_to_largest(const PoolingParams& p, const Grad& g) {
  const Shape &data = g.in_shape(0), &out = g.out_shape();
  const int n = data.ndim();
  Shape flat, windows;
  const int axis = pool_last(p) ? 1 : 2;
  const int64_t in_size = data.size(axis, axis + n - 2), out_size = out.size(axis, axis + n - 2);
  if (pool_last(p)) {
    flat = {data[0], in_size, data[n - 1]};
    windows = {data[0], out_size, data[n - 1]};
  } else {
    flat = {data[0], data[1], in_size};
    windows = {data[0], data[1], out_size};
  }
  const Tensor places = reshape_to(pool_call("_pooling_places", p, g.in(0), p.pool_type, nullptr), windows);
  const Tensor placed = apply("_place_along_axis", {reshape_to(g.out_grad(), windows), places},
                              {{"axis", Value(axis)}, {"shape", TupleValue(flat)}});
  return reshape_to(placed, data);
}

const Op& spread_op =
    Define<SpreadParams>("_pooling_spread")
        .doc(
            "Transpose of Pooling by avg or sum: every value is spread over its window in an array of the "
            "given shape.")
        .input("data", "Of the shape that Pooling gives for `shape`.")
        .shape([](const SpreadParams& p, ShapeInfer& s) {
          if (p.pool_type != pool_kernel::Kind::avg && p.pool_type != pool_kernel::Kind::sum)
            s.reject("pool_type must be avg or sum");
          Shape whole = p.shape, pooled = Shape::unknown();
          ShapeInfer inner(find_op("Pooling"), Span<Shape>(&whole, 1), Span<Shape>(&pooled, 1));
          pooling_shape(p, inner);
          s.set_in(0, pooled);
          s.set_out(0, p.shape);
        })
        .dtype([](const SpreadParams&, DTypeInfer& d) { pooling_dtype(d); })
        .kernel([](const SpreadParams& p, KernelArgs& args) {
          const View &grad = args.in[0], &out = args.out[0];
          pool_kernel::backward(out.dtype, pool_shape(p, p.shape, grad.shape()), nullptr, nullptr, grad.data,
                                out.data);
        })
        .element_cost(4)
        .grad_needs({}, {})
        .grad([](const SpreadParams& p, Grad& g) {
          g.set(0, pool_call("Pooling", p, g.out_grad(), p.pool_type, nullptr));
        });

const Op& places_op = Define<PoolingParams>("_pooling_places")
                          .doc(
                              "Where Pooling by max finds the largest elements: positions in the image, "
                              "counted in row-major order.")
                          .input("data", "Float array with one, two or three spatial axes.")
                          .shape(pooling_shape)
                          .dtype([](const PoolingParams&, DTypeInfer& d) {
                            if (d.in(0) != DType::unknown && !is_float(d.in(0)))
                              d.reject("expected a float dtype");
                            d.set_out(0, DType::int64);
                          })
                          .kernel([](const PoolingParams& p, KernelArgs& args) {
                            const View &data = args.in[0], &out = args.out[0];
                            pool_kernel::largest(data.dtype, pool_shape(p, data.shape(), out.shape()),
                                                 data.data, out.as<int64_t>());
                          })
                          .element_cost(4)
                          .no_gradient();

}  // namespace

void compose(const PoolingParams& p, Grad& g) {
  using pool_kernel::Kind;
  const Shape& data = g.in_shape(0);
  if (data.size() == 0) return g.set(0, zeros_like(g.in(0)));
  const int64_t power = p.p_value.value_or(1);
  if (p.pool_type == Kind::max) return g.set(0, move_to_largest(p, g));
  if (p.pool_type != Kind::lp) return g.set(0, spread(p, g.out_grad(), p.pool_type, data));
  if (power == 1) return g.set(0, spread(p, g.out_grad(), Kind::sum, data));
  // d y / d x = (x / y)^(power - 1), and 0 where y is.
  const Tensor x = g.in(0), y = g.out(0), root = power == 2 ? y : y * y;
  const Tensor zero = apply("_equal_scalar", {y}, {{"scalar", 0.0}});
  const Tensor part = select(zero, zeros_like(y), g.out_grad() / (root + zero));
  g.set(0, spread(p, part, Kind::sum, data) * (power == 2 ? x : x * x));
}

}  // namespace mixgrad::ops::pooling_grad
