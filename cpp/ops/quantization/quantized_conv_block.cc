// Layers of 8-bit arrays with what MXNet's fusion puts behind them.
#include "ops/quantization/quantized_block.h"
#include "ops/quantization/quantized_conv.h"

namespace mixgrad::ops::quantized_conv_block {
namespace {

using quantization::needs_8_bits;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::write_range;
using quantized_block::BlockCall;
using quantized_block::BlockParams;
using quantized_block::BlockWeights;
using quantized_conv::ConvParams;

struct ConvBlockParams : ConvParams, BlockParams {
  bool scaled = false;
  static void fields(Fields<ConvBlockParams>& f) {
    ConvParams::add_to(f).add("scaled", &ConvBlockParams::scaled,
                              "Weights are multiplied by a factor per filter, the input after them.");
    BlockParams::add_to(f);
  }
};

struct FcBlockParams : BlockParams {
  int64_t num_hidden = 0;
  bool no_bias = false, flatten = true, float_weight = false;
  static void fields(Fields<FcBlockParams>& f) {
    f.required("num_hidden", &FcBlockParams::num_hidden, "Extent of the last axis of the output.",
               at_least(1))
        .add("no_bias", &FcBlockParams::no_bias, "Leave the bias out.")
        .add("flatten", &FcBlockParams::flatten,
             "Treat every sample as one row; otherwise only the last axis is multiplied.")
        .add("float_weight", &FcBlockParams::float_weight, "Weight and bias are float32 and have no ranges.");
    BlockParams::add_to(f);
  }
};

// Arrays before the ranges.
int conv_arrays(const ConvBlockParams& p) {
  return 2 + (p.scaled ? 1 : 0) + (p.no_bias ? 0 : 1) + (p.with_sum ? 1 : 0);
}
int fc_arrays(const FcBlockParams& p) { return p.no_bias ? 2 : 3; }

void block_outputs(const BlockParams& p, DTypeInfer& d, int arrays) {
  needs_8_bits(d, 0);
  ranges_dtype(d, arrays);
  d.set_out(0, quantized_block::out_dtype(p));
}

void conv_block_kernel(const ConvBlockParams& p, KernelArgs& args) {
  const auto ranges = static_cast<size_t>(conv_arrays(p));
  BlockCall call;
  call.data = &args.in[0], call.weight = &args.in[1], call.out = &args.out[0];
  call.data_range = read_range(args.in[ranges], args.in[ranges + 1]);
  if (p.scaled) call.factor = &args.in[2];
  if (!p.no_bias) call.bias = &args.in[p.scaled ? 3 : 2];
  if (p.with_sum) {
    call.sum = &args.in[ranges - 1];
    call.sum_range = read_range(args.in[ranges + 2], args.in[ranges + 3]);
  }
  const auto weights = BlockWeights::of(p, call, args, false);
  const nn_backend::ConvShape s = quantized_conv::conv_shape(p, call.data->shape(), call.out->shape());
  const BlockWeights::Finish finish = weights->finish(p, call, s.out_size());
  conv_int8::forward(s, *call.data, weights->weight(), {&quantized_block::store_planes, &finish});
  if (!p.enable_float_output) write_range(args, 1, weights->range(p));
}

void fc_block_shape(const FcBlockParams& p, ShapeInfer& s) {
  ranges_shape(s, fc_arrays(p));
  if (!p.no_bias) s.set_in(2, {p.num_hidden});
  const Shape data = s.in(0);
  if (!data.known_rank()) return;
  const int n = data.ndim();
  if (n == 0) s.reject("data needs at least one axis");
  Shape tail = data, out = data;
  tail.erase(0);
  s.set_in(1, {p.num_hidden, !p.flatten ? data[n - 1] : tail.known() ? tail.size() : Shape::kUnknownDim});
  if (p.flatten)
    out = {data[0], p.num_hidden};
  else
    out[n - 1] = p.num_hidden;
  s.set_out(0, out);
}

void fc_block_kernel(const FcBlockParams& p, KernelArgs& args) {
  const auto ranges = static_cast<size_t>(fc_arrays(p));
  BlockCall call;
  call.data = &args.in[0], call.weight = &args.in[1], call.out = &args.out[0];
  call.data_range = read_range(args.in[ranges], args.in[ranges + 1]);
  if (!p.no_bias) call.bias = &args.in[2];
  if (!p.float_weight) {
    call.weight_range = read_range(args.in[ranges + 2], args.in[ranges + 3]);
    if (!p.no_bias) call.bias_range = read_range(args.in[ranges + 4], args.in[ranges + 5]);
  }
  const auto weights = BlockWeights::of(p, call, args, p.enable_float_output);
  const BlockWeights::Finish finish = weights->finish(p, call, 1);
  conv_int8::products(*call.data, call.out->size() / p.num_hidden, call.weight->shape()[1], weights->weight(),
                      p.num_hidden, {&quantized_block::store_rows, &finish});
  if (!p.enable_float_output) write_range(args, 1, weights->range(p));
}

const Op& quantized_conv_block_op =
    Define<ConvBlockParams>("_quantized_conv_block")
        .doc(
            "Convolution of an 8-bit array with float weights, which are rounded per filter if the output's "
            "range is "
            "known, then bias, activation, another array added and its activation. The output has 8 bits "
            "over the "
            "range given, or is int32, or float32. As in MXNet, a sum with an int8 array ends at 127 even as "
            "uint8.")
        .origin("MXNet _sg_mkldnn_conv with quantized")
        .variadic("data",
                  "data, weight, factor, bias, sum; then (1,) each: low and high of data, then of the sum.",
                  nullptr)
        .num_inputs([](const ConvBlockParams& p) { return conv_arrays(p) + (p.with_sum ? 4 : 2); })
        .outputs({"output", "min_output", "max_output"})
        .num_outputs([](const ConvBlockParams& p) { return quantized_block::num_block_outputs(p); })
        .shape([](const ConvBlockParams& p, ShapeInfer& s) {
          ConvParams plain = p;
          plain.no_bias = true;
          quantized_conv::infer_conv(plain, s);
          for (int i = 2; i < conv_arrays(p) - (p.with_sum ? 1 : 0); ++i) s.set_in(i, {p.num_filter});
          ranges_shape(s, conv_arrays(p));
          if (p.with_sum) s.set_in(conv_arrays(p) - 1, s.out(0));
        })
        .dtype([](const ConvBlockParams& p, DTypeInfer& d) {
          d.set_in(1, DType::float32);
          for (int i = 2; i < conv_arrays(p) - (p.with_sum ? 1 : 0); ++i) d.set_in(i, DType::float32);
          if (p.with_sum) needs_8_bits(d, conv_arrays(p) - 1);
          block_outputs(p, d, conv_arrays(p));
        })
        .kernel(conv_block_kernel)
        .keeps([](const ConvBlockParams&) { return 1; })
        .cost([](const ConvBlockParams& p, Span<const Shape> in) { return quantized_conv::conv_cost(p, in); })
        .no_gradient();

const Op& quantized_fc_block_op =
    Define<FcBlockParams>("_quantized_fully_connected_block")
        .doc(
            "Product of every sample of an 8-bit array with the transposed weight, plus a bias and an "
            "activation. "
            "The output has 8 bits over the range given, or is int32, or float32.")
        .origin("MXNet _sg_mkldnn_fully_connected with quantized")
        .variadic(
            "data",
            "data, weight, bias; then (1,) each: low and high of data and, of int8 ones, of weight and bias.",
            nullptr)
        .num_inputs([](const FcBlockParams& p) {
          return fc_arrays(p) * (p.float_weight ? 1 : 3) + (p.float_weight ? 2 : 0);
        })
        .outputs({"output", "min_output", "max_output"})
        .num_outputs([](const FcBlockParams& p) { return quantized_block::num_block_outputs(p); })
        .shape(fc_block_shape)
        .dtype([](const FcBlockParams& p, DTypeInfer& d) {
          for (int i = 1; i < fc_arrays(p); ++i) d.set_in(i, p.float_weight ? DType::float32 : DType::int8);
          block_outputs(p, d, fc_arrays(p));
        })
        .kernel(fc_block_kernel)
        .keeps([](const FcBlockParams& p) { return p.float_weight ? 1 : 0; })
        .cost([](const FcBlockParams& p, Span<const Shape> in) {
          return 500 + 0.5 * nn_backend::products_cost(static_cast<double>(in[0].size()) *
                                                       static_cast<double>(p.num_hidden));
        })
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_conv_block
