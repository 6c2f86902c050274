#include "ops/numpy/numpy.h"

namespace mixgrad::ops::numpy {

Tensor arange_of(int64_t n, DType dtype) {
  return apply("_arange", {}, {{"start", 0.0}, {"stop", static_cast<double>(n)}, {"dtype", name_of(dtype)}});
}
Tensor number_of(double value, DType dtype) {
  return apply("_full", {}, {{"shape", TupleValue(Shape())}, {"dtype", name_of(dtype)}, {"value", value}});
}
Tensor slice_of(const Tensor& x, int axis, int64_t begin, int64_t end) {
  if (begin == 0 && end == x->shape()[axis]) return x;
  return apply("slice_axis", {x}, {{"axis", axis}, {"begin", begin}, {"end", end}});
}
Tensor joined(const std::vector<Tensor>& parts, int axis) {
  if (parts.size() == 1) return parts[0];
  const NamedValue values[] = {{"num_args", static_cast<int64_t>(parts.size())}, {"dim", axis}};
  return apply("Concat", Span<const Tensor>(parts), values);
}
Tensor taken(const Tensor& x, const Tensor& indices, int axis) {
  return apply("take", {x, indices}, {{"axis", axis}, {"mode", "wrap"}});
}

}  // namespace mixgrad::ops::numpy
