// Product of two arrays over one axis of each.
#include "kernels/backend/nn_backend.h"
#include "op/define.h"

namespace mixgrad::ops::dot {
namespace {

using nn_backend::matrix_product;
using nn_backend::products_cost;

enum class Stype { none, csr, dense, row_sparse };

struct DotParams {
  bool transpose_a = false, transpose_b = false;
  Stype forward_stype = Stype::none;
  static void fields(Fields<DotParams>& f) {
    f.add("transpose_a", &DotParams::transpose_a, "Contract the first axis of lhs instead of its last.")
        .add("transpose_b", &DotParams::transpose_b, "Contract the last axis of rhs instead of its first.")
        .choice("forward_stype", &DotParams::forward_stype, {"None", "csr", "default", "row_sparse"},
                "Storage type of the result where an operand is sparse.");
  }
};

// Both operands as matrices: op(A) is m x k, op(B) is k x n.
struct Matrices {
  int64_t m, n, k;
};

Matrices dot_matrices(const DotParams& p, const Shape& a, const Shape& b) {
  const int64_t k = p.transpose_a ? a[0] : a.back();
  const int last = a.ndim(), last_b = b.ndim();
  return {p.transpose_a ? a.size(1, last) : a.size(0, last - 1),
          p.transpose_b ? b.size(0, last_b - 1) : b.size(1, last_b), k};
}

void dot_shape(const DotParams& p, ShapeInfer& s) {
  if (!s.known(0) || !s.known(1)) return;
  const Shape &a = s.in(0), &b = s.in(1);
  if (a.ndim() == 0 || b.ndim() == 0) s.reject("both operands need at least one axis");
  const int64_t k = p.transpose_a ? a[0] : a.back(), other = p.transpose_b ? b.back() : b[0];
  if (k != other) {
    s.reject("the ", p.transpose_a ? "first" : "last", " axis of lhs has extent ", k, " and the ",
             p.transpose_b ? "last" : "first", " axis of rhs ", other, "; expected equal extents");
  }
  Shape out;
  for (int i = p.transpose_a ? 1 : 0; i < a.ndim() - (p.transpose_a ? 0 : 1); ++i) out.push_back(a[i]);
  for (int i = p.transpose_b ? 0 : 1; i < b.ndim() - (p.transpose_b ? 1 : 0); ++i) out.push_back(b[i]);
  if (out.ndim() == 0) out.push_back(1);  // MXNet gives (1,) for two vectors
  s.set_out(0, out);
}

void dot_dtype(const DotParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

Gemm product(int64_t m, int64_t n, int64_t k, const View& a, bool transpose_a, const View& b,
             bool transpose_b, const View& c) {
  Gemm g;
  g.m = m, g.n = n, g.k = k;
  g.a = a.data, g.lda = transpose_a ? m : k, g.transpose_a = transpose_a;
  g.b = b.data, g.ldb = transpose_b ? k : n, g.transpose_b = transpose_b;
  g.c = c.data, g.ldc = n;
  return g;
}

void dot_kernel(const DotParams& p, KernelArgs& args) {
  const Matrices x = dot_matrices(p, args.in[0].shape(), args.in[1].shape());
  matrix_product(args.out[0].dtype,
                 product(x.m, x.n, x.k, args.in[0], p.transpose_a, args.in[1], p.transpose_b, args.out[0]));
}

// With C = op(A) op(B): the gradient of A is G op(B)' or, transposed, op(B) G'; that of B is op(A)' G or G' op(A).
void dot_backward(const DotParams& p, BackwardArgs& args) {
  const Matrices x = dot_matrices(p, args.in[0].shape(), args.in[1].shape());
  const View &grad = args.out_grad[0], &a = args.in[0], &b = args.in[1];
  if (args.wants(0)) {
    const View& c = args.in_grad[0];
    matrix_product(c.dtype, p.transpose_a ? product(x.k, x.m, x.n, b, p.transpose_b, grad, true, c)
                                          : product(x.m, x.k, x.n, grad, false, b, !p.transpose_b, c));
  }
  if (args.wants(1)) {
    const View& c = args.in_grad[1];
    matrix_product(c.dtype, p.transpose_b ? product(x.n, x.k, x.m, grad, true, a, p.transpose_a, c)
                                          : product(x.k, x.n, x.m, a, !p.transpose_a, grad, false, c));
  }
}

Tensor dot_of(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b) {
  return apply("dot", {a, b}, {{"transpose_a", Value(transpose_a)}, {"transpose_b", Value(transpose_b)}});
}

void dot_grad(const DotParams& p, Grad& g) {
  const Matrices x = dot_matrices(p, g.in_shape(0), g.in_shape(1));
  const Tensor grad = reshape_to(g.out_grad(), {x.m, x.n});
  if (g.wants(0)) {
    const Tensor b = reshape_to(g.in(1), p.transpose_b ? Shape{x.n, x.k} : Shape{x.k, x.n});
    const Tensor da =
        p.transpose_a ? dot_of(b, p.transpose_b, grad, true) : dot_of(grad, false, b, !p.transpose_b);
    g.set(0, reshape_to(da, g.in_shape(0)));
  }
  if (g.wants(1)) {
    const Tensor a = reshape_to(g.in(0), p.transpose_a ? Shape{x.k, x.m} : Shape{x.m, x.k});
    const Tensor db =
        p.transpose_b ? dot_of(grad, true, a, p.transpose_a) : dot_of(a, !p.transpose_a, grad, false);
    g.set(1, reshape_to(db, g.in_shape(1)));
  }
}

const Op& op = Define<DotParams>("dot")
                   .alias("_sparse_dot")
                   .doc(
                       "Sum of products over the last axis of lhs and the first axis of rhs; the other axes "
                       "follow one another, those of lhs first. Two vectors give shape (1,).")
                   .origin("MXNet dot")
                   .input("lhs", "Float array of at least one axis.")
                   .input("rhs", "Float array of the same dtype.")
                   .shape(dot_shape)
                   .dtype(dot_dtype)
                   .kernel(dot_kernel)
                   .backward(dot_backward)
                   .grad(dot_grad)
                   .cost([](const DotParams& p, Span<const Shape> in) {
                     const Matrices x = dot_matrices(p, in[0], in[1]);
                     return products_cost(static_cast<double>(x.m * x.n) * static_cast<double>(x.k));
                   });

}  // namespace
}  // namespace mixgrad::ops::dot
