// Blocks in memory that other processes map by a descriptor, on whatever device of the host counts them.
#pragma once

#include <memory>
#include <string>

#include "device/shared_memory.h"
#include "storage/block.h"

namespace mixgrad::storage {

// A segment that is being given out in blocks; each keeps it.
class SharedSegmentHolder {
 public:
  // A new one. Throws Error(out_of_memory), Error(unsupported) where there is no shared memory.
  SharedSegmentHolder(Device device, std::size_t bytes);
  // One that another process made; throws what shared_attach throws.
  explicit SharedSegmentHolder(int fd);
  explicit SharedSegmentHolder(const std::string& name);
  SharedSegmentHolder(const SharedSegmentHolder&) = delete;
  SharedSegmentHolder& operator=(const SharedSegmentHolder&) = delete;
  ~SharedSegmentHolder();

  char* start() const { return static_cast<char*>(start_); }
  std::size_t bytes() const { return bytes_; }

 private:
  void* start_;
  std::size_t bytes_;
};

// `bytes` bytes of a segment from `offset` on. Throws Error(invalid_argument) where it has fewer.
Block piece_of(const std::shared_ptr<SharedSegmentHolder>& segment, Device device, std::size_t offset,
               std::size_t bytes);

}  // namespace mixgrad::storage
