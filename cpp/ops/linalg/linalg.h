// Shared by the linear algebra operators: stacks of matrices in the last two axes, one at a time as float or double.
#pragma once

#include <algorithm>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::linalg {

inline int64_t rows_of(const Shape& s) { return s[s.ndim() - 2]; }
inline int64_t columns_of(const Shape& s) { return s[s.ndim() - 1]; }
inline int64_t stack_of(const Shape& s, int axes = 2) { return s.size(0, s.ndim() - axes); }

// Rejects fewer than two axes and, where asked for, matrices that are not square.
void check_matrices(const ShapeInfer& s, int input, bool square);
// One number per matrix: the shape without the last two axes, or (1,).
Shape per_matrix(const Shape& matrices);
void float_dtype(DTypeInfer& d);
// Rough nanoseconds of `products` multiply-adds in plain loops.
double loop_cost(double products);
// Runs f(first, last) over ranges of a stack of matrices that take `products` each: large ones one after another, so
// that each may use the team, small ones shared out.
template <class F>
void for_matrices(int64_t count, int64_t products, F&& f) {
  constexpr int64_t kGrain = 200000;
  if (count < num_threads() || products > 16 * kGrain) {
    if (count > 0) f(int64_t{0}, count);
    return;
  }
  parallel_for(count, loop_grain(kGrain, {products}), f);
}

// `n` elements of a view from `at` on, as C, and back.
template <class C>
void load(const View& view, int64_t at, int64_t n, C* dst) {
  convert(view.as<char>() + static_cast<size_t>(at) * size_of(view.dtype), view.dtype, dst, dtype_of<C>(), n);
}
template <class C>
void store(const C* src, const View& view, int64_t at, int64_t n) {
  convert(src, dtype_of<C>(), view.as<char>() + static_cast<size_t>(at) * size_of(view.dtype), view.dtype, n);
}

// Calls f with a null C*: double for float64, else float.
template <class F>
void with_float(DType dtype, F&& f) {
  if (dtype == DType::float64)
    f(static_cast<double*>(nullptr));
  else
    f(static_cast<float*>(nullptr));
}

// Pieces of gradients. Products are alpha * op(a) op(b).
Tensor product(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b, double alpha = 1);
Tensor swap_last(const Tensor& a);
// The triangle of square matrices, zeros elsewhere.
Tensor triangle(const Tensor& a, bool lower);
Tensor diagonal_matrix(const Tensor& values);
Tensor diagonal_values(const Tensor& matrix);
// The lower triangle, and its mirror image above.
Tensor mirrored(const Tensor& a);

}  // namespace mixgrad::ops::linalg
