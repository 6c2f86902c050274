// FullyConnected and the activation behind it in one operator: what the pass `fuse` makes of the two.
#include "kernels/backend/nn_backend.h"
#include "kernels/convolution/conv_epilogue.h"
#include "ops/nn/fused_epilogue.h"

namespace mixgrad::ops::fused_fully_connected {
namespace {

struct FusedFullyConnectedParams : fused_epilogue::EpilogueParams {
  int64_t num_hidden = 0;
  bool no_bias = false, flatten = true;
  static void fields(Fields<FusedFullyConnectedParams>& f) {
    using P = FusedFullyConnectedParams;
    f.required("num_hidden", &P::num_hidden, "Extent of the last axis of the output.", at_least(1))
        .add("no_bias", &P::no_bias, "Leave the bias out; the operator then has two inputs.")
        .add("flatten", &P::flatten,
             "Treat every sample as one row; otherwise only the last axis is multiplied.");
    fused_epilogue::add_fields(f);
  }
};

void fused_fc_shape(const FusedFullyConnectedParams& p, ShapeInfer& s) {
  if (!p.no_bias) s.set_in(2, {p.num_hidden});
  const Shape& data = s.in(0);
  if (!data.known()) return;
  const int n = data.ndim();
  if (n == 0) s.reject("data needs at least one axis");
  s.set_in(1, {p.num_hidden, p.flatten ? data.size(1, n) : data[n - 1]});
  Shape out = data;
  if (p.flatten)
    out = {data[0], p.num_hidden};
  else
    out[n - 1] = p.num_hidden;
  s.set_out(0, out);
}

void fused_fc_dtype(const FusedFullyConnectedParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && d.in(0) != DType::float32) d.reject("expected float32");
}

struct FusedFcEpilogue : GemmEpilogue {
  ConvEpilogue epilogue;
};

void fused_fc_kernel(const FusedFullyConnectedParams& p, KernelArgs& args) {
  const View &weight = args.in[1], &out = args.out[0];
  Gemm g;
  g.n = p.num_hidden, g.k = weight.shape()[1], g.m = out.size() / p.num_hidden;
  g.a = args.in[0].data, g.lda = g.k;
  g.b = weight.data, g.ldb = g.k, g.transpose_b = true;
  g.c = out.data, g.ldc = g.n;
  if (!p.no_bias) g.bias = args.in[2].data;
  FusedFcEpilogue end;
  end.epilogue = fused_epilogue::epilogue_of(p);
  end.run = [](const GemmEpilogue& self, float* c, int64_t n) {
    conv_epilogue::finish(static_cast<const FusedFcEpilogue&>(self).epilogue, c, nullptr, c, n);
  };
  if (!conv_epilogue::nothing_left(end.epilogue)) g.end = &end;
  nn_backend::matrix_product(DType::float32, g);
}

const Op& op = Define<FusedFullyConnectedParams>("_fused_fully_connected")
                   .doc(
                       "activation(FullyConnected(data, weight, bias)), float32. It has no gradient of its "
                       "own: graphs with a "
                       "backward part keep those of the two. Graphs get it from the pass `fuse`.")
                   .input("data", "Float array; the first axis counts samples.")
                   .input("weight", "(num_hidden, depth), where depth is the size of one sample.")
                   .input("bias", "(num_hidden,); absent with no_bias.")
                   .num_inputs([](const FusedFullyConnectedParams& p) { return p.no_bias ? 2 : 3; })
                   .shape(fused_fc_shape)
                   .dtype(fused_fc_dtype)
                   .kernel(fused_fc_kernel)
                   .cost([](const FusedFullyConnectedParams& p, Span<const Shape> in) {
                     return nn_backend::products_cost(static_cast<double>(in[0].size()) *
                                                      static_cast<double>(p.num_hidden));
                   });

}  // namespace
}  // namespace mixgrad::ops::fused_fully_connected
