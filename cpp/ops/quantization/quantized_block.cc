#include "ops/quantization/quantized_block.h"

namespace mixgrad::ops::quantized_block {

using quantization::calibrated;
using quantization::FloatRange;
using quantization::kInt32Span;
using quantization::kInt8Span;
using quantization::kRoundGrain;
using quantization::round_saturate;
using quantization::round_saturate_int32;
using quantization::span_of;
using quantization::with_8_bits;

DType out_dtype(const BlockParams& p) {
  if (p.enable_float_output) return DType::float32;
  if (!calibrated(p.min_calib_range, p.max_calib_range)) return DType::int32;
  const Act last = p.with_sum ? p.sum_act : p.act;
  return last == Act::none || (last == Act::clip && p.act_low < 0) ? DType::int8 : DType::uint8;
}

BlockWeights::BlockWeights(const BlockParams& p, const BlockCall& call, bool each) {
  const Shape& shape = call.weight->shape();
  const int64_t units = shape[0], depth = shape.size(1, shape.ndim());
  const float data_scale = span_of(call.data->dtype) / call.data_range.magnitude();
  scale_ = ScratchArray<float>(static_cast<size_t>(units));
  bias_ = ScratchArray<int32_t>(static_cast<size_t>(units));
  const bool is_float = call.weight->dtype == DType::float32;
  float magnitude = 0;  // of all weights
  each = each || calibrated(p.min_calib_range, p.max_calib_range);
  const float* biases = call.bias && call.bias->dtype == DType::float32 ? call.bias->as<float>() : nullptr;
  if (is_float) {
    const auto* from = call.weight->as<float>();
    ScratchArray<float> largest(static_cast<size_t>(units));
    for (int64_t u = 0; u < units; ++u) {
      float most = 0;
      for (int64_t i = u * depth; i < (u + 1) * depth; ++i) most = std::max(most, std::fabs(from[i]));
      largest[static_cast<size_t>(u)] = most;
      magnitude = std::max(magnitude, most);
    }
    rounded_ = Scratch::of<int8_t>(std::max<int64_t>(1, units * depth));
    auto* to = rounded_.as<int8_t>();
    parallel_for(units, loop_grain(kRoundGrain, {depth}), [&](int64_t begin, int64_t end) {
      for (int64_t u = begin; u < end; ++u) {
        const auto at = static_cast<size_t>(u);
        const float most = each ? largest[at] : magnitude;
        float scale = kInt8Span / (most > 0 ? most : 1.0f);
        if (each && biases && biases[u] != 0) {  // half of int32 is left to the bias
          scale = std::min(scale, 1073741824.0f / std::fabs(biases[u]) / data_scale);
        }
        for (int64_t i = u * depth; i < (u + 1) * depth; ++i) to[i] = round_saturate<int8_t>(from[i] * scale);
        scale_[at] = scale;
      }
    });
    weight_ = to;
  } else {
    magnitude = call.weight_range->magnitude();
    std::fill(scale_.begin(), scale_.end(), kInt8Span / magnitude);
    weight_ = call.weight->as<int8_t>();
  }
  for (size_t u = 0; u < scale_.size(); ++u) {
    double bias = 0;
    if (biases) bias = static_cast<double>(biases[u]);
    if (call.bias && !biases) {
      bias = static_cast<double>(call.bias->as<int8_t>()[u]) *
             static_cast<double>(call.bias_range->magnitude() / kInt8Span);
    }
    const float steps = data_scale * scale_[u];  // of one value
    bias_[u] = round_saturate_int32(bias * static_cast<double>(steps));
    scale_[u] = 1.0f / steps;
  }
  const float levels = call.data->dtype == DType::uint8 ? 255.0f : 127.0f;
  whole_ = call.data_range.magnitude() / levels * (magnitude / 127.0f) * kInt32Span;
}

BlockWeights::Finish BlockWeights::finish(const BlockParams& p, const BlockCall& call, int64_t area) const {
  Finish f{&p, &call, bias_.data(), scale_.data(), static_cast<int64_t>(scale_.size()), area, 1, 0};
  if (const auto range = calibrated(p.min_calib_range, p.max_calib_range))
    f.to_out = span_of(out_dtype(p)) / range->magnitude();
  if (call.sum) f.sum_step = call.sum_range->magnitude() / span_of(call.sum->dtype);
  return f;
}

FloatRange BlockWeights::range(const BlockParams& p) const {
  const auto range = calibrated(p.min_calib_range, p.max_calib_range);
  return range ? *range : FloatRange{-whole_, whole_};
}

namespace {

float activated(Act act, const BlockParams& p, float x) {
  if (act == Act::relu) return std::max(x, 0.0f);
  return act == Act::clip ? std::min(std::max(x, p.act_low), p.act_high) : x;
}

// n values from `sums`, those of units `unit`, `unit + step`, ..., and into elements of the output from `at` on.
void store_values(const BlockWeights::Finish& f, const int32_t* sums, int64_t unit, int64_t step, int64_t at,
                  int64_t n) {
  const BlockParams& p = *f.params;
  constexpr int64_t kTile = 128;
  float values[kTile];
  for (int64_t done = 0; done < n; done += kTile) {
    const int64_t count = std::min(kTile, n - done);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t u = unit + (done + i) * step;
      const auto sum = static_cast<float>(static_cast<int64_t>(sums[done + i]) + f.bias[u]);
      values[i] = activated(p.act, p, sum * f.scale[u]);
    }
    const int64_t to = at + done;
    if (const View* sum = f.call->sum) {
      with_8_bits(sum->dtype, [&](auto of) {
        const auto* x = sum->as<decltype(of)>() + to;
        for (int64_t i = 0; i < count; ++i)
          values[i] = activated(p.sum_act, p, values[i] + static_cast<float>(x[i]) * f.sum_step);
      });
    }
    const View& out = *f.call->out;
    if (out.dtype == DType::float32) {
      std::copy(values, values + count, out.as<float>() + to);
    } else if (out.dtype == DType::int32) {
      for (int64_t i = 0; i < count; ++i)
        out.as<int32_t>()[to + i] = round_saturate_int32(
            static_cast<double>(values[i]) / static_cast<double>(f.scale[unit + (done + i) * step]));
    } else {
      // MXNet's sum with a signed array is a signed one, under whatever type it is stored.
      const bool stays_signed = f.call->sum && f.call->sum->dtype == DType::int8;
      const float most = stays_signed || out.dtype == DType::int8 ? 127.0f : 255.0f;
      with_8_bits(out.dtype, [&](auto of) {
        using T = decltype(of);
        for (int64_t i = 0; i < count; ++i)
          out.as<T>()[to + i] = round_saturate<T>(std::min(values[i] * f.to_out, most));
      });
    }
  }
}

}  // namespace

void store_planes(const void* with, int64_t image, int64_t filter, int64_t first, const int32_t* sums,
                  int64_t n) {
  const auto& f = *static_cast<const BlockWeights::Finish*>(with);
  store_values(f, sums, filter, 0, (image * f.units + filter) * f.area + first, n);
}

void store_rows(const void* with, int64_t row, int64_t, int64_t first, const int32_t* sums, int64_t n) {
  const auto& f = *static_cast<const BlockWeights::Finish*>(with);
  store_values(f, sums, first, 1, row * f.units + first, n);
}

}  // namespace mixgrad::ops::quantized_block
