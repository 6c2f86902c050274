// Orthogonal factorisations: LQ, and the eigenvectors of symmetric matrices.
#include "kernels/linalg/matrix_reflections.h"
#include "ops/linalg/linalg.h"

namespace mixgrad::ops::linalg_factors {
namespace {

using linalg::columns_of;
using linalg::product;
using linalg::rows_of;

double factor_cost(const NoParams&, Span<const Shape> in) {
  return linalg::loop_cost(6 * static_cast<double>(in[0].size()) * static_cast<double>(rows_of(in[0])));
}

void lq_kernel(const NoParams&, KernelArgs& args) {
  const View& in = args.in[0];
  if (in.size() == 0) return;
  const int64_t m = rows_of(in.shape()), n = columns_of(in.shape());
  linalg::for_matrices(linalg::stack_of(in.shape()), 4 * m * m * n, [&](int64_t first, int64_t last) {
    linalg::with_float(in.dtype, [&](auto* tag) {
      using C = std::remove_pointer_t<decltype(tag)>;
      const Scratch workspace = Scratch::of<C>(2 * m * n + m * m);
      C *a = workspace.as<C>(), *q = a + m * n, *l = q + m * n;
      for (int64_t i = first; i < last; ++i) {
        linalg::load(in, i * m * n, m * n, a);
        matrix_reflections::factor_lq(a, m, n, q, l);
        linalg::store(q, args.out[0], i * m * n, m * n);
        linalg::store(l, args.out[1], i * m * m, m * m);
      }
    });
  });
}

// dA = L^-T (dQ + Phi(L^T dL - dQ Q^T) Q), with Phi taking the lower triangle and its mirror image.
void lq_grad(const NoParams&, Grad& g) {
  const Tensor q = g.out(0), l = g.out(1), dq = g.out_grad(0);
  const Tensor inner = product(l, true, g.out_grad(1), false) - product(dq, false, q, true);
  const Tensor sum = dq + product(linalg::mirrored(inner), false, q, false);
  g.set(0, apply("_linalg_trsm", {l, sum}, {{"transpose", Value(true)}}));
}

void eigen_kernel(const NoParams&, KernelArgs& args) {
  const View& in = args.in[0];
  if (in.size() == 0) return;
  const int64_t n = columns_of(in.shape());
  linalg::for_matrices(linalg::stack_of(in.shape()), 9 * n * n * n, [&](int64_t first, int64_t last) {
    const Scratch workspace = Scratch::of<double>(2 * n * n + n);
    double *a = workspace.as<double>(), *u = a + n * n, *values = u + n * n;
    for (int64_t i = first; i < last; ++i) {
      linalg::load(in, i * n * n, n * n, a);
      matrix_reflections::eigen_symmetric(a, n, u, values);
      linalg::store(u, args.out[0], i * n * n, n * n);
      linalg::store(values, args.out[1], i * n, n);
    }
  });
}

// dA = U^T (diag(dl) + (dU U^T) * E) U made symmetric, with E_ij = 1 / (l_i - l_j) between different eigenvalues. Equal
// ones leave their eigenvectors undetermined and pass nothing on.
void eigen_grad(const NoParams&, Grad& g) {
  const Tensor u = g.out(0), values = g.out(1);
  const Shape& s = values->shape();
  Shape column = s, row = s;
  column.push_back(1);
  row.insert(row.ndim() - 1, 1);
  const Tensor gap = reshape_to(values, column) - reshape_to(values, row);
  const Tensor equal = apply("_equal_scalar", {gap}, {{"scalar", 0.0}});
  const Tensor mixed = select(equal, zeros_like(gap), product(g.out_grad(0), false, u, true) / (gap + equal));
  const Tensor inner = (mixed + linalg::swap_last(mixed)) * 0.5 + linalg::diagonal_matrix(g.out_grad(1));
  g.set(0, product(u, true, product(inner, false, u, false), false));
}

const Op& gelqf = Define<>("_linalg_gelqf")
                      .alias("linalg_gelqf")
                      .doc("LQ factorisation A = L Q: Q has orthonormal rows, L is lower triangular.")
                      .origin("MXNet linalg_gelqf; https://arxiv.org/abs/1710.08717")
                      .input("A", "(..., m, n) with m at most n and full rank, a float dtype.")
                      .outputs({"Q", "L"})
                      .num_outputs([](const NoParams&) { return 2; })
                      .shape([](const NoParams&, ShapeInfer& s) {
                        if (!s.known(0)) return;
                        linalg::check_matrices(s, 0, false);
                        Shape l = s.in(0);
                        if (rows_of(l) > columns_of(l)) s.reject("expected at most as many rows as columns");
                        s.set_out(0, l);
                        l[l.ndim() - 1] = rows_of(l);
                        s.set_out(1, l);
                      })
                      .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
                      .kernel(lq_kernel)
                      .cost(factor_cost)
                      .grad_needs({}, {0, 1})
                      .grad(lq_grad);

const Op& syevd =
    Define<>("_linalg_syevd")
        .doc(
            "Eigenvalues L of symmetric matrices, in ascending order, and eigenvectors as the rows of U: "
            "A = U^T diag(L) U. Only the lower triangle is read; the gradient of A is symmetric.")
        .origin("MXNet linalg_syevd; https://arxiv.org/abs/1710.08717")
        .input("A", "(..., n, n) symmetric matrices of a float dtype.")
        .outputs({"U", "L"})
        .num_outputs([](const NoParams&) { return 2; })
        .shape([](const NoParams&, ShapeInfer& s) {
          if (!s.known(0)) return;
          linalg::check_matrices(s, 0, true);
          Shape values = s.in(0);
          s.set_out(0, values);
          values.erase(values.ndim() - 1);
          s.set_out(1, values);
        })
        .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
        .kernel(eigen_kernel)
        .cost(factor_cost)
        .grad_needs({}, {0, 1})
        .grad(eigen_grad);

}  // namespace
}  // namespace mixgrad::ops::linalg_factors
