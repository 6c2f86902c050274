// Sums and products of 8-bit arrays of one shape.
#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantized_elemwise {
namespace {

using quantization::calibrated;
using quantization::FloatRange;
using quantization::kInt32Span;
using quantization::kInt8Span;
using quantization::kRoundGrain;
using quantization::needs_8_bits;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::round_saturate;
using quantization::round_saturate_int32;
using quantization::span_of;
using quantization::with_8_bits;
using quantization::write_range;

struct CalibParams {
  std::optional<float> min_calib_range, max_calib_range;
  template <class P>
  static Fields<P>& add_to(Fields<P>& f) {
    return f
        .add("min_calib_range", &P::min_calib_range,
             "Smallest value of the output; with it the output has 8 bits.")
        .add("max_calib_range", &P::max_calib_range,
             "Largest value of the output; with it the output has 8 bits.");
  }
};
struct AddParams : CalibParams {
  static void fields(Fields<AddParams>& f) { add_to(f); }
};
struct MulParams : CalibParams {
  bool enable_float_output = false;
  static void fields(Fields<MulParams>& f) {
    add_to(f).add("enable_float_output", &MulParams::enable_float_output, "The only output is float32.");
  }
};

void elemwise_shape(ShapeInfer& s) {
  for (int i = 0; i < 2; ++i) s.set_out(0, s.in(i));
  for (int i = 0; i < 2; ++i) s.set_in(i, s.out(0));
  ranges_shape(s, 2);
}

// Both as floats: fn(i, x, y) is given stretches of elements.
void add_kernel(const AddParams& p, KernelArgs& args) {
  const View &lhs = args.in[0], &rhs = args.in[1], &out = args.out[0];
  const FloatRange left = read_range(args.in[2], args.in[3]), right = read_range(args.in[4], args.in[5]);
  const float a = left.magnitude() / span_of(lhs.dtype), b = right.magnitude() / span_of(rhs.dtype);
  const auto range = calibrated(p.min_calib_range, p.max_calib_range);
  const float sum = left.magnitude() + right.magnitude();
  with_8_bits(lhs.dtype, [&](auto left_of) {
    with_8_bits(rhs.dtype, [&](auto right_of) {
      const auto* x = lhs.as<decltype(left_of)>();
      const auto* y = rhs.as<decltype(right_of)>();
      if (!range) {
        // Sums in float32, as in MXNet.
        const auto steps = [&](float magnitude, DType dtype) {
          const double step = static_cast<double>(magnitude) / static_cast<double>(span_of(dtype));
          return sum > 0 ? static_cast<float>(step * 2147483647.0 / static_cast<double>(sum)) : 0.0f;
        };
        const float sa = steps(left.magnitude(), lhs.dtype), sb = steps(right.magnitude(), rhs.dtype);
        auto* to = out.as<int32_t>();
        for (int64_t i = 0; i < out.size(); ++i) {
          const float v = static_cast<float>(x[i]) * sa + static_cast<float>(y[i]) * sb;
          to[i] = round_saturate_int32(static_cast<double>(v));
        }
        return;
      }
      const float scale = span_of(out.dtype) / range->magnitude(), sa = a * scale, sb = b * scale;
      with_8_bits(out.dtype, [&](auto out_of) {
        using T = decltype(out_of);
        T* to = out.as<T>();
        parallel_for(out.size(), kRoundGrain, [&](int64_t begin, int64_t end) {
          MIXGRAD_VECTORIZE
          for (int64_t i = begin; i < end; ++i)
            to[i] = round_saturate<T>(static_cast<float>(x[i]) * sa + static_cast<float>(y[i]) * sb);
        });
      });
    });
  });
  write_range(args, 1, range ? *range : FloatRange{-sum, sum});
}

void mul_kernel(const MulParams& p, KernelArgs& args) {
  const View& out = args.out[0];
  const float left = read_range(args.in[2], args.in[3]).magnitude();
  const float right = read_range(args.in[4], args.in[5]).magnitude();
  const auto *x = args.in[0].as<int8_t>(), *y = args.in[1].as<int8_t>();
  const float step = left / kInt8Span * (right / kInt8Span);
  if (p.enable_float_output) {
    for (int64_t i = 0; i < out.size(); ++i) out.as<float>()[i] = static_cast<float>(x[i] * y[i]) * step;
    return;
  }
  if (const auto range = calibrated(p.min_calib_range, p.max_calib_range)) {
    const float scale = step * (kInt8Span / range->magnitude());
    for (int64_t i = 0; i < out.size(); ++i) {  // towards zero
      const float v = static_cast<float>(x[i] * y[i]) * scale;
      out.as<int8_t>()[i] = static_cast<int8_t>(v == v ? std::clamp(v, -128.0f, 127.0f) : 0.0f);
    }
    return write_range(args, 1, *range);
  }
  for (int64_t i = 0; i < out.size(); ++i) out.as<int32_t>()[i] = x[i] * y[i];
  const float whole = left / 127.0f * (right / 127.0f) * kInt32Span;
  write_range(args, 1, {-whole, whole});
}

const Op& quantized_elemwise_add =
    Define<AddParams>("_contrib_quantized_elemwise_add")
        .doc(
            "Sum of two 8-bit arrays of one shape. With a range for the output it has 8 bits, uint8 if both "
            "inputs are; else it is int32 over the sum of both magnitudes.")
        .origin("MXNet _contrib_quantized_elemwise_add")
        .input("lhs", "int8 or uint8 of any shape.")
        .input("rhs", "int8 or uint8 of the same shape.")
        .input("lhs_min", "(1,): smallest value of lhs.")
        .input("lhs_max", "(1,): largest value of lhs.")
        .input("rhs_min", "(1,): smallest value of rhs.")
        .input("rhs_max", "(1,): largest value of rhs.")
        .outputs({"output", "min_output", "max_output"})
        .shape([](const AddParams&, ShapeInfer& s) { elemwise_shape(s); })
        .dtype([](const AddParams& p, DTypeInfer& d) {
          const bool left = needs_8_bits(d, 0), right = needs_8_bits(d, 1);
          if (!calibrated(p.min_calib_range, p.max_calib_range))
            d.set_out(0, DType::int32);
          else if (left && right)
            d.set_out(0, d.in(0) == DType::uint8 && d.in(1) == DType::uint8 ? DType::uint8 : DType::int8);
          ranges_dtype(d, 2);
        })
        .kernel(add_kernel)
        .no_gradient();

const Op& quantized_elemwise_mul =
    Define<MulParams>("_contrib_quantized_elemwise_mul")
        .doc(
            "Product of two int8 arrays of one shape: int32 over 2^31 times the product of both steps, or "
            "int8 "
            "over the range given, cut towards zero, or float32.")
        .origin("MXNet _contrib_quantized_elemwise_mul")
        .input("lhs", "int8 of any shape.")
        .input("rhs", "int8 of the same shape.")
        .input("lhs_min", "(1,): smallest value of lhs.")
        .input("lhs_max", "(1,): largest value of lhs.")
        .input("rhs_min", "(1,): smallest value of rhs.")
        .input("rhs_max", "(1,): largest value of rhs.")
        .outputs({"output", "min_output", "max_output"})
        .num_outputs([](const MulParams& p) { return p.enable_float_output ? 1 : 3; })
        .shape([](const MulParams&, ShapeInfer& s) { elemwise_shape(s); })
        .dtype([](const MulParams& p, DTypeInfer& d) {
          d.set_in(0, DType::int8);
          d.set_in(1, DType::int8);
          const bool has_range = calibrated(p.min_calib_range, p.max_calib_range).has_value();
          d.set_out(0, p.enable_float_output ? DType::float32 : has_range ? DType::int8 : DType::int32);
          ranges_dtype(d, 2);
        })
        .kernel(mul_kernel)
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_elemwise
