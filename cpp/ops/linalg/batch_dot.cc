// Matrix products of two stacks of matrices.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/backend/nn_backend.h"
#include "op/define.h"

namespace mixgrad::ops::batch_dot {
namespace {

using nn_backend::matrix_product;
using nn_backend::products_cost;

enum class BatchStype { none, csr, dense, row_sparse };

struct BatchDotParams {
  bool transpose_a = false, transpose_b = false;
  BatchStype forward_stype = BatchStype::none;
  static void fields(Fields<BatchDotParams>& f) {
    f.add("transpose_a", &BatchDotParams::transpose_a, "Use the transposes of lhs.")
        .add("transpose_b", &BatchDotParams::transpose_b, "Use the transposes of rhs.")
        .choice("forward_stype", &BatchDotParams::forward_stype, {"None", "csr", "default", "row_sparse"},
                "Accepted and ignored: results are dense.");
  }
};

void stack_shape(const BatchDotParams& p, ShapeInfer& s) {
  if (!s.known(0) || !s.known(1)) return;
  const Shape &a = s.in(0), &b = s.in(1);
  const int n = a.ndim();
  if (n < 2 || b.ndim() != n) s.reject("both operands need the same number of axes, at least 2");
  for (int i = 0; i < n - 2; ++i) {
    if (a[i] != b[i]) s.reject("axis ", i, " differs; stacks do not broadcast");
  }
  const int64_t k = a[p.transpose_a ? n - 2 : n - 1], other = b[p.transpose_b ? n - 1 : n - 2];
  if (k != other) s.reject("the contracted axes have extents ", k, " and ", other, "; expected equal ones");
  Shape out = a;
  out[n - 2] = a[p.transpose_a ? n - 1 : n - 2];
  out[n - 1] = b[p.transpose_b ? n - 2 : n - 1];
  s.set_out(0, out);
}

void stack_dtype(const BatchDotParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

// c[i] = op(a[i]) op(b[i]). Small matrices are divided among threads whole, large ones each by all threads.
void stack_product(const View& a, bool transpose_a, const View& b, bool transpose_b, const View& c) {
  const Shape &as = a.shape(), &cs = c.shape();
  const int n = cs.ndim();
  Gemm one;
  one.m = cs[n - 2], one.n = cs[n - 1], one.k = as[transpose_a ? n - 2 : n - 1];
  one.lda = as[n - 1], one.ldb = b.shape()[n - 1], one.ldc = one.n;
  one.transpose_a = transpose_a, one.transpose_b = transpose_b;
  const int64_t count = cs.size(0, n - 2), item = static_cast<int64_t>(size_of(c.dtype));
  const int64_t a_step = one.m * one.k * item, b_step = one.n * one.k * item, c_step = one.m * one.n * item;
  const int64_t products = std::max<int64_t>(1, one.m * one.n * one.k);
  constexpr int64_t kGrain = 500000;
  const auto run = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Gemm g = one;
      g.a = a.as<char>() + i * a_step;
      g.b = b.as<char>() + i * b_step;
      g.c = c.as<char>() + i * c_step;
      matrix_product(c.dtype, g);
    }
  };
  if (count < num_threads() && products > 4 * kGrain) return run(0, count);
  parallel_for(count, loop_grain(kGrain, {products}), run);
}

void stack_kernel(const BatchDotParams& p, KernelArgs& args) {
  stack_product(args.in[0], p.transpose_a, args.in[1], p.transpose_b, args.out[0]);
}

void stack_backward(const BatchDotParams& p, BackwardArgs& args) {
  const View &grad = args.out_grad[0], &a = args.in[0], &b = args.in[1];
  if (args.wants(0)) {
    if (p.transpose_a)
      stack_product(b, p.transpose_b, grad, true, args.in_grad[0]);
    else
      stack_product(grad, false, b, !p.transpose_b, args.in_grad[0]);
  }
  if (args.wants(1)) {
    if (p.transpose_b)
      stack_product(grad, true, a, p.transpose_a, args.in_grad[1]);
    else
      stack_product(a, !p.transpose_a, grad, false, args.in_grad[1]);
  }
}

Tensor stack_of(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b) {
  return apply("batch_dot", {a, b},
               {{"transpose_a", Value(transpose_a)}, {"transpose_b", Value(transpose_b)}});
}

void stack_grad(const BatchDotParams& p, Grad& g) {
  const Tensor grad = g.out_grad();
  if (g.wants(0)) {
    g.set(0, p.transpose_a ? stack_of(g.in(1), p.transpose_b, grad, true)
                           : stack_of(grad, false, g.in(1), !p.transpose_b));
  }
  if (g.wants(1)) {
    g.set(1, p.transpose_b ? stack_of(grad, true, g.in(0), p.transpose_a)
                           : stack_of(g.in(0), !p.transpose_a, grad, false));
  }
}

double stack_cost(const BatchDotParams& p, Span<const Shape> in) {
  const Shape &a = in[0], &b = in[1];
  const int64_t columns = b[b.ndim() - (p.transpose_b ? 2 : 1)];
  return products_cost(static_cast<double>(a.size()) * static_cast<double>(columns));
}

const Op& batch_dot = Define<BatchDotParams>("batch_dot")
                          .alias("_npx_batch_dot")
                          .doc("Matrix products over the last two axes; all leading axes are equal.")
                          .origin("MXNet batch_dot")
                          .input("lhs", "Float array of at least two axes.")
                          .input("rhs", "Float array of the same dtype and number of axes.")
                          .shape(stack_shape)
                          .dtype(stack_dtype)
                          .kernel(stack_kernel)
                          .backward(stack_backward)
                          .grad(stack_grad)
                          .cost(stack_cost);

}  // namespace
}  // namespace mixgrad::ops::batch_dot
