// Triangular matrices: products, solutions, Cholesky factors and the inverse from them.
#include "kernels/backend/nn_backend.h"
#include "kernels/linalg/matrix_kernels.h"
#include "ops/linalg/linalg.h"

namespace mixgrad::ops::linalg_triangular {
namespace {

using linalg::columns_of;
using linalg::product;
using linalg::rows_of;
using linalg::triangle;
using matrix_kernels::arrange;

struct TriangularParams {
  bool transpose = false, rightside = false, lower = true;
  double alpha = 1;
  static void fields(Fields<TriangularParams>& f) {
    f.add("transpose", &TriangularParams::transpose, "Use the transposes of A.")
        .add("rightside", &TriangularParams::rightside, "A stands to the right.")
        .add("lower", &TriangularParams::lower, "Which triangle of A is used; the other is not read.")
        .add("alpha", &TriangularParams::alpha, "Factor of B.");
  }
};

struct CholeskyParams {
  bool lower = true;
  static void fields(Fields<CholeskyParams>& f) {
    f.add("lower", &CholeskyParams::lower, "Which triangle is used; the other is not read.");
  }
};

void triangular_shape(const TriangularParams& p, ShapeInfer& s) {
  s.set_in(1, s.out(0));
  s.set_out(0, s.in(1));
  if (!s.known(0) || !s.known(1)) return;
  linalg::check_matrices(s, 0, true);
  linalg::check_matrices(s, 1, false);
  const Shape &a = s.in(0), &b = s.in(1);
  const int n = a.ndim();
  if (b.ndim() != n) s.reject("A and B need the same number of axes");
  for (int i = 0; i < n - 2; ++i) {
    if (a[i] != b[i]) s.reject("axis ", i, " differs; stacks do not broadcast");
  }
  const int64_t side = b[n - (p.rightside ? 1 : 2)];
  if (a[n - 1] != side) s.reject("A has ", a[n - 1], " rows and meets ", side, " of B; expected as many");
}

double triangular_cost(const TriangularParams&, Span<const Shape> in) {
  return nn_backend::products_cost(static_cast<double>(in[1].size()) *
                                   static_cast<double>(columns_of(in[0])));
}

// out = alpha * op(A) B or alpha * B op(A), with zeros in the other triangle of A.
template <class C>
void multiply(const TriangularParams& p, const KernelArgs& args, int64_t first, int64_t last) {
  const Shape& s = args.out[0].shape();
  const int64_t m = rows_of(s), n = columns_of(s), side = p.rightside ? n : m;
  const Scratch a_workspace = Scratch::of<C>(side * side), b_workspace = Scratch::of<C>(m * n),
                out_workspace = Scratch::of<C>(m * n);
  C *a = a_workspace.as<C>(), *b = b_workspace.as<C>(), *out = out_workspace.as<C>();
  for (int64_t i = first; i < last; ++i) {
    linalg::load(args.in[0], i * side * side, side * side, a);
    linalg::load(args.in[1], i * m * n, m * n, b);
    for (int64_t r = 0; r < side; ++r) {
      if (p.lower)
        std::fill(a + r * side + r + 1, a + (r + 1) * side, C(0));
      else
        std::fill(a + r * side, a + r * side + r, C(0));
    }
    Gemm g;
    g.m = m, g.n = n, g.k = side;
    g.a = p.rightside ? b : a, g.lda = p.rightside ? n : side, g.transpose_a = !p.rightside && p.transpose;
    g.b = p.rightside ? a : b, g.ldb = p.rightside ? side : n, g.transpose_b = p.rightside && p.transpose;
    g.c = out, g.ldc = n;
    g.alpha = p.alpha;
    nn_backend::matrix_product(dtype_of<C>(), g);
    linalg::store(out, args.out[0], i * m * n, m * n);
  }
}

// Every variant becomes "lower triangle from the left": X op(A) = B is op(A)^T X^T = B^T, and an upper triangle with
// rows and columns in reverse order is a lower one.
template <class C>
void solve(const TriangularParams& p, const KernelArgs& args, int64_t first, int64_t last) {
  const Shape& s = args.out[0].shape();
  const int64_t m = rows_of(s), n = columns_of(s), side = p.rightside ? n : m, others = p.rightside ? m : n;
  const bool transposed = p.transpose != p.rightside, reverse = p.lower == transposed;
  const Scratch workspace = Scratch::of<C>(side * side + m * n), sorted = Scratch::of<C>(side * side + m * n);
  C *a = workspace.as<C>(), *b = a + side * side, *lower = sorted.as<C>(), *x = lower + side * side;
  for (int64_t i = first; i < last; ++i) {
    linalg::load(args.in[0], i * side * side, side * side, a);
    linalg::load(args.in[1], i * m * n, m * n, b);
    arrange(a, side, side, transposed, reverse, reverse, lower);
    arrange(b, side, others, p.rightside, reverse, false, x);
    for (int64_t k = 0; k < m * n; ++k) x[k] *= static_cast<C>(p.alpha);
    matrix_kernels::solve_lower(lower, side, false, x, others);
    // Back: rows of the result are columns of x where A stands to the right.
    arrange(x, m, n, p.rightside, !p.rightside && reverse, p.rightside && reverse, b);
    linalg::store(b, args.out[0], i * m * n, m * n);
  }
}

template <bool kSolve>
void triangular_kernel(const TriangularParams& p, KernelArgs& args) {
  const Shape &a = args.in[0].shape(), &b = args.in[1].shape();
  if (args.out[0].size() == 0) return;
  const int64_t products = rows_of(b) * columns_of(b) * columns_of(a);
  linalg::for_matrices(linalg::stack_of(b), products, [&](int64_t first, int64_t last) {
    linalg::with_float(args.out[0].dtype, [&](auto* tag) {
      using C = std::remove_pointer_t<decltype(tag)>;
      kSolve ? solve<C>(p, args, first, last) : multiply<C>(p, args, first, last);
    });
  });
}

Tensor triangular(const char* op, const TriangularParams& p, const Tensor& a, const Tensor& b, bool transpose,
                  double alpha) {
  return apply(op, {a, b},
               {{"transpose", Value(transpose)},
                {"rightside", Value(p.rightside)},
                {"lower", Value(p.lower)},
                {"alpha", alpha}});
}

void multiply_grad(const TriangularParams& p, Grad& g) {
  const Tensor grad = g.out_grad();
  if (g.wants(1)) g.set(1, triangular("_linalg_trmm", p, g.in(0), grad, !p.transpose, p.alpha));
  if (!g.wants(0)) return;
  const Tensor b = g.in(1);
  Tensor full;
  if (p.rightside)
    full = p.transpose ? product(grad, true, b, false, p.alpha) : product(b, true, grad, false, p.alpha);
  else
    full = p.transpose ? product(b, false, grad, true, p.alpha) : product(grad, false, b, true, p.alpha);
  g.set(0, triangle(full, p.lower));
}

void solve_grad(const TriangularParams& p, Grad& g) {
  // What flows back through the inverse, to B but for alpha.
  const Tensor back = triangular("_linalg_trsm", p, g.in(0), g.out_grad(), !p.transpose, 1);
  if (g.wants(1)) g.set(1, p.alpha == 1 ? back : back * p.alpha);
  if (!g.wants(0)) return;
  const Tensor x = g.out(0);
  Tensor full;
  if (p.rightside)
    full = p.transpose ? product(back, true, x, false, -1) : product(x, true, back, false, -1);
  else
    full = p.transpose ? product(x, false, back, true, -1) : product(back, false, x, true, -1);
  g.set(0, triangle(full, p.lower));
}

void square_shape(const CholeskyParams&, ShapeInfer& s) {
  infer_like(s, 0);
  if (s.known(0)) linalg::check_matrices(s, 0, true);
}

double cube_cost(const CholeskyParams&, Span<const Shape> in) {
  return linalg::loop_cost(static_cast<double>(in[0].size()) * static_cast<double>(columns_of(in[0])) / 2);
}

// f(matrix, n, result, which of the stack) for every matrix, both as C; matrices are given as lower ones.
template <class F>
void for_lower(const CholeskyParams& p, KernelArgs& args, F f) {
  const View &in = args.in[0], &out = args.out[0];
  if (out.size() == 0) return;
  const int64_t n = columns_of(in.shape());
  linalg::for_matrices(linalg::stack_of(in.shape()), n * n * n, [&](int64_t first, int64_t last) {
    linalg::with_float(in.dtype, [&](auto* tag) {
      using C = std::remove_pointer_t<decltype(tag)>;
      const Scratch a_workspace = Scratch::of<C>(n * n), b_workspace = Scratch::of<C>(n * n);
      C *a = a_workspace.as<C>(), *b = b_workspace.as<C>();
      for (int64_t i = first; i < last; ++i) {
        linalg::load(in, i * n * n, n * n, b);
        arrange(b, n, n, !p.lower, false, false, a);
        f(a, n, b, i);
        linalg::store(b, out, i * n * n, n * n);
      }
    });
  });
}

void cholesky_kernel(const CholeskyParams& p, KernelArgs& args) {
  const char* who = args.name();
  for_lower(p, args, [&](auto* a, int64_t n, auto* out, int64_t which) {
    const int64_t row = matrix_kernels::cholesky(a, n);
    if (row >= 0) {
      fail(Status::invalid_argument, "[", who, "] matrix ", which, " of shape (", n, ", ", n,
           ") fails at row ", row, "; expected a symmetric positive definite matrix");
    }
    arrange(a, n, n, !p.lower, false, false, out);
  });
}

// With Phi taking the lower triangle and its mirror image: dA = L^-T Phi(L^T dL) L^-1 / 2, symmetric.
void cholesky_grad(const CholeskyParams& p, Grad& g) {
  const Tensor l = p.lower ? g.out(0) : linalg::swap_last(g.out(0));
  const Tensor grad = p.lower ? g.out_grad() : linalg::swap_last(g.out_grad());
  const Tensor inner = linalg::mirrored(product(l, true, grad, false));
  const Tensor left = apply("_linalg_trsm", {l, inner}, {{"transpose", Value(true)}});
  g.set(0, apply("_linalg_trsm", {l, left}, {{"rightside", Value(true)}, {"alpha", 0.5}}));
}

void inverse_kernel(const CholeskyParams& p, KernelArgs& args) {
  for_lower(p, args, [](auto* l, int64_t n, auto* out, int64_t) {
    using C = std::remove_pointer_t<decltype(out)>;
    const Scratch workspace = Scratch::of<C>(n * n);
    C* x = workspace.template as<C>();
    std::fill(x, x + n * n, C(0));
    for (int64_t i = 0; i < n; ++i) x[i * n + i] = 1;
    matrix_kernels::solve_lower(l, n, false, x, n);
    Gemm g;
    g.m = g.n = g.k = n;
    g.a = g.b = x, g.lda = g.ldb = n, g.transpose_a = true;
    g.c = out, g.ldc = n;
    nn_backend::matrix_product(dtype_of<C>(), g);
  });
}

// Of B = (L L^T)^-1: dL = -(B (dB + dB^T) L^-T), its lower triangle.
void inverse_grad(const CholeskyParams& p, Grad& g) {
  const Tensor l = p.lower ? g.in(0) : linalg::swap_last(g.in(0));
  const Tensor both = g.out_grad() + linalg::swap_last(g.out_grad());
  const Tensor right =
      apply("_linalg_trsm", {l, both}, {{"transpose", Value(true)}, {"rightside", Value(true)}});
  const Tensor lower = triangle(product(g.out(0), false, right, false, -1), true);
  g.set(0, p.lower ? lower : linalg::swap_last(lower));
}

Define<TriangularParams>& finish_triangular(Define<TriangularParams>& define) {
  return define.input("A", "(..., n, n) triangular matrices of a float dtype.")
      .input("B", "(..., n, m), or (..., m, n) when A stands to the right.")
      .shape(triangular_shape)
      .dtype([](const TriangularParams&, DTypeInfer& d) { linalg::float_dtype(d); })
      .cost(triangular_cost);
}

Define<CholeskyParams>& finish_cholesky(Define<CholeskyParams>& define) {
  return define.shape(square_shape)
      .dtype([](const CholeskyParams&, DTypeInfer& d) { linalg::float_dtype(d); })
      .cost(cube_cost);
}

const bool kRegistered = [] {
  Define<TriangularParams> trmm("_linalg_trmm"), trsm("_linalg_trsm");
  trmm.alias("linalg_trmm")
      .doc("alpha * op(A) B, or alpha * B op(A), with triangular A.")
      .origin("MXNet linalg_trmm");
  finish_triangular(trmm).kernel(triangular_kernel<false>).grad(multiply_grad).done();
  trsm.alias("linalg_trsm")
      .doc("The solution X of op(A) X = alpha * B, or of X op(A) = alpha * B, with triangular A.")
      .origin("MXNet linalg_trsm");
  finish_triangular(trsm).kernel(triangular_kernel<true>).grad_needs({0}, {0}).grad(solve_grad).done();

  Define<CholeskyParams> potrf("_linalg_potrf"), potri("_linalg_potri");
  potrf.alias("_npi_cholesky");
  potrf.alias("linalg_potrf")
      .doc(
          "Cholesky factors: lower triangular L with A = L L^T, or upper triangular U with A = U^T U. The "
          "gradient of "
          "A is symmetric.")
      .origin("MXNet linalg_potrf; https://arxiv.org/abs/1710.08717")
      .input("A", "(..., n, n) symmetric positive definite matrices of a float dtype.");
  finish_cholesky(potrf).kernel(cholesky_kernel).grad_needs({}, {0}).grad(cholesky_grad).done();
  potri.alias("linalg_potri")
      .doc("The inverse of A = L L^T from its Cholesky factor L, or of A = U^T U from U.")
      .origin("MXNet linalg_potri; https://arxiv.org/abs/1710.08717")
      .input("A", "(..., n, n) Cholesky factors of a float dtype.");
  finish_cholesky(potri).kernel(inverse_kernel).grad_needs({0}, {0}).grad(inverse_grad).done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::linalg_triangular
