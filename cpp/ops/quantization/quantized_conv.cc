// Convolution of 8-bit arrays, summed in 32 bits.
#include "ops/quantization/quantized_conv.h"

#include "kernels/convolution/conv_int8.h"

namespace mixgrad::ops::quantized_conv {

using quantization::kInt32Span;
using quantization::needs_8_bits;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::round_saturate_int32;
using quantization::write_range;

nn_backend::ConvShape conv_shape(const ConvParams& p, const Shape& data, const Shape& out) {
  nn_backend::ConvShape s = window::window_shape(window_of(p), data, out);
  s.groups = p.num_group;
  return s;
}

void infer_conv(const ConvParams& p, ShapeInfer& s) {
  const window::Window w = window_of(p);
  window::check_window(w, s);
  if (p.num_filter % p.num_group != 0) {
    s.reject("num_filter is ", p.num_filter, "; expected a multiple of num_group, ", p.num_group);
  }
  if (!p.no_bias) s.set_in(2, {p.num_filter});
  Shape out = s.in(0);
  if (!out.known_rank()) return;
  if (out[1] == 0 || (out[1] > 0 && out[1] % p.num_group != 0)) {
    s.reject("data has ", out[1], " channels; expected a multiple of num_group, ", p.num_group);
  }
  Shape weight{p.num_filter, out[1] < 0 ? Shape::kUnknownDim : out[1] / p.num_group};
  for (int64_t extent : w.kernel) weight.push_back(extent);
  s.set_in(1, weight);
  out[1] = p.num_filter;
  for (int i = 0; i < w.axes(); ++i) out[2 + i] = window::window_extent(w, i, out[2 + i], s);
  s.set_out(0, out);
}

double conv_cost(const ConvParams& p, Span<const Shape> in) {
  double positions = static_cast<double>(in[0][0]);
  for (int i = 0; i < p.kernel.ndim(); ++i) {
    positions *= static_cast<double>(in[0][2 + i]) / static_cast<double>(p.stride.ndim() ? p.stride[i] : 1);
  }
  return 1000 + 0.5 * nn_backend::products_cost(positions * static_cast<double>(in[1].size()));
}

namespace {

struct ConvSums {
  int32_t* out;
  int64_t filters, positions;
  const int32_t* bias;  // null: none
};

void store_conv_sums(const void* with, int64_t image, int64_t filter, int64_t first, const int32_t* sums,
                     int64_t n) {
  const auto& to = *static_cast<const ConvSums*>(with);
  const int64_t bias = to.bias ? to.bias[filter] : 0;
  int32_t* y = to.out + (image * to.filters + filter) * to.positions + first;
  for (int64_t i = 0; i < n; ++i) {
    y[i] = static_cast<int32_t>(std::clamp<int64_t>(sums[i] + bias, INT32_MIN, INT32_MAX));
  }
}

void quantized_conv_kernel(const ConvParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const size_t ranges = p.no_bias ? 2 : 3;
  const float step = read_range(args.in[ranges], args.in[ranges + 1]).magnitude() / 127.0f *
                     (read_range(args.in[ranges + 2], args.in[ranges + 3]).magnitude() / 127.0f);
  ScratchArray<int32_t> bias(p.no_bias ? 0 : static_cast<size_t>(p.num_filter));
  if (!p.no_bias) {
    // MXNet adds the bias of unsigned data as it is.
    const float bias_step = read_range(args.in[7], args.in[8]).magnitude() / 127.0f;
    const double factor =
        data.dtype == DType::uint8 ? 1.0 : static_cast<double>(bias_step) / static_cast<double>(step);
    for (size_t f = 0; f < bias.size(); ++f)
      bias[f] = round_saturate_int32(static_cast<double>(args.in[2].as<int8_t>()[f]) * factor);
  }
  const nn_backend::ConvShape s = conv_shape(p, data.shape(), out.shape());
  const ConvSums to{out.as<int32_t>(), s.filters, s.out_size(), p.no_bias ? nullptr : bias.data()};
  const Scratch weight = Scratch::of<int16_t>(args.in[1].size());
  conv_int8::widen(args.in[1].as<int8_t>(), weight.as<int16_t>(), args.in[1].size());
  conv_int8::forward(s, data, weight.as<int16_t>(), {&store_conv_sums, &to});
  write_range(args, 1, {-step * kInt32Span, step * kInt32Span});
}

const Op& quantized_conv_op =
    Define<ConvParams>("_contrib_quantized_conv")
        .doc(
            "Convolution of 8-bit arrays. The output is int32, whose range is 2^31 times the product of what "
            "one step of data and of weight stand for. As in MXNet on processors, a step of unsigned data "
            "counts as "
            "one of 127, and its bias is added without being scaled.")
        .origin("MXNet _contrib_quantized_conv")
        .input("data", "int8 or uint8 (n, channels, in...).")
        .input("weight", "int8 (num_filter, channels / num_group, window...).")
        .input("bias", "int8 (num_filter,); absent with no_bias, as are the last two inputs.")
        .input("min_data", "(1,): smallest value of data.")
        .input("max_data", "(1,): largest value of data.")
        .input("min_weight", "(1,): smallest value of weight.")
        .input("max_weight", "(1,): largest value of weight.")
        .input("min_bias", "(1,): smallest value of bias.")
        .input("max_bias", "(1,): largest value of bias.")
        .num_inputs([](const ConvParams& p) { return p.no_bias ? 6 : 9; })
        .outputs({"output", "min_output", "max_output"})
        .shape([](const ConvParams& p, ShapeInfer& s) {
          infer_conv(p, s);
          ranges_shape(s, p.no_bias ? 2 : 3);
        })
        .dtype([](const ConvParams& p, DTypeInfer& d) {
          needs_8_bits(d, 0);
          d.set_in(1, DType::int8);
          if (!p.no_bias) d.set_in(2, DType::int8);
          ranges_dtype(d, p.no_bias ? 2 : 3);
          d.set_out(0, DType::int32);
        })
        .kernel(quantized_conv_kernel)
        .cost(conv_cost)
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_conv
