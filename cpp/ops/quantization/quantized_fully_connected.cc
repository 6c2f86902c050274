// The layer that multiplies by a weight matrix, of 8-bit arrays.
#include "kernels/backend/nn_backend.h"
#include "kernels/convolution/conv_int8.h"
#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantized_fully_connected {
namespace {

using quantization::kInt32Span;
using quantization::kInt8Span;
using quantization::needs_8_bits;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::round_saturate_int32;
using quantization::span_of;
using quantization::write_range;

struct FcParams {
  int64_t num_hidden = 0;
  bool no_bias = false, flatten = true;
  static void fields(Fields<FcParams>& f) {
    f.required("num_hidden", &FcParams::num_hidden, "Extent of the last axis of the output.", at_least(1))
        .add("no_bias", &FcParams::no_bias, "Leave the bias and its range out.")
        .add("flatten", &FcParams::flatten,
             "Treat every sample as one row; otherwise only the last axis is multiplied.");
  }
};

void fc_shape(const FcParams& p, ShapeInfer& s) {
  ranges_shape(s, p.no_bias ? 2 : 3);
  if (!p.no_bias) s.set_in(2, {p.num_hidden});
  Shape data = s.in(0);
  if (!data.known_rank()) return;
  const int n = data.ndim();
  if (n == 0) s.reject("data needs at least one axis");
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

struct FcSums {
  int32_t* out;
  int64_t hidden;
  const int32_t* bias;  // null: none
};

void store_fc_sums(const void* with, int64_t row, int64_t, int64_t first, const int32_t* sums, int64_t n) {
  const auto& to = *static_cast<const FcSums*>(with);
  int32_t* y = to.out + row * to.hidden + first;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t bias = to.bias ? to.bias[first + i] : 0;
    y[i] = static_cast<int32_t>(std::clamp<int64_t>(sums[i] + bias, INT32_MIN, INT32_MAX));
  }
}

void fc_kernel(const FcParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const size_t ranges = p.no_bias ? 2 : 3;
  const float levels = data.dtype == DType::uint8 ? 255.0f : 127.0f;
  const float step = read_range(args.in[ranges], args.in[ranges + 1]).magnitude() / levels *
                     (read_range(args.in[ranges + 2], args.in[ranges + 3]).magnitude() / 127.0f);
  ScratchArray<int32_t> bias(p.no_bias ? 0 : static_cast<size_t>(p.num_hidden));
  if (!p.no_bias) {
    // In half steps beyond the largest number, and cut towards zero, as MXNet has it.
    const float data_scale = span_of(data.dtype) / read_range(args.in[3], args.in[4]).magnitude();
    const float weight_scale = kInt8Span / read_range(args.in[5], args.in[6]).magnitude();
    const float bias_scale = kInt8Span / read_range(args.in[7], args.in[8]).magnitude();
    const float factor = data_scale * weight_scale / bias_scale;
    for (size_t f = 0; f < bias.size(); ++f) {
      bias[f] = round_saturate_int32(
          static_cast<double>(std::trunc(static_cast<float>(args.in[2].as<int8_t>()[f]) * factor)));
    }
  }
  const int64_t depth = args.in[1].shape()[1];
  const FcSums to{out.as<int32_t>(), p.num_hidden, p.no_bias ? nullptr : bias.data()};
  const Scratch weight = Scratch::of<int16_t>(args.in[1].size());
  conv_int8::widen(args.in[1].as<int8_t>(), weight.as<int16_t>(), args.in[1].size());
  conv_int8::products(data, out.size() / p.num_hidden, depth, weight.as<int16_t>(), p.num_hidden,
                      {&store_fc_sums, &to});
  write_range(args, 1, {-step * kInt32Span, step * kInt32Span});
}

const Op& quantized_fc =
    Define<FcParams>("_contrib_quantized_fully_connected")
        .doc(
            "Product of every sample with the transposed weight, plus a bias, of 8-bit arrays. The output is "
            "int32, "
            "whose range is 2^31 times the product of what one step of data and of weight stand for.")
        .origin("MXNet _contrib_quantized_fully_connected")
        .input("data", "int8 or uint8; the first axis counts samples.")
        .input("weight", "int8 (num_hidden, depth), where depth is the size of one sample.")
        .input("bias", "int8 (num_hidden,); absent with no_bias, as are the last two inputs.")
        .input("min_data", "(1,): smallest value of data.")
        .input("max_data", "(1,): largest value of data.")
        .input("min_weight", "(1,): smallest value of weight.")
        .input("max_weight", "(1,): largest value of weight.")
        .input("min_bias", "(1,): smallest value of bias.")
        .input("max_bias", "(1,): largest value of bias.")
        .num_inputs([](const FcParams& p) { return p.no_bias ? 6 : 9; })
        .outputs({"output", "min_output", "max_output"})
        .shape(fc_shape)
        .dtype([](const FcParams& p, DTypeInfer& d) {
          needs_8_bits(d, 0);
          d.set_in(1, DType::int8);
          if (!p.no_bias) d.set_in(2, DType::int8);
          ranges_dtype(d, p.no_bias ? 2 : 3);
          d.set_out(0, DType::int32);
        })
        .kernel(fc_kernel)
        .cost([](const FcParams& p, Span<const Shape> in) {
          return 500 + 0.5 * nn_backend::products_cost(static_cast<double>(in[0].size()) *
                                                       static_cast<double>(p.num_hidden));
        })
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_fully_connected
