// The layer that multiplies by a weight matrix and adds a bias.
#include "kernels/backend/nn_backend.h"
#include "op/define.h"

namespace mixgrad::ops::fully_connected {
namespace {

using nn_backend::matrix_product;
using nn_backend::products_cost;
using nn_backend::sum_rows;

struct FullyConnectedParams {
  int64_t num_hidden = 0;
  bool no_bias = false, flatten = true;
  static void fields(Fields<FullyConnectedParams>& f) {
    f.required("num_hidden", &FullyConnectedParams::num_hidden, "Extent of the last axis of the output.",
               at_least(1))
        .add("no_bias", &FullyConnectedParams::no_bias,
             "Leave the bias out; the operator then has two inputs.")
        .add("flatten", &FullyConnectedParams::flatten,
             "Treat every sample as one row; otherwise only the last axis is multiplied.");
  }
};

// The layer as a matrix product: rows x depth times the transpose of hidden x depth.
struct Rows {
  int64_t rows, depth;
};

Rows fc_rows(const FullyConnectedParams& p, const Shape& data) {
  const int n = data.ndim();
  return p.flatten ? Rows{data[0], data.size(1, n)} : Rows{data.size(0, n - 1), data[n - 1]};
}

void fc_shape(const FullyConnectedParams& p, ShapeInfer& s) {
  if (!p.no_bias) s.set_in(2, {p.num_hidden});
  Shape data = s.in(0);
  if (!data.known_rank()) return;
  const int n = data.ndim();
  if (n == 0) s.reject("data needs at least one axis");
  // The batch may be known from the output only.
  const Shape& given = s.out(0);
  if (data[0] < 0 && given.known_rank() && given.ndim() > 0 && (p.flatten || n > 1)) {
    data[0] = given[0];
    s.set_in(0, data);
  }
  Shape tail = data;
  if (p.flatten) tail.erase(0);
  const int64_t depth = !p.flatten ? data[n - 1] : tail.known() ? tail.size() : Shape::kUnknownDim;
  s.set_in(1, {p.num_hidden, depth});
  Shape out = data;
  if (p.flatten)
    out = {data[0], p.num_hidden};
  else
    out[n - 1] = p.num_hidden;
  s.set_out(0, out);
}

void fc_dtype(const FullyConnectedParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

void fc_kernel(const FullyConnectedParams& p, KernelArgs& args) {
  const Rows x = fc_rows(p, args.in[0].shape());
  Gemm g;
  g.m = x.rows, g.n = p.num_hidden, g.k = x.depth;
  g.a = args.in[0].data, g.lda = x.depth;
  g.b = args.in[1].data, g.ldb = x.depth, g.transpose_b = true;
  g.c = args.out[0].data, g.ldc = p.num_hidden;
  if (!p.no_bias) g.bias = args.in[2].data;
  matrix_product(args.out[0].dtype, g);
}

void fc_backward(const FullyConnectedParams& p, BackwardArgs& args) {
  const View& grad = args.out_grad[0];
  const Rows x = fc_rows(p, args.in[0].shape());
  Gemm g;
  if (args.wants(0)) {
    g.m = x.rows, g.n = x.depth, g.k = p.num_hidden;
    g.a = grad.data, g.lda = p.num_hidden;
    g.b = args.in[1].data, g.ldb = x.depth;
    g.c = args.in_grad[0].data, g.ldc = x.depth;
    matrix_product(grad.dtype, g);
  }
  if (args.wants(1)) {
    g.m = p.num_hidden, g.n = x.depth, g.k = x.rows;
    g.a = grad.data, g.lda = p.num_hidden, g.transpose_a = true;
    g.b = args.in[0].data, g.ldb = x.depth;
    g.c = args.in_grad[1].data, g.ldc = x.depth;
    matrix_product(grad.dtype, g);
  }
  if (!p.no_bias && args.wants(2))
    sum_rows(grad.dtype, grad.data, x.rows, p.num_hidden, args.in_grad[2].data);
}

void fc_grad(const FullyConnectedParams& p, Grad& g) {
  const Rows x = fc_rows(p, g.in_shape(0));
  const Tensor grad = reshape_to(g.out_grad(), {x.rows, p.num_hidden});
  if (g.wants(0)) g.set(0, reshape_to(apply("dot", {grad, g.in(1)}), g.in_shape(0)));
  if (g.wants(1)) {
    g.set(1, apply("dot", {grad, reshape_to(g.in(0), {x.rows, x.depth})}, {{"transpose_a", Value(true)}}));
  }
  if (!p.no_bias && g.wants(2)) g.set(2, reshape_to(sum_axes(grad, {0}, false), {p.num_hidden}));
}

const Op& op =
    Define<FullyConnectedParams>("FullyConnected")
        .alias("_npx_fully_connected")
        .alias("_sparse_FullyConnected")
        .doc(
            "Product of every sample with the transposed weight, plus a bias: data (n, ...) and weight "
            "(num_hidden, depth) give (n, num_hidden).")
        .origin("MXNet FullyConnected")
        .input("data", "Float array; the first axis counts samples.")
        .input("weight", "(num_hidden, depth), where depth is the size of one sample.")
        .input("bias", "(num_hidden,); absent with no_bias.")
        .num_inputs([](const FullyConnectedParams& p) { return p.no_bias ? 2 : 3; })
        .shape(fc_shape)
        .dtype(fc_dtype)
        .kernel(fc_kernel)
        .backward(fc_backward)
        .grad(fc_grad)
        .grad_needs({0, 1}, {})
        .cost([](const FullyConnectedParams& p, Span<const Shape> in) {
          return products_cost(static_cast<double>(in[0].size()) * static_cast<double>(p.num_hidden));
        });

}  // namespace
}  // namespace mixgrad::ops::fully_connected
