#include "ops/linalg/linalg.h"

namespace mixgrad::ops::linalg {

void check_matrices(const ShapeInfer& s, int input, bool square) {
  const Shape& shape = s.in(input);
  if (shape.ndim() < 2) s.reject("input ", input, " needs at least two axes");
  if (square && rows_of(shape) != columns_of(shape)) s.reject("expected square matrices as input ", input);
}

Shape per_matrix(const Shape& matrices) {
  if (matrices.ndim() == 2) return {1};
  return Shape(matrices.data(), matrices.ndim() - 2);
}

void float_dtype(DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.num_inputs() > 0 && d.in(0) != DType::unknown && !is_float(d.in(0)))
    d.reject("expected a float dtype");
}

double loop_cost(double products) { return 300 + 0.4 * products; }

Tensor product(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b, double alpha) {
  return apply("_linalg_gemm2", {a, b},
               {{"transpose_a", Value(transpose_a)}, {"transpose_b", Value(transpose_b)}, {"alpha", alpha}});
}

Tensor swap_last(const Tensor& a) {
  const int n = a->shape().ndim();
  Shape axes;
  for (int i = 0; i < n; ++i) axes.push_back(i < n - 2 ? i : 2 * n - 3 - i);
  return transpose_axes(a, axes);
}

Tensor triangle(const Tensor& a, bool lower) {
  const Tensor packed = apply("_linalg_extracttrian", {a}, {{"lower", Value(lower)}});
  return apply("_linalg_maketrian", {packed}, {{"lower", Value(lower)}});
}

Tensor diagonal_matrix(const Tensor& values) { return apply("_linalg_makediag", {values}); }
Tensor diagonal_values(const Tensor& matrix) { return apply("_linalg_extractdiag", {matrix}); }

Tensor mirrored(const Tensor& a) {
  const Tensor lower = triangle(a, true);
  return lower + swap_last(lower) - diagonal_matrix(diagonal_values(a));
}

}  // namespace mixgrad::ops::linalg
