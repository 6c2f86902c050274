// The gradient of Pooling made of operators: averages and sums are spread back over their windows, and that operator's
// own gradient is Pooling again; a largest element is found once and then only moved.
#include "ops/nn/pooling.h"

namespace mixgrad::ops::pooling_grad {
namespace {

using pooling::kConventionNames;
using pooling::kKindNames;
using pooling::pool_last;
using pooling::PoolingParams;

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

}  // namespace

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
