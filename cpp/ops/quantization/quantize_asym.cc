// Floats to unsigned 8 bits by a scale and a shift, so that a range that is not symmetric uses all of them.
#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantize_asym {
namespace {

using quantization::calibrated;
using quantization::extremes;
using quantization::FloatRange;
using quantization::kRoundGrain;
using quantization::round_saturate;
using quantization::write_range;

struct AsymParams {
  std::optional<float> min_calib_range, max_calib_range;
  static void fields(Fields<AsymParams>& f) {
    f.add("min_calib_range", &AsymParams::min_calib_range,
          "Smallest value that occurs; without it, that of data.")
        .add("max_calib_range", &AsymParams::max_calib_range,
             "Largest value that occurs; without it, that of data.");
  }
};

void asym_kernel(const AsymParams& p, KernelArgs& args) {
  const View& data = args.in[0];
  std::optional<FloatRange> range = calibrated(p.min_calib_range, p.max_calib_range);
  if (!range) {
    range.emplace();
    extremes(data.as<float>(), data.size(), range->low, range->high);
  }
  // Equal ends leave the values as far apart as they are.
  const float width = range->high - range->low, scale = width > 0 ? 255.0f / width : 1.0f;
  const float shift = 255.0f - range->high * scale;
  const auto* x = data.as<float>();
  auto* y = args.out[0].as<uint8_t>();
  parallel_for(data.size(), kRoundGrain, [&](int64_t begin, int64_t end) {
    MIXGRAD_VECTORIZE
    for (int64_t i = begin; i < end; ++i) y[i] = round_saturate<uint8_t>(x[i] * scale + shift);
  });
  write_range(args, 1, {scale, shift});
}

const Op& quantize_asym_op = Define<AsymParams>("_contrib_quantize_asym")
                                 .doc(
                                     "Floats as uint8: data * scale + shift, rounded, where scale is 255 / "
                                     "(high - low) and shift brings "
                                     "high to 255. What lies outside saturates.")
                                 .origin("MXNet _contrib_quantize_asym")
                                 .input("data", "float32 of any shape.")
                                 .outputs({"output", "scale", "shift"})
                                 .shape([](const AsymParams&, ShapeInfer& s) {
                                   s.set_in(0, s.out(0));
                                   s.set_out(0, s.in(0));
                                   s.set_out(1, {1});
                                   s.set_out(2, {1});
                                 })
                                 .dtype([](const AsymParams&, DTypeInfer& d) {
                                   d.set_in(0, DType::float32);
                                   d.set_out(0, DType::uint8);
                                   d.set_out(1, DType::float32);
                                   d.set_out(2, DType::float32);
                                 })
                                 .kernel(asym_kernel)
                                 .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantize_asym
