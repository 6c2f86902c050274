#include "kvstore/compression/codec.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/dtype.h"
#include "base/error.h"
#include "kernels/loops/convert.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Encoding;
using protocol::Format;

// Elements that are worked on at a time: codes lie in the nearest cache.
constexpr uint64_t kCodecBlock = 512;
constexpr float kHalfMost = 65504.0f;
constexpr uint32_t kBfloatMost = 0x7f7f0000;  // the bits of the largest, as a float

// Two bits: 11 for threshold, 10 for -threshold, 00 for 0; the first element in a byte's highest bits.
void to_two_bit(const float* gradient, float* residual, uint64_t n, float threshold, uint8_t* out) {
  uint32_t code[kCodecBlock];
  for (uint64_t first = 0; first < n; first += kCodecBlock) {
    const uint64_t count = std::min(kCodecBlock, n - first);
    const float* const g = gradient + first;
    float* const r = residual + first;
    for (uint64_t i = 0; i < count; ++i) {
      const float x = r[i] + g[i];
      const bool up = x >= threshold, down = x <= -threshold;
      const float sent = up ? threshold : down ? -threshold : 0.0f;
      r[i] = x - sent;
      code[i] = up ? 3 : down ? 2 : 0;
    }
    for (uint64_t i = count; i % 4 != 0; ++i) code[i] = 0;
    for (uint64_t i = 0; i < count; i += 4) {
      out[(first + i) / 4] =
          static_cast<uint8_t>(code[i] << 6 | code[i + 1] << 4 | code[i + 2] << 2 | code[i + 3]);
    }
  }
}

// The mean of absolute values, all finite, in sums of eight lanes: one order on every machine.
float mean_size_of(const float* gradient, const float* residual, uint64_t n) {
  double lanes[8] = {};
  for (uint64_t i = 0; i < n; ++i) {
    lanes[i % 8] += static_cast<double>(std::fabs(residual[i] + gradient[i]));
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return n == 0 ? 0.0f : static_cast<float>(sum / static_cast<double>(n));
}

bool are_finite(const float* gradient, const float* residual, uint64_t n) {
  bool finite = true;
  for (uint64_t i = 0; i < n; ++i) finite &= std::fabs(residual[i] + gradient[i]) < INFINITY;
  return finite;
}

// One bit, of what is not finite: nothing of the rest is sent, so that stays whole.
void to_not_finite(const float* gradient, float* residual, uint64_t n, uint8_t* out) {
  for (uint64_t i = 0; i < n; ++i) {
    const float x = residual[i] + gradient[i];
    residual[i] = std::fabs(x) < INFINITY ? x : 0.0f;
  }
  std::fill(out, out + n / 8 + (n % 8 != 0), uint8_t{0});
}

// One bit: 1 for threshold, 0 for -threshold; the first element in a byte's highest bit.
void to_one_bit(const float* gradient, float* residual, uint64_t n, float threshold, uint8_t* out) {
  uint32_t code[kCodecBlock];
  for (uint64_t first = 0; first < n; first += kCodecBlock) {
    const uint64_t count = std::min(kCodecBlock, n - first);
    const float* const g = gradient + first;
    float* const r = residual + first;
    for (uint64_t i = 0; i < count; ++i) {
      const float x = r[i] + g[i];
      const bool up = x >= 0;
      r[i] = x - (up ? threshold : -threshold);
      code[i] = up;
    }
    for (uint64_t i = count; i % 8 != 0; ++i) code[i] = 0;
    for (uint64_t i = 0; i < count; i += 8) {
      uint32_t byte = 0;
      for (uint64_t k = 0; k < 8; ++k) byte |= code[i + k] << (7 - k);
      out[(first + i) / 8] = static_cast<uint8_t>(byte);
    }
  }
}

// Nearest, ties to even. What is too large sends the largest and keeps the rest; infinities and NaN leave nothing behind.
template <class Narrow, class Widen>
void to_narrow(const float* gradient, float* residual, uint64_t n, float most, uint16_t* out, Narrow to,
               Widen from) {
  for (uint64_t i = 0; i < n; ++i) {
    const float x = residual[i] + gradient[i];
    const bool is_finite = std::fabs(x) < INFINITY;
    const float kept = is_finite ? std::min(std::max(x, -most), most) : x;
    out[i] = to(kept);
    residual[i] = is_finite ? x - from(out[i]) : 0.0f;
  }
}

// The `count` largest by absolute value, NaN before all; of equal ones the first. Their numbers, grown, then they themselves.
void to_top_k(const float* gradient, float* residual, uint64_t n, uint64_t count, void* out) {
  auto* const numbers = static_cast<int64_t*>(out);
  auto* const values = reinterpret_cast<float*>(numbers + count);
  if (count == 0) return;
  std::vector<uint32_t> sizes(n);
  for (uint64_t i = 0; i < n; ++i) {
    residual[i] += gradient[i];
    sizes[i] = bits_of(residual[i]) & 0x7fffffff;
  }
  std::vector<uint32_t> ordered = sizes;
  const auto last = ordered.begin() + static_cast<ptrdiff_t>(count - 1);
  std::nth_element(ordered.begin(), last, ordered.end(), std::greater<uint32_t>());
  const uint32_t least = *last;
  // Those above `least` are fewer than `count`.
  uint64_t equals = count - static_cast<uint64_t>(std::count_if(ordered.begin(), last,
                                                                [&](uint32_t size) { return size > least; }));
  uint64_t at = 0;
  for (uint64_t i = 0; i < n; ++i) {
    if (sizes[i] < least || (sizes[i] == least && equals == 0)) continue;
    if (sizes[i] == least) --equals;
    numbers[at] = static_cast<int64_t>(i);
    values[at++] = residual[i];
    residual[i] = 0;
  }
}

bool are_two_bit(const uint8_t* data, uint64_t bytes, uint64_t elements) {
  uint32_t wrong = 0;  // 01 means nothing
  for (uint64_t i = 0; i < bytes; ++i) wrong |= data[i] & 0x55 & ~(data[i] >> 1);
  const uint64_t rest = elements % 4;
  return wrong == 0 && (rest == 0 || (data[bytes - 1] & (0xff >> (2 * rest))) == 0);
}

bool are_element_numbers(const int64_t* numbers, uint64_t count, uint64_t elements) {
  for (uint64_t i = 0; i < count; ++i) {
    if (numbers[i] < (i ? numbers[i - 1] + 1 : 0) || static_cast<uint64_t>(numbers[i]) >= elements)
      return false;
  }
  return true;
}

// What each byte of codes stands for.
template <int kPerByte, class F>
void from_code_table(const uint8_t* data, uint64_t n, float* out, F meaning) {
  float table[256][kPerByte];
  for (uint32_t byte = 0; byte < 256; ++byte) {
    for (int i = 0; i < kPerByte; ++i)
      table[byte][i] = meaning(byte >> (8 / kPerByte * (kPerByte - 1 - i)) & ((1u << 8 / kPerByte) - 1));
  }
  const uint64_t whole = n / kPerByte;
  for (uint64_t i = 0; i < whole; ++i) std::memcpy(out + i * kPerByte, table[data[i]], sizeof table[0]);
  for (uint64_t i = whole * kPerByte; i < n; ++i) out[i] = table[data[whole]][i % kPerByte];
}

uint64_t compressed_bytes_of(const Format& format) {
  switch (format.encoding) {
    case Encoding::two_bit: return format.elements / 4 + (format.elements % 4 != 0);
    case Encoding::one_bit: return format.elements / 8 + (format.elements % 8 != 0);
    case Encoding::float16:
    case Encoding::bfloat16: return format.elements * sizeof(uint16_t);
    default: return format.count * (sizeof(int64_t) + sizeof(float));
  }
}

Format compressed_format_of(const Compression& compression, uint64_t elements) {
  Format format;
  format.encoding = compression.encoding;
  format.dtype = static_cast<uint8_t>(DType::float32);
  format.elements = elements;
  format.threshold = bits_of(compression.threshold);
  if (compression.encoding == Encoding::top_k) format.count = compression.count_of(elements);
  return format;
}

}  // namespace

uint64_t compressed_bytes(const Compression& compression, uint64_t elements) {
  return compressed_bytes_of(compressed_format_of(compression, elements));
}

Format compress(const Compression& compression, const float* gradient, float* residual, uint64_t elements,
                void* out) {
  Format format = compressed_format_of(compression, elements);
  auto* const bytes = static_cast<uint8_t*>(out);
  auto* const halves = static_cast<uint16_t*>(out);
  switch (compression.encoding) {
    case Encoding::two_bit: to_two_bit(gradient, residual, elements, compression.threshold, bytes); break;
    case Encoding::one_bit: {
      if (!are_finite(gradient, residual, elements)) {
        format.threshold = kNotFinite;
        to_not_finite(gradient, residual, elements, bytes);
        break;
      }
      const float threshold =
          compression.threshold > 0 ? compression.threshold : mean_size_of(gradient, residual, elements);
      format.threshold = bits_of(threshold);
      to_one_bit(gradient, residual, elements, threshold, bytes);
      break;
    }
    case Encoding::float16:
      to_narrow(gradient, residual, elements, kHalfMost, halves, float_to_half, half_to_float);
      break;
    case Encoding::bfloat16:
      to_narrow(gradient, residual, elements, float_of(kBfloatMost), halves, float_to_bfloat,
                bfloat_to_float);
      break;
    default: to_top_k(gradient, residual, elements, format.count, out); break;
  }
  return format;
}

std::string wrong_with_compressed(const Format& format, const void* data, uint64_t bytes) {
  if (format.dtype != static_cast<uint8_t>(DType::float32))
    return text("got compressed elements of dtype number ", static_cast<int>(format.dtype),
                "; expected float32");
  const bool has_threshold = format.encoding == Encoding::two_bit || format.encoding == Encoding::one_bit;
  const float threshold = float_of(format.threshold);
  const bool tells_of_nan = format.encoding == Encoding::one_bit && format.threshold == kNotFinite;
  if ((!tells_of_nan && !std::isfinite(threshold)) || threshold < 0 ||
      (format.encoding == Encoding::two_bit && threshold == 0) || (!has_threshold && format.threshold != 0))
    return text("got a threshold of ", threshold, " of compressed elements");
  if (format.encoding == Encoding::top_k ? format.count > format.elements : format.count != 0)
    return text("got ", format.count, " of ", format.elements, " elements");
  if (bytes != compressed_bytes_of(format)) {
    return text("got ", bytes, " bytes of compressed elements (", compression_name(format), "); expected ",
                compressed_bytes_of(format));
  }
  if (format.encoding == Encoding::two_bit &&
      !are_two_bit(static_cast<const uint8_t*>(data), bytes, format.elements))
    return "got two bits that stand for nothing";
  if (format.encoding == Encoding::top_k &&
      !are_element_numbers(static_cast<const int64_t*>(data), format.count, format.elements))
    return "got element numbers that do not grow from one to the next within the value";
  return "";
}

void decompress(const Format& format, const void* data, float* out) {
  const auto* const bytes = static_cast<const uint8_t*>(data);
  const uint64_t n = format.elements;
  const float threshold = float_of(format.threshold);
  switch (format.encoding) {
    case Encoding::two_bit:
      return from_code_table<4>(bytes, n, out, [&](uint32_t code) {
        return code == 3 ? threshold : code == 2 ? -threshold : 0.0f;
      });
    case Encoding::one_bit:
      if (format.threshold == kNotFinite) {
        std::fill(out, out + n, threshold);
        return;
      }
      return from_code_table<8>(bytes, n, out, [&](uint32_t code) { return code ? threshold : -threshold; });
    case Encoding::float16:
    case Encoding::bfloat16:
      return convert(data, format.encoding == Encoding::float16 ? DType::float16 : DType::bfloat16, out,
                     DType::float32, static_cast<int64_t>(n));
    default: break;
  }
  const auto* const numbers = static_cast<const int64_t*>(data);
  const auto* const values = reinterpret_cast<const float*>(numbers + format.count);
  std::fill(out, out + n, 0.0f);
  for (uint64_t i = 0; i < format.count; ++i) out[numbers[i]] = values[i];
}

}  // namespace mixgrad::kvstore
