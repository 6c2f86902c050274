#include "ops/quantization/quantized_block.h"

#include <limits>

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

namespace {

float largest_magnitude(const float* x, int64_t n, float factor) {
  constexpr int kLanes = 16;
  float most[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int l = 0; l < kLanes; ++l) most[l] = std::max(most[l], std::fabs(x[i + l] * factor));
  }
  for (; i < n; ++i) most[0] = std::max(most[0], std::fabs(x[i] * factor));
  return *std::max_element(most, most + kLanes);
}

}  // namespace

BlockWeights::BlockWeights(const BlockParams& p, const BlockCall& call, const void* weight, bool each) {
  const Shape& shape = call.weight->shape();
  const int64_t units = shape[0], depth = shape.size(1, shape.ndim());
  const float data_scale = span_of(call.data->dtype) / call.data_range.magnitude();
  scale_.resize(static_cast<size_t>(units));
  bias_.resize(static_cast<size_t>(units));
  const bool is_float = call.weight->dtype == DType::float32;
  float magnitude = 0;  // of all weights
  each = each || calibrated(p.min_calib_range, p.max_calib_range);
  const float* biases = call.bias && call.bias->dtype == DType::float32 ? call.bias->as<float>() : nullptr;
  if (is_float) {
    const auto* from = static_cast<const float*>(weight);
    const float* factors = call.factor ? call.factor->as<float>() : nullptr;
    std::vector<float> largest(static_cast<size_t>(units));
    parallel_for(units, loop_grain(kRoundGrain, {depth}), [&](int64_t begin, int64_t end) {
      for (int64_t u = begin; u < end; ++u)
        largest[static_cast<size_t>(u)] =
            largest_magnitude(from + u * depth, depth, factors ? factors[u] : 1.0f);
    });
    for (const float most : largest) magnitude = std::max(magnitude, most);
    widened_.resize(static_cast<size_t>(units * depth));
    int16_t* to = widened_.data();
    parallel_for(units, loop_grain(kRoundGrain, {depth}), [&](int64_t begin, int64_t end) {
      for (int64_t u = begin; u < end; ++u) {
        const auto at = static_cast<size_t>(u);
        const float most = each ? largest[at] : magnitude, factor = factors ? factors[u] : 1.0f;
        float scale = kInt8Span / (most > 0 ? most : 1.0f);
        if (each && biases && biases[u] != 0) {  // half of int32 is left to the bias
          scale = std::min(scale, 1073741824.0f / std::fabs(biases[u]) / data_scale);
        }
        MIXGRAD_VECTORIZE
        for (int64_t i = u * depth; i < (u + 1) * depth; ++i)
          to[i] = round_saturate<int8_t>(from[i] * factor * scale);
        scale_[at] = scale;
      }
    });
  } else {
    magnitude = call.weight_range->magnitude();
    std::fill(scale_.begin(), scale_.end(), kInt8Span / magnitude);
    const auto* from = static_cast<const int8_t*>(weight);
    widened_.assign(from, from + units * depth);
  }
  const DType out = out_dtype(p);
  if (out == DType::int32)
    to_out_ = data_scale * scale_[0];  // the sums themselves: all weights have one scale
  else if (out != DType::float32)
    to_out_ = span_of(out) / calibrated(p.min_calib_range, p.max_calib_range)->magnitude();
  for (size_t u = 0; u < scale_.size(); ++u) {
    double bias = 0;
    if (call.bias && !biases) {
      bias = static_cast<double>(call.bias->as<int8_t>()[u]) *
             static_cast<double>(call.bias_range->magnitude() / kInt8Span);
    }
    const float steps = data_scale * scale_[u];  // of one value
    bias_[u] = round_saturate_int32(biases ? static_cast<double>(biases[u] * steps)
                                           : bias * static_cast<double>(steps));
    scale_[u] = out == DType::int32 ? 1 : to_out_ / data_scale / scale_[u];
  }
  const float levels = call.data->dtype == DType::uint8 ? 255.0f : 127.0f;
  whole_ = call.data_range.magnitude() / levels * (magnitude / 127.0f) * kInt32Span;
}

namespace {

// What a call keeps from run to run.
struct KeptWeights {
  uint64_t version[CallMemory::kVersionItems];  // of the weights
  std::string others;                           // the bytes of all else that they are made of
  std::shared_ptr<const BlockWeights> made;
};

std::string other_operands(const BlockCall& call) {
  std::string bytes;
  for (const View* v : {call.factor, call.bias}) {
    if (v) bytes.append(v->as<char>(), v->bytes());
  }
  const float range[] = {call.data_range.low, call.data_range.high};
  bytes.append(reinterpret_cast<const char*>(range), sizeof range);
  return bytes;
}

}  // namespace

std::shared_ptr<const BlockWeights> BlockWeights::of(const BlockParams& p, const BlockCall& call,
                                                     const KernelArgs& args, bool each) {
  const bool keeps = args.memory && call.weight->dtype == DType::float32 &&
                     args.memory->versions.size() >= 2 * CallMemory::kVersionItems;
  if (!keeps) return std::make_shared<BlockWeights>(p, call, call.weight->data, each);
  const uint64_t* version = args.memory->versions.data() + CallMemory::kVersionItems;  // of input 1
  auto* kept = static_cast<KeptWeights*>(args.memory->kept.get());
  std::string others = other_operands(call);
  if (kept && version[0] != 0 &&
      std::equal(kept->version, kept->version + CallMemory::kVersionItems, version) &&
      kept->others == others) {
    return kept->made;
  }
  const auto next = std::make_shared<KeptWeights>();
  std::copy(version, version + CallMemory::kVersionItems, next->version);
  next->others = std::move(others);
  next->made = std::make_shared<BlockWeights>(p, call, args.memory->read(1), each);
  args.memory->kept = next;
  return next->made;
}

BlockWeights::Finish BlockWeights::finish(const BlockParams& p, const BlockCall& call, int64_t area) const {
  Finish f{&p, &call, bias_.data(), scale_.data(), static_cast<int64_t>(scale_.size()), area, to_out_, 0};
  if (call.sum) f.sum_step = to_out_ / (span_of(call.sum->dtype) / call.sum_range->magnitude());
  return f;
}

FloatRange BlockWeights::range(const BlockParams& p) const {
  const auto range = calibrated(p.min_calib_range, p.max_calib_range);
  return range ? *range : FloatRange{-whole_, whole_};
}

namespace {

constexpr int64_t kTile = 256;

// Bounds of what follows an activation.
struct Limits {
  float low, high;
};
Limits limits_of(Act act, const BlockParams& p, float to_out) {
  constexpr float kEnd = std::numeric_limits<float>::infinity();
  if (act == Act::clip) return {p.act_low * to_out, p.act_high * to_out};
  return {act == Act::relu ? 0.0f : -kEnd, kEnd};
}

void limit(float* __restrict values, int64_t n, Limits to) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) values[i] = std::min(std::max(values[i], to.low), to.high);
}

template <class T>
void round_values(const float* __restrict values, float most, T* __restrict to, int64_t n) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) to[i] = round_saturate<T>(std::min(values[i], most));
}

template <class T>
void add_values(const T* __restrict x, float step, float* __restrict values, int64_t n) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i)  // in double, so that only the sum is rounded, as by one instruction
    values[i] = static_cast<float>(static_cast<double>(values[i]) +
                                   static_cast<double>(x[i]) * static_cast<double>(step));
}

// Sums to steps of the output, all of one unit or each of the next one.
void scale_sums(const int32_t* __restrict sums, const int32_t* __restrict bias, const float* __restrict scale,
                bool by_unit, float* __restrict values, int64_t n) {
  const int32_t same_bias = bias[0];
  const float same_scale = scale[0];
  for (int64_t i = 0; i < n; ++i) {
    int32_t sum;
    if (__builtin_add_overflow(sums[i], by_unit ? bias[i] : same_bias, &sum))
      sum = sums[i] < 0 ? INT32_MIN : INT32_MAX;
    values[i] = static_cast<float>(sum) * (by_unit ? scale[i] : same_scale);
  }
}

// n values from `sums`, those of `unit`, or of the units from it on, into elements of the output from `at` on.
void store_values(const BlockWeights::Finish& f, const int32_t* sums, int64_t unit, bool by_unit, int64_t at,
                  int64_t n) {
  const BlockParams& p = *f.params;
  const View& out = *f.call->out;
  float values[kTile];
  for (int64_t done = 0; done < n; done += kTile) {
    const int64_t count = std::min(kTile, n - done), to = at + done, u = by_unit ? unit + done : unit;
    scale_sums(sums + done, f.bias + u, f.scale + u, by_unit, values, count);
    if (p.act != Act::none) limit(values, count, limits_of(p.act, p, f.to_out));
    if (const View* sum = f.call->sum) {
      with_8_bits(sum->dtype,
                  [&](auto of) { add_values(sum->as<decltype(of)>() + to, f.sum_step, values, count); });
      if (p.sum_act != Act::none) limit(values, count, limits_of(p.sum_act, p, f.to_out));
    }
    if (out.dtype == DType::float32) {
      std::copy(values, values + count, out.as<float>() + to);
    } else if (out.dtype == DType::int32) {
      for (int64_t i = 0; i < count; ++i)
        out.as<int32_t>()[to + i] = round_saturate_int32(static_cast<double>(values[i]));
    } else {
      // MXNet's sum with a signed array is a signed one, under whatever type it is stored.
      const bool stays_signed = f.call->sum && f.call->sum->dtype == DType::int8;
      const float most = stays_signed || out.dtype == DType::int8 ? 127.0f : 255.0f;
      with_8_bits(out.dtype,
                  [&](auto of) { round_values(values, most, out.as<decltype(of)>() + to, count); });
    }
  }
}

}  // namespace

void store_planes(const void* with, int64_t image, int64_t filter, int64_t first, const int32_t* sums,
                  int64_t n) {
  const auto& f = *static_cast<const BlockWeights::Finish*>(with);
  store_values(f, sums, filter, false, (image * f.units + filter) * f.area + first, n);
}

void store_rows(const void* with, int64_t row, int64_t, int64_t first, const int32_t* sums, int64_t n) {
  const auto& f = *static_cast<const BlockWeights::Finish*>(with);
  store_values(f, sums, first, true, row * f.units + first, n);
}

}  // namespace mixgrad::ops::quantized_block
