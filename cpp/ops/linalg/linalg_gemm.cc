// Matrix products with factors: gemm, gemm2, syrk.
#include "kernels/backend/nn_backend.h"
#include "ops/linalg/linalg.h"

namespace mixgrad::ops::linalg_gemm {
namespace {

struct Gemm2Params {
  bool transpose_a = false, transpose_b = false;
  double alpha = 1;
  int64_t axis = -2;
  static void fields(Fields<Gemm2Params>& f) { add_axis(add_factors(f)); }
  template <class P>
  static Fields<P>& add_factors(Fields<P>& f) {
    return f.add("transpose_a", &P::transpose_a, "Use the transposes of A.")
        .add("transpose_b", &P::transpose_b, "Use the transposes of B.")
        .add("alpha", &P::alpha, "Factor of the product.");
  }
  template <class P>
  static void add_axis(Fields<P>& f) {
    f.add("axis", &P::axis, "Axis of the matrix rows; the columns are the last one.");
  }
};

struct GemmParams : Gemm2Params {
  double beta = 1;
  static void fields(Fields<GemmParams>& f) {
    add_axis(add_factors(f).add("beta", &GemmParams::beta, "Factor of C."));
  }
};

struct SyrkParams {
  bool transpose = false;
  double alpha = 1;
  static void fields(Fields<SyrkParams>& f) {
    f.add("transpose", &SyrkParams::transpose, "Transpose of A times A, instead of A times its transpose.")
        .add("alpha", &SyrkParams::alpha, "Factor of the product.");
  }
};

int rows_axis(const Gemm2Params& p, const Shape& s, const char* who) {
  return normalize_axis(p.axis, s.ndim(), who);
}

Shape product_shape(const Gemm2Params& p, const ShapeInfer& s) {
  const Shape &a = s.in(0), &b = s.in(1);
  const int n = a.ndim();
  if (n < 2 || b.ndim() != n) s.reject("A and B need the same number of axes, at least 2");
  const int rows = rows_axis(p, a, s.name()), columns = n - 1;
  if (rows == columns) s.reject("axis ", p.axis, " is that of the columns; expected another");
  for (int i = 0; i < n; ++i) {
    if (i != rows && i != columns && a[i] != b[i]) s.reject("axis ", i, " differs; stacks do not broadcast");
  }
  const int64_t k = a[p.transpose_a ? rows : columns], other = b[p.transpose_b ? columns : rows];
  if (k != other) s.reject("the contracted axes have extents ", k, " and ", other, "; expected equal ones");
  Shape out = a;
  out[rows] = a[p.transpose_a ? columns : rows];
  out[columns] = b[p.transpose_b ? rows : columns];
  return out;
}

// A stack of matrices whose rows lie `inner` matrices apart.
struct Stack {
  const View& view;
  int64_t rows, columns, inner;
  Stack(const View& v, int axis)
      : view(v),
        rows(v.shape()[axis]),
        columns(v.shape().back()),
        inner(v.shape().size(axis + 1, v.shape().ndim() - 1)) {}
  char* matrix(int64_t i) const {
    const int64_t at = i / inner * rows * inner * columns + i % inner * columns;
    return view.as<char>() + static_cast<size_t>(at) * size_of(view.dtype);
  }
  int64_t step() const { return inner * columns; }
  int64_t count() const { return view.size() / std::max<int64_t>(1, rows * columns); }
};

// c = alpha * op(a) op(b), added to what c holds where asked for.
void stack_product(const Gemm2Params& p, const View& av, bool transpose_a, const View& bv, bool transpose_b,
                   const View& cv, int axis, bool accumulate) {
  if (cv.size() == 0) return;
  const Stack a(av, axis), b(bv, axis), c(cv, axis);
  Gemm one;
  one.m = c.rows, one.n = c.columns, one.k = transpose_a ? a.rows : a.columns;
  one.lda = a.step(), one.ldb = b.step(), one.ldc = c.step();
  one.transpose_a = transpose_a, one.transpose_b = transpose_b;
  one.alpha = p.alpha;
  one.accumulate = accumulate;
  linalg::for_matrices(c.count(), one.m * one.n * std::max<int64_t>(1, one.k),
                       [&](int64_t begin, int64_t end) {
                         for (int64_t i = begin; i < end; ++i) {
                           Gemm g = one;
                           if (one.k > 0) g.a = a.matrix(i), g.b = b.matrix(i);
                           g.c = c.matrix(i);
                           nn_backend::matrix_product(cv.dtype, g);
                         }
                       });
}

// Gradients of A and B in terms of the same operator.
Tensor stacked(const Gemm2Params& p, const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b) {
  return apply("_linalg_gemm2", {a, b},
               {{"transpose_a", Value(transpose_a)},
                {"transpose_b", Value(transpose_b)},
                {"alpha", p.alpha},
                {"axis", p.axis}});
}
void product_grad(const Gemm2Params& p, Grad& g) {
  const Tensor grad = g.out_grad();
  if (g.wants(0)) {
    g.set(0, p.transpose_a ? stacked(p, g.in(1), p.transpose_b, grad, true)
                           : stacked(p, grad, false, g.in(1), !p.transpose_b));
  }
  if (g.wants(1)) {
    g.set(1, p.transpose_b ? stacked(p, grad, true, g.in(0), p.transpose_a)
                           : stacked(p, g.in(0), !p.transpose_a, grad, false));
  }
}

void product_backward(const Gemm2Params& p, BackwardArgs& args) {
  const View &grad = args.out_grad[0], &a = args.in[0], &b = args.in[1];
  const int axis = rows_axis(p, grad.shape(), args.name());
  if (args.wants(0)) {
    if (p.transpose_a)
      stack_product(p, b, p.transpose_b, grad, true, args.in_grad[0], axis, false);
    else
      stack_product(p, grad, false, b, !p.transpose_b, args.in_grad[0], axis, false);
  }
  if (args.wants(1)) {
    if (p.transpose_b)
      stack_product(p, grad, true, a, p.transpose_a, args.in_grad[1], axis, false);
    else
      stack_product(p, a, !p.transpose_a, grad, false, args.in_grad[1], axis, false);
  }
}

template <class P>
double product_cost(const P& p, Span<const Shape> in) {
  const Shape &a = in[0], &b = in[1];
  const int axis = rows_axis(p, b, "linalg_gemm");
  return nn_backend::products_cost(static_cast<double>(a.size()) *
                                   static_cast<double>(p.transpose_b ? b[axis] : b.back()));
}

// The scaled C, to which the product is added.
void scale_into(const View& c, double beta, const View& out) {
  constexpr int64_t kTile = 256;
  parallel_for(out.size(), 16384, [&](int64_t begin, int64_t end) {
    double tile[kTile];
    for (int64_t at = begin; at < end; at += kTile) {
      const int64_t n = std::min(kTile, end - at);
      linalg::load(c, at, n, tile);
      for (int64_t i = 0; i < n; ++i) tile[i] *= beta;
      linalg::store(tile, out, at, n);
    }
  });
}

const Op& gemm2 =
    Define<Gemm2Params>("_linalg_gemm2")
        .alias("linalg_gemm2")
        .doc("alpha * op(A) op(B) for stacks of matrices; all axes but those of rows and columns are equal.")
        .origin("MXNet linalg_gemm2")
        .input("A", "Float array of at least two axes.")
        .input("B", "Float array of the same dtype and number of axes.")
        .shape([](const Gemm2Params& p, ShapeInfer& s) {
          if (s.known(0) && s.known(1)) s.set_out(0, product_shape(p, s));
        })
        .dtype([](const Gemm2Params&, DTypeInfer& d) { linalg::float_dtype(d); })
        .kernel([](const Gemm2Params& p, KernelArgs& args) {
          const View& out = args.out[0];
          stack_product(p, args.in[0], p.transpose_a, args.in[1], p.transpose_b, out,
                        rows_axis(p, out.shape(), args.name()), false);
        })
        .backward(product_backward)
        .grad(product_grad)
        .cost(product_cost<Gemm2Params>);

const Op& gemm = Define<GemmParams>("_linalg_gemm")
                     .alias("linalg_gemm")
                     .doc(
                         "alpha * op(A) op(B) + beta * C for stacks of matrices; all axes but those of rows "
                         "and columns are equal.")
                     .origin("MXNet linalg_gemm")
                     .input("A", "Float array of at least two axes.")
                     .input("B", "Float array of the same dtype and number of axes.")
                     .input("C", "Of the shape of the result.")
                     .shape([](const GemmParams& p, ShapeInfer& s) {
                       if (!s.known(0) || !s.known(1)) return;
                       const Shape out = product_shape(p, s);
                       s.set_in(2, out);
                       s.set_out(0, out);
                     })
                     .dtype([](const GemmParams&, DTypeInfer& d) { linalg::float_dtype(d); })
                     .kernel([](const GemmParams& p, KernelArgs& args) {
                       const View& out = args.out[0];
                       scale_into(args.in[2], p.beta, out);
                       stack_product(p, args.in[0], p.transpose_a, args.in[1], p.transpose_b, out,
                                     rows_axis(p, out.shape(), args.name()), true);
                     })
                     .grad_needs({0, 1}, {})
                     .grad([](const GemmParams& p, Grad& g) {
                       product_grad(p, g);
                       if (g.wants(2)) g.set(2, g.out_grad() * p.beta);
                     })
                     .cost(product_cost<GemmParams>);

const Op& syrk =
    Define<SyrkParams>("_linalg_syrk")
        .alias("linalg_syrk")
        .doc("alpha * A A^T, or alpha * A^T A, for a stack of matrices.")
        .origin("MXNet linalg_syrk")
        .input("A", "(..., m, n), a float dtype.")
        .shape([](const SyrkParams& p, ShapeInfer& s) {
          if (!s.known(0)) return;
          linalg::check_matrices(s, 0, false);
          Shape out = s.in(0);
          const int n = out.ndim();
          out[n - 1] = out[n - 2] = out[p.transpose ? n - 1 : n - 2];
          s.set_out(0, out);
        })
        .dtype([](const SyrkParams&, DTypeInfer& d) { linalg::float_dtype(d); })
        .kernel([](const SyrkParams& p, KernelArgs& args) {
          Gemm2Params product;
          product.alpha = p.alpha;
          stack_product(product, args.in[0], p.transpose, args.in[0], !p.transpose, args.out[0],
                        args.out[0].shape().ndim() - 2, false);
        })
        .grad([](const SyrkParams& p, Grad& g) {
          const Tensor both = g.out_grad() + linalg::swap_last(g.out_grad());
          g.set(0, p.transpose ? linalg::product(g.in(0), false, both, false, p.alpha)
                               : linalg::product(both, false, g.in(0), false, p.alpha));
        })
        .cost([](const SyrkParams& p, Span<const Shape> in) {
          const Shape& a = in[0];
          return nn_backend::products_cost(static_cast<double>(a.size()) *
                                           static_cast<double>(a[a.ndim() - (p.transpose ? 1 : 2)]));
        });

}  // namespace
}  // namespace mixgrad::ops::linalg_gemm
