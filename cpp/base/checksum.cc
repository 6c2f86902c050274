#include "base/checksum.h"

#include <algorithm>
#include <cstring>

namespace mixgrad {
namespace {

constexpr uint64_t checksum_factor = 0x9E3779B97F4A7C15;  // odd, so that multiplying loses nothing

// Little end first on every machine.
inline uint64_t checksum_word(const unsigned char* at) {
  uint64_t word;
  std::memcpy(&word, at, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

inline uint64_t checksum_mix(uint64_t lane, uint64_t word) {
  lane = (lane ^ word) * checksum_factor;
  return lane ^ (lane >> 29);
}

}  // namespace

void Checksum::add(const void* data, uint64_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  while (bytes > 0) {
    const uint64_t held = bytes_ % kGroup;
    if (held > 0 || bytes < kGroup) {
      const uint64_t taken = std::min(bytes, kGroup - held);
      std::memcpy(rest_ + held, at, static_cast<size_t>(taken));
      bytes_ += taken, at += taken, bytes -= taken;
      if (bytes_ % kGroup != 0) return;
      for (size_t i = 0; i < kLanes; ++i) lane_[i] = checksum_mix(lane_[i], checksum_word(rest_ + 8 * i));
      continue;
    }
    const uint64_t groups = bytes / kGroup;
    uint64_t lane[kLanes];
    std::memcpy(lane, lane_, sizeof lane);
    for (uint64_t g = 0; g < groups; ++g, at += kGroup) {
      for (size_t i = 0; i < kLanes; ++i) lane[i] = checksum_mix(lane[i], checksum_word(at + 8 * i));
    }
    std::memcpy(lane_, lane, sizeof lane);
    bytes_ += groups * kGroup, bytes -= groups * kGroup;
  }
}

uint64_t Checksum::value() const {
  unsigned char last[kGroup] = {};
  std::memcpy(last, rest_, static_cast<size_t>(bytes_ % kGroup));
  uint64_t sum = bytes_;
  for (size_t i = 0; i < kLanes; ++i) {
    sum = checksum_mix(sum, bytes_ % kGroup ? checksum_mix(lane_[i], checksum_word(last + 8 * i)) : lane_[i]);
  }
  return sum;
}

}  // namespace mixgrad
