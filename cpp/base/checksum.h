// A checksum of bytes, at memory speed. docs/model-file.md describes it; files hold it, so it never changes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mixgrad {

// Any change of a single byte, and of any eight bytes that lie together at a multiple of eight, changes the sum.
class Checksum {
 public:
  void add(const void* data, uint64_t bytes);
  // Of all bytes added so far.
  uint64_t value() const;

 private:
  static constexpr size_t kLanes = 4, kGroup = kLanes * 8;

  uint64_t lane_[kLanes] = {1, 2, 3, 4};
  uint64_t bytes_ = 0;
  unsigned char rest_[kGroup] = {};  // of a group that is not full
};

inline uint64_t checksum_of(const void* data, uint64_t bytes) {
  Checksum sum;
  sum.add(data, bytes);
  return sum.value();
}

}  // namespace mixgrad
