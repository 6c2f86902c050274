// Kronecker products column by column.
#include <algorithm>

#include "kernels/elements.h"
#include "kernels/math/math.h"
#include "op/define.h"

namespace mixgrad::ops::khatri_rao {
namespace {

void khatri_shape(const NoParams&, ShapeInfer& s) {
  if (s.num_inputs() < 1) s.reject("expected at least one matrix");
  int64_t rows = 1, columns = Shape::kUnknownDim;
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (s.in(i).known_rank() && s.in(i).ndim() != 2) s.reject("expected matrices (rows, columns)");
    s.set_in(i, {Shape::kUnknownDim, columns});
    columns = s.in(i)[1];
    const int64_t more = s.in(i)[0];
    if (rows < 0 || more < 0)
      rows = Shape::kUnknownDim;
    else if (__builtin_mul_overflow(rows, more, &rows))
      s.reject("the product of all rows is beyond 64 bits");
  }
  for (int i = 0; i < s.num_inputs(); ++i) s.set_in(i, {Shape::kUnknownDim, columns});
  s.set_out(0, {rows, columns});
}

template <class C>
void khatri_kernel(KernelArgs& args) {
  const View& out = args.out[0];
  const int64_t columns = out.shape()[1];
  if (out.size() == 0) return;
  Elements<C> results(out, out.size());
  C* to = results.write(0);
  std::fill(to, to + out.size(), C(1));
  int64_t inner = out.shape()[0];  // rows of the product of the matrices that follow
  for (const View& matrix : args.in) {
    Elements<C> values(matrix, matrix.size());
    const C* from = values.read(0, matrix.size());
    const int64_t rows = matrix.shape()[0];
    inner /= rows;
    for (int64_t r = 0; r < out.shape()[0]; ++r) {
      const C* factor = from + r / inner % rows * columns;
      for (int64_t k = 0; k < columns; ++k) {
        C& product = to[r * columns + k];
        product = math::multiply(product, factor[k]);
      }
    }
  }
  results.store(0, out.size());
}

// With one axis per matrix, the gradient of one is the sum over the axes of the others.
void khatri_grad(const NoParams&, Grad& g) {
  const int n = g.num_inputs();
  const int64_t columns = g.out_shape()[1];
  Shape whole;
  for (int i = 0; i < n; ++i) whole.push_back(g.in_shape(i)[0]);
  whole.push_back(columns);
  const Tensor head = reshape_to(g.out_grad(), whole);
  for (int i = 0; i < n; ++i) {
    if (!g.wants(i)) continue;
    Tensor product = head;
    Shape others;
    for (int j = 0; j < n; ++j) {
      if (j == i) continue;
      Shape lone = Shape::filled(n + 1, 1);
      lone[j] = g.in_shape(j)[0];
      lone[n] = columns;
      product = product * reshape_to(g.in(j), lone);
      others.push_back(j);
    }
    g.set(i, others.ndim() > 0 ? sum_axes(product, others, false) : reshape_to(product, g.in_shape(i)));
  }
}

const Op& op =
    Define<>("khatri_rao")
        .doc(
            "(product of all rows, columns): column k is the Kronecker product of the columns k of all "
            "matrices.")
        .origin("MXNet khatri_rao")
        .variadic("args", "Matrices (rows, columns) with the same number of columns; at most 15.", nullptr)
        .shape([](const NoParams& p, ShapeInfer& s) {
          if (s.num_inputs() >= kMaxDims) s.reject("expected at most 15 matrices");
          khatri_shape(p, s);
        })
        .dtype([](const NoParams&, DTypeInfer& d) { infer_same_dtype(d); })
        .kernel([](const NoParams&, KernelArgs& args) {
          const DType dtype = args.out[0].dtype;
          if (dtype == DType::float64)
            khatri_kernel<double>(args);
          else if (is_float(dtype))
            khatri_kernel<float>(args);
          else
            khatri_kernel<int64_t>(args);
        })
        .element_cost(2)
        .grad(khatri_grad);

}  // namespace
}  // namespace mixgrad::ops::khatri_rao
