// Conversion of runs of elements between dtypes, at memory speed.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/build.h"
#include "base/dtype.h"

namespace mixgrad {

// Whether loops over numbers of this dtype compute in double; compact builds compute all floats in float32.
constexpr bool is_wide(DType dtype) { return !kCompact && dtype == DType::float64; }

// Rules: to bool is "not zero"; float to integer truncates toward zero, and what does not fit wraps as it
// does for int64; to half types rounds to nearest even. src and dst do not overlap unless they are equal and
// of one item size.
void convert(const void* src, DType from, void* dst, DType to, int64_t n);

// One element.
inline float half_to_float(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16;
  const uint32_t shifted = static_cast<uint32_t>(h & 0x7fff) << 13;
  const uint32_t exponent = shifted & 0x0f800000;
  // Both ways are computed and masks choose, so that loops become vectors.
  uint32_t small_bits = shifted + 0x38800000;  // zero and subnormal: 2^-14 scale
  float f;
  std::memcpy(&f, &small_bits, 4);
  f -= 6.103515625e-05f;
  std::memcpy(&small_bits, &f, 4);
  const uint32_t is_small = 0u - static_cast<uint32_t>(exponent == 0);
  const uint32_t is_special = 0u - static_cast<uint32_t>(exponent == 0x0f800000);  // infinity, NaN
  const uint32_t normal_bits = shifted + 0x38000000 + (is_special & 0x38000000);
  const uint32_t bits = (is_small & small_bits) | (~is_small & normal_bits) | sign;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline uint16_t float_to_half(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  const uint32_t sign = (bits >> 16) & 0x8000;
  bits &= 0x7fffffff;
  if (bits >= 0x47800000) {  // too large, infinity, NaN
    return static_cast<uint16_t>(sign | (bits > 0x7f800000 ? 0x7e00 : 0x7c00));
  }
  if (bits < 0x38800000) {  // subnormal: adding 0.5 leaves the rounded bits at the bottom
    float tiny;
    std::memcpy(&tiny, &bits, 4);
    tiny += 0.5f;
    std::memcpy(&bits, &tiny, 4);
    return static_cast<uint16_t>(sign | (bits - 0x3f000000));
  }
  return static_cast<uint16_t>(sign | ((bits + 0xc8000fff + ((bits >> 13) & 1)) >> 13));
}

inline float bfloat_to_float(uint16_t b) {
  const uint32_t bits = static_cast<uint32_t>(b) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline uint16_t float_to_bfloat(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace mixgrad
