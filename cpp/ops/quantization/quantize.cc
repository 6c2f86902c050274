// Floats to 8 bits.
#include <cstring>

#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantize {
namespace {

using quantization::calibrated;
using quantization::extremes;
using quantization::FloatRange;
using quantization::is_8_bit;
using quantization::kInt8Span;
using quantization::kOutTypeNames;
using quantization::kUint8Span;
using quantization::OutType;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::round_all;
using quantization::span_of;
using quantization::stored_range;
using quantization::with_8_bits;
using quantization::write_range;

struct QuantizeParams {
  OutType out_type = OutType::uint8;
  static void fields(Fields<QuantizeParams>& f) {
    f.choice("out_type", &QuantizeParams::out_type, Span<const char* const>(kOutTypeNames),
             "Type of the output: int8 or uint8.");
  }
};

struct QuantizeV2Params {
  OutType out_type = OutType::int8;
  std::optional<float> min_calib_range, max_calib_range;
  static void fields(Fields<QuantizeV2Params>& f) {
    f.choice("out_type", &QuantizeV2Params::out_type, Span<const char* const>(kOutTypeNames),
             "Type of the output; auto is uint8 where min_calib_range is given and not negative, else int8.")
        .add("min_calib_range", &QuantizeV2Params::min_calib_range,
             "Smallest value that occurs; without it, that of data.")
        .add("max_calib_range", &QuantizeV2Params::max_calib_range,
             "Largest value that occurs; without it, that of data.");
  }
};

DType out_dtype(OutType type, const std::optional<FloatRange>& range) {
  if (type == OutType::automatic) return range && range->low >= 0 ? DType::uint8 : DType::int8;
  return type == OutType::uint8 ? DType::uint8 : DType::int8;
}

void quantize_shape(ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  ranges_shape(s, 1);
}

void quantize_kernel(const QuantizeParams&, KernelArgs& args) {
  const View& out = args.out[0];
  const FloatRange range = read_range(args.in[1], args.in[2]);
  with_8_bits(out.dtype, [&](auto of) {
    using T = decltype(of);
    const float span = out.dtype == DType::uint8 ? 255.0f : 127.0f;
    round_all(args.in[0].as<float>(), span / range.magnitude(), out.as<T>(), out.size());
  });
  write_range(args, 1, stored_range(out.dtype, range));
}

void quantize_v2_kernel(const QuantizeV2Params& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  if (is_8_bit(data.dtype)) {  // as it is
    if (out.bytes() > 0) std::memcpy(out.data, data.data, out.bytes());
    return write_range(
        args, 1, data.dtype == DType::uint8 ? FloatRange{0, kUint8Span} : FloatRange{-kInt8Span, kInt8Span});
  }
  std::optional<FloatRange> range = calibrated(p.min_calib_range, p.max_calib_range);
  if (!range) {
    range.emplace();
    extremes(data.as<float>(), data.size(), range->low, range->high);
  }
  with_8_bits(out.dtype, [&](auto of) {
    using T = decltype(of);
    round_all(data.as<float>(), span_of(out.dtype) / range->magnitude(), out.as<T>(), out.size());
  });
  write_range(args, 1, stored_range(out.dtype, *range));
}

const Op& quantize =
    Define<QuantizeParams>("_contrib_quantize")
        .doc(
            "Floats rounded to 8 bits: int8 gets data * 127 / m and uint8 data * 255 / m, where m is the "
            "larger magnitude "
            "of the range's ends. What lies outside saturates.")
        .origin("MXNet _contrib_quantize")
        .input("data", "float32 of any shape.")
        .input("min_range", "(1,): smallest value that occurs.")
        .input("max_range", "(1,): largest value that occurs.")
        .outputs({"output", "min_output", "max_output"})
        .shape([](const QuantizeParams&, ShapeInfer& s) { quantize_shape(s); })
        .dtype([](const QuantizeParams& p, DTypeInfer& d) {
          if (p.out_type == OutType::automatic) d.reject("out_type is auto; expected int8 or uint8");
          d.set_in(0, DType::float32);
          d.set_out(0, out_dtype(p.out_type, std::nullopt));
          ranges_dtype(d, 1);
        })
        .kernel(quantize_kernel)
        .no_gradient();

const Op& quantize_v2 =
    Define<QuantizeV2Params>("_contrib_quantize_v2")
        .doc(
            "Floats rounded to 8 bits: int8 gets data * 127.5 / m and uint8 data * 255.5 / m, where m is the "
            "largest "
            "magnitude in the range given, or in data. What lies outside saturates. 8-bit data passes.")
        .origin("MXNet _contrib_quantize_v2")
        .input("data", "float32, int8 or uint8 of any shape.")
        .outputs({"output", "min_output", "max_output"})
        .shape([](const QuantizeV2Params&, ShapeInfer& s) { quantize_shape(s); })
        .dtype([](const QuantizeV2Params& p, DTypeInfer& d) {
          if (d.in(0) != DType::unknown && d.in(0) != DType::float32 && !is_8_bit(d.in(0)))
            d.reject("expected float32, int8 or uint8");
          d.set_out(0, out_dtype(p.out_type, calibrated(p.min_calib_range, p.max_calib_range)));
          ranges_dtype(d, 1);
        })
        .kernel(quantize_v2_kernel)
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantize
