// What quantised operators share: the range of a float array as two arrays of one element, and rounding to 8 bits.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "op/define.h"

namespace mixgrad::ops::quantization {

// What the largest magnitude of a range becomes in 8 bits: half a step beyond the largest number, as MXNet 1.9.1 has it.
inline constexpr float kInt8Span = 127.5f, kUint8Span = 255.5f;
inline constexpr float kInt32Span = 2147483648.0f;

enum class OutType { automatic, int8, uint8 };
inline constexpr const char* kOutTypeNames[] = {"auto", "int8", "uint8"};

struct FloatRange {
  float low = 0, high = 0;
  float magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }
};

inline float span_of(DType dtype) { return dtype == DType::uint8 ? kUint8Span : kInt8Span; }
inline bool is_8_bit(DType dtype) { return dtype == DType::int8 || dtype == DType::uint8; }

inline FloatRange read_range(const View& low, const View& high) {
  return {low.as<float>()[0], high.as<float>()[0]};
}
// Output `first` is the range's low end, the next one its high end.
inline void write_range(KernelArgs& args, size_t first, FloatRange range) {
  args.out[first].as<float>()[0] = range.low;
  args.out[first + 1].as<float>()[0] = range.high;
}
// The range of what is rounded to `dtype` when `range` holds all values: symmetric where it has a sign.
inline FloatRange stored_range(DType dtype, FloatRange range) {
  if (dtype == DType::uint8) return range;
  return {-range.magnitude(), range.magnitude()};
}

// To the nearest number of T, ties to even; what T cannot hold saturates, and NaN is what MXNet makes of it.
template <class T>
MIXGRAD_INLINE T round_saturate(float x);
template <>
MIXGRAD_INLINE int8_t round_saturate<int8_t>(float x) {
  x = x < 127.0f ? x : 127.0f;
  x = x > -128.0f ? x : -128.0f;
  return static_cast<int8_t>(static_cast<int32_t>((x + 12582912.0f) - 12582912.0f));  // 1.5 * 2^23
}
template <>
MIXGRAD_INLINE uint8_t round_saturate<uint8_t>(float x) {
  x = x > 0.0f ? x : 0.0f;
  x = x < 255.0f ? x : 255.0f;
  return static_cast<uint8_t>(static_cast<int32_t>((x + 12582912.0f) - 12582912.0f));
}
inline int32_t round_saturate_int32(double x) {
  return static_cast<int32_t>(std::nearbyint(std::clamp(x == x ? x : 0.0, -2147483648.0, 2147483647.0)));
}

// fn(T()) with T the type of an 8-bit array.
template <class F>
void with_8_bits(DType dtype, F&& fn) {
  if (dtype == DType::uint8)
    fn(uint8_t());
  else
    fn(int8_t());
}

inline constexpr int64_t kRoundGrain = 16384;

// to[i] = round(from[i] * scale).
template <class From, class To>
void round_all(const From* from, float scale, To* to, int64_t n) {
  parallel_for(n, kRoundGrain, [&](int64_t begin, int64_t end) {
    MIXGRAD_VECTORIZE
    for (int64_t i = begin; i < end; ++i) to[i] = round_saturate<To>(static_cast<float>(from[i]) * scale);
  });
}

// Inference for the usual operator: `arrays` inputs, then their ranges; outputs data, low, high.
inline void ranges_shape(ShapeInfer& s, int arrays) {
  for (int i = arrays; i < s.num_inputs(); ++i) s.set_in(i, {1});
  if (s.num_outputs() == 3) {
    s.set_out(1, {1});
    s.set_out(2, {1});
  }
}
inline void ranges_dtype(DTypeInfer& d, int arrays) {
  for (int i = arrays; i < d.num_inputs(); ++i) d.set_in(i, DType::float32);
  if (d.num_outputs() == 3) {
    d.set_out(1, DType::float32);
    d.set_out(2, DType::float32);
  }
}
// Input i holds 8 bits; false while a graph does not know it.
inline bool needs_8_bits(DTypeInfer& d, int i) {
  if (d.in(i) == DType::unknown) return false;
  if (!is_8_bit(d.in(i))) d.reject("expected int8 or uint8");
  return true;
}

// Of calibration, if both ends are given.
inline std::optional<FloatRange> calibrated(const std::optional<float>& low,
                                            const std::optional<float>& high) {
  if (!low || !high) return std::nullopt;
  return FloatRange{*low, *high};
}

// Largest and smallest of an array; NaN does not count, and (0, 0) stands for no element.
template <class T>
void extremes(const T* x, int64_t n, T& low, T& high) {
  low = high = T(0);
  bool any = false;
  for (int64_t i = 0; i < n; ++i) {
    if (x[i] != x[i]) continue;
    low = any ? std::min(low, x[i]) : x[i];
    high = any ? std::max(high, x[i]) : x[i];
    any = true;
  }
}

}  // namespace mixgrad::ops::quantization
