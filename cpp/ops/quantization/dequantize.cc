// 8 bits back to floats, and sums of 32 bits to 8.
#include "ops/quantization/quantize.h"

namespace mixgrad::ops::dequantize {
namespace {

using quantization::calibrated;
using quantization::extremes;
using quantization::kOutTypeNames;
using quantization::kRoundGrain;
using quantization::needs_8_bits;
using quantization::OutType;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::round_all;
using quantization::span_of;
using quantization::with_8_bits;
using quantization::write_range;

enum class FloatType { float32 };
struct DequantizeParams {
  FloatType out_type = FloatType::float32;
  static void fields(Fields<DequantizeParams>& f) {
    f.choice("out_type", &DequantizeParams::out_type, {"float32"}, "Type of the output.");
  }
};

struct RequantizeParams {
  OutType out_type = OutType::int8;
  std::optional<float> min_calib_range, max_calib_range;
  static void fields(Fields<RequantizeParams>& f) {
    f.choice("out_type", &RequantizeParams::out_type, Span<const char* const>(kOutTypeNames),
             "Type of the output; auto is uint8 where min_calib_range is given and not negative, else int8.")
        .add("min_calib_range", &RequantizeParams::min_calib_range,
             "Smallest value that occurs; without it, that of data.")
        .add("max_calib_range", &RequantizeParams::max_calib_range,
             "Largest value that occurs; without it, that of data.");
  }
};

void same_shape(ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  ranges_shape(s, 1);
}

void dequantize_kernel(const DequantizeParams&, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const float scale = read_range(args.in[1], args.in[2]).magnitude() / span_of(data.dtype);
  with_8_bits(data.dtype, [&](auto of) {
    using T = decltype(of);
    const T* x = data.as<T>();
    auto* y = out.as<float>();
    parallel_for(out.size(), kRoundGrain, [&](int64_t begin, int64_t end) {
      MIXGRAD_VECTORIZE
      for (int64_t i = begin; i < end; ++i) y[i] = static_cast<float>(x[i]) * scale;
    });
  });
}

void requantize_kernel(const RequantizeParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  // What one step of data stands for.
  const float step = read_range(args.in[1], args.in[2]).magnitude() / 2147483647.0f;
  const auto* x = data.as<int32_t>();
  float magnitude;
  if (const auto range = calibrated(p.min_calib_range, p.max_calib_range)) {
    magnitude = range->magnitude();
  } else {
    int32_t low, high;
    extremes(x, data.size(), low, high);
    magnitude = std::max(-static_cast<float>(low), static_cast<float>(high)) * step;
  }
  const bool is_signed = out.dtype == DType::int8;
  const float scale = step * ((is_signed ? 127.0f : 255.0f) / magnitude);
  with_8_bits(out.dtype, [&](auto of) { round_all(x, scale, out.as<decltype(of)>(), out.size()); });
  write_range(args, 1, {is_signed ? -magnitude : 0.0f, magnitude});
}

const Op& dequantize =
    Define<DequantizeParams>("_contrib_dequantize")
        .doc(
            "8 bits to floats: int8 times m / 127.5, uint8 times m / 255.5, where m is the larger magnitude "
            "of the range's ends.")
        .origin("MXNet _contrib_dequantize")
        .input("data", "int8 or uint8 of any shape.")
        .input("min_range", "(1,): smallest value that occurs.")
        .input("max_range", "(1,): largest value that occurs.")
        .shape([](const DequantizeParams&, ShapeInfer& s) { same_shape(s); })
        .dtype([](const DequantizeParams&, DTypeInfer& d) {
          needs_8_bits(d, 0);
          ranges_dtype(d, 1);
          d.set_out(0, DType::float32);
        })
        .kernel(dequantize_kernel)
        .no_gradient();

const Op& requantize =
    Define<RequantizeParams>("_contrib_requantize")
        .doc(
            "Sums of 32 bits, whose range is the whole of int32, to 8 bits over a smaller range: the one "
            "given, or "
            "that of data.")
        .origin("MXNet _contrib_requantize")
        .input("data", "int32 of any shape.")
        .input("min_range", "(1,): what the smallest int32 stands for.")
        .input("max_range", "(1,): what the largest int32 stands for.")
        .outputs({"output", "min_output", "max_output"})
        .shape([](const RequantizeParams&, ShapeInfer& s) { same_shape(s); })
        .dtype([](const RequantizeParams& p, DTypeInfer& d) {
          const auto range = calibrated(p.min_calib_range, p.max_calib_range);
          const bool is_unsigned =
              p.out_type == OutType::uint8 || (p.out_type == OutType::automatic && range && range->low >= 0);
          d.set_in(0, DType::int32);
          d.set_out(0, is_unsigned ? DType::uint8 : DType::int8);
          ranges_dtype(d, 1);
        })
        .kernel(requantize_kernel)
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::dequantize
