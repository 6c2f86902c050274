#include <vector>

#include "base/error.h"
#include "op/op.h"

namespace mixgrad {
namespace {

thread_local Builder* current_builder = nullptr;

Tensor apply_binary(const Op& op, const Tensor& a, const Tensor& b) {
  const Tensor in[] = {a, b};
  Tensor out;
  Builder::current().call(op, op.defaults, in, Span<Tensor>(&out, 1));
  return out;
}

Tensor apply_scalar(const Op& op, const Tensor& a, double scalar) {
  const NamedValue values[] = {{"scalar", Value(scalar)}};
  Tensor out;
  Builder::current().call(op, make_params(op, values), Span<const Tensor>(&a, 1), Span<Tensor>(&out, 1));
  return out;
}

}  // namespace

Builder& Builder::current() {
  if (!current_builder) fail(Status::internal, "[gradient] no builder is current on this thread");
  return *current_builder;
}
Builder::Scope::Scope(Builder& builder) : previous_(current_builder) { current_builder = &builder; }
Builder::Scope::~Scope() { current_builder = previous_; }

std::vector<Tensor> apply_all(const char* name, Span<const Tensor> inputs, Span<const NamedValue> params) {
  const Op& op = find_op(name);
  const ParamsRef box = make_params(op, params);
  std::vector<Tensor> out(static_cast<size_t>(op.num_outputs(box->data())));
  Builder::current().call(op, box, inputs, out);
  return out;
}

Tensor apply(const char* name, Span<const Tensor> inputs, Span<const NamedValue> params) {
  return apply_all(name, inputs, params)[0];
}

Tensor apply(const char* op, std::initializer_list<Tensor> inputs, std::initializer_list<NamedValue> params) {
  return apply(op, Span<const Tensor>(inputs.begin(), inputs.size()),
               Span<const NamedValue>(params.begin(), params.size()));
}

Tensor operator+(const Tensor& a, const Tensor& b) {
  static const Op& op = find_op("broadcast_add");
  return apply_binary(op, a, b);
}
Tensor operator-(const Tensor& a, const Tensor& b) {
  static const Op& op = find_op("broadcast_sub");
  return apply_binary(op, a, b);
}
Tensor operator*(const Tensor& a, const Tensor& b) {
  static const Op& op = find_op("broadcast_mul");
  return apply_binary(op, a, b);
}
Tensor operator/(const Tensor& a, const Tensor& b) {
  static const Op& op = find_op("broadcast_div");
  return apply_binary(op, a, b);
}
Tensor operator+(const Tensor& a, double s) {
  static const Op& op = find_op("_plus_scalar");
  return apply_scalar(op, a, s);
}
Tensor operator-(const Tensor& a, double s) {
  static const Op& op = find_op("_minus_scalar");
  return apply_scalar(op, a, s);
}
Tensor operator-(double s, const Tensor& a) {
  static const Op& op = find_op("_rminus_scalar");
  return apply_scalar(op, a, s);
}
Tensor operator*(const Tensor& a, double s) {
  static const Op& op = find_op("_mul_scalar");
  return apply_scalar(op, a, s);
}
Tensor operator/(const Tensor& a, double s) {
  static const Op& op = find_op("_div_scalar");
  return apply_scalar(op, a, s);
}
Tensor operator-(const Tensor& a) {
  static const Op& op = find_op("negative");
  Tensor out;
  Builder::current().call(op, op.defaults, Span<const Tensor>(&a, 1), Span<Tensor>(&out, 1));
  return out;
}

Tensor zeros_like(const Tensor& a) { return apply("zeros_like", {a}); }
Tensor ones_like(const Tensor& a) { return apply("ones_like", {a}); }

Tensor sum_to(const Tensor& a, const Shape& shape) {
  const Shape& from = a->shape();
  if (from == shape) return a;
  const int lead = from.ndim() - shape.ndim();
  Shape axes;
  for (int i = 0; i < from.ndim(); ++i) {
    if (i < lead || (shape[i - lead] == 1 && from[i] != 1)) axes.push_back(i);
  }
  const Tensor summed = axes.ndim() > 0 ? sum_axes(a, axes, true) : a;
  return reshape_to(summed, shape);
}

Tensor reshape_to(const Tensor& a, const Shape& shape) {
  if (a->shape() == shape) return a;
  return apply("_reshape_to", {a}, {{"shape", TupleValue(shape)}});
}
Tensor broadcast_to(const Tensor& a, const Shape& shape) {
  if (a->shape() == shape) return a;
  const int lead = shape.ndim() - a->shape().ndim();
  Shape padded = a->shape();
  for (int i = 0; i < lead; ++i) padded.insert(0, 1);
  return apply("_broadcast_to", {reshape_to(a, padded)}, {{"shape", TupleValue(shape)}});
}
Tensor cast_to(const Tensor& a, DType dtype) {
  if (a->dtype() == dtype) return a;
  return apply("Cast", {a}, {{"dtype", Value(name_of(dtype))}});
}
Tensor product_of_others(const Tensor& x, const Shape& axes) {
  if (axes.ndim() == 0) return ones_like(x);
  const auto joined = [&](const char* op, const Tensor& t) {
    const TupleValue tuple(axes);
    return broadcast_to(apply(op, {t}, {{"axis", tuple}, {"keepdims", Value(true)}}), x->shape());
  };
  const auto is = [](const Tensor& t, double number) {
    return apply("_equal_scalar", {t}, {{"scalar", Value(number)}});
  };
  const Tensor zero = is(x, 0), filled = select(zero, ones_like(x), x),
               zeros = select(zero, x, zeros_like(x));
  const Tensor count = joined("sum", zero) - zero;        // zeros among the others
  const Tensor that_zero = joined("sum", zeros) - zeros;  // where there is one: it
  const Tensor of_zeros = select(is(count, 0), ones_like(x), select(is(count, 1), that_zero, zeros_like(x)));
  return joined("prod", filled) / filled * of_zeros;
}

Tensor select(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return apply("where", {condition, a, b});
}
Tensor sum_axes(const Tensor& a, const Shape& axes, bool keepdims) {
  return apply("sum", {a}, {{"axis", TupleValue(axes)}, {"keepdims", Value(keepdims)}});
}
Tensor transpose_axes(const Tensor& a, const Shape& axes) {
  return apply("transpose", {a}, {{"axes", TupleValue(axes)}});
}

}  // namespace mixgrad
