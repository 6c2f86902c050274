// How requests are rounded: small ones to a size class, others to whole pages.
#pragma once

#include <cstddef>

namespace mixgrad::storage {

constexpr std::size_t kBlockAlignment = 64;
// Requests up to here are small: carved from slabs, cached by threads. Larger ones are whole mappings.
constexpr std::size_t kSmallLimit = std::size_t{32} << 10;
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
// Multiples of 64 to 1 KiB, then eight steps for each doubling: from 512 bytes on at most 1/8 is lost to
// rounding.
constexpr int kSizeClasses = 56;

// bytes: 1 to kSmallLimit.
inline int size_class_of(std::size_t bytes) {
  const unsigned last = static_cast<unsigned>(bytes - 1);
  if (last < 1024) return static_cast<int>(last >> 6);
  const int power = 31 - __builtin_clz(last);
  return 16 + (power - 10) * 8 + static_cast<int>(last >> (power - 3) & 7);
}

// The bytes a block of the class occupies.
inline std::size_t size_of_class(int size_class) {
  if (size_class < 16) return static_cast<std::size_t>(size_class + 1) << 6;
  const int step = size_class - 16;
  return static_cast<std::size_t>(9 + (step & 7)) << (7 + (step >> 3));
}

// Beyond this no machine can serve a request, and sums of sizes could overflow.
constexpr std::size_t kLargestRequest = static_cast<std::size_t>(-1) / 4;

// What a request above kSmallLimit occupies: whole pages, and whole huge pages where these lose at most 1/8.
// bytes: up to kLargestRequest.
inline std::size_t round_to_pages(std::size_t bytes) {
  const std::size_t unit = bytes >= 8 * kHugePageBytes ? kHugePageBytes : kPageBytes;
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace mixgrad::storage
