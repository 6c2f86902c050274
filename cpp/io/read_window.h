// A piece of a source in memory, which moves forward as it is read.
#pragma once

#include <memory>
#include <utility>

#include "io/byte_source.h"

namespace mixgrad::io {

// Memory that is used again: grows, is not cleared.
class ReusedMemory {
 public:
  ReusedMemory() = default;
  ReusedMemory(ReusedMemory&& other) noexcept
      : data_(std::move(other.data_)), capacity_(std::exchange(other.capacity_, 0)) {}
  ReusedMemory& operator=(ReusedMemory&& other) noexcept {
    data_ = std::move(other.data_);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }
  // Room for so many bytes, of which the first `kept` stay as they are.
  char* reserve(uint64_t bytes, uint64_t kept = 0);
  char* data() const { return data_.get(); }
  uint64_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<char[]> data_;
  uint64_t capacity_ = 0;
};

// Belongs to one thread at a time.
class ReadWindow {
 public:
  explicit ReadWindow(SourceRef source);

  // The bytes [offset, offset + bytes), which the source has; valid until the next call. They and some behind them are read at
  // once: where the window goes on, twice as many as the last time, up to a limit.
  const char* get(uint64_t offset, uint64_t bytes);
  // The same bytes into `out`, of which the window keeps none that it has not.
  void copy(uint64_t offset, void* out, uint64_t bytes);
  // At least so many bytes are read where the window jumps, and none behind `end` unless they are asked for.
  void set_first_piece(uint64_t bytes) { first_piece_ = bytes; }
  void set_end(uint64_t end) { end_ = end; }
  // The most that is read ahead.
  uint64_t most_piece() const { return most_piece_; }

 private:
  bool holds(uint64_t offset, uint64_t bytes) const {
    return offset >= begin_ && offset - begin_ <= bytes_ && bytes_ - (offset - begin_) >= bytes;
  }

  const SourceRef source_;
  const uint64_t most_piece_;
  uint64_t end_;
  uint64_t first_piece_ = 8 * 1024, piece_ = 0;
  ReusedMemory memory_;
  uint64_t begin_ = 0, bytes_ = 0;  // of the source
};

}  // namespace mixgrad::io
