// Gradients as fewer bytes, and back: pure functions on memory.
//
// All encoders add the gradient to what was left from the ones before, x = residual + gradient, write bytes that stand for some
// `sent`, and leave x - sent. What bytes mean is the format's: of each encoding in docs/kvstore.md.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "kvstore/compression/compression.h"

namespace mixgrad::kvstore {

inline uint32_t bits_of(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}
inline float float_of(uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

// The threshold that one bit sends of a gradient in which something is not finite: so all of it becomes NaN.
constexpr uint32_t kNotFinite = 0x7fc00000;

constexpr bool is_compressed(protocol::Encoding encoding) {
  return encoding >= protocol::Encoding::two_bit && encoding <= protocol::Encoding::top_k;
}

// Bytes that so many elements become.
uint64_t compressed_bytes(const Compression& compression, uint64_t elements);

// `out` has room for them, and is aligned to 8 bytes. Of a compression that is on.
protocol::Format compress(const Compression& compression, const float* gradient, float* residual,
                          uint64_t elements, void* out);

// What is wrong with bytes from elsewhere, or an empty text. Of a format whose encoding is compressed.
std::string wrong_with_compressed(const protocol::Format& format, const void* data, uint64_t bytes);

// Writes format.elements elements. Of bytes with which nothing is wrong, aligned to 8.
void decompress(const protocol::Format& format, const void* data, float* out);

}  // namespace mixgrad::kvstore
