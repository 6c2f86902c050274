#include "io/read_window.h"

#include <algorithm>
#include <cstring>

namespace mixgrad::io {

char* ReusedMemory::reserve(uint64_t bytes, uint64_t kept) {
  if (bytes > capacity_) {
    const uint64_t grown = std::max(bytes, kept > 0 ? capacity_ + capacity_ / 2 : 0);
    std::unique_ptr<char[]> larger(new char[grown]);
    if (kept > 0) std::memcpy(larger.get(), data_.get(), kept);
    data_ = std::move(larger);
    capacity_ = grown;
  }
  return data_.get();
}

ReadWindow::ReadWindow(SourceRef source)
    : source_(std::move(source)),
      most_piece_(source_->descriptor() >= 0 ? 256 * 1024 : 1024 * 1024),
      end_(source_->bytes()) {}

const char* ReadWindow::get(uint64_t offset, uint64_t bytes) {
  if (holds(offset, bytes)) return memory_.data() + (offset - begin_);
  const bool goes_on = bytes_ > 0 && offset >= begin_ && offset <= begin_ + bytes_;
  piece_ = goes_on ? std::min(2 * piece_, most_piece_) : first_piece_;
  const uint64_t kept = goes_on ? begin_ + bytes_ - offset : 0;
  const uint64_t left = std::max(end_, offset + bytes) - offset;
  const uint64_t wanted = std::max(bytes, std::min(kept + piece_, left));
  const uint64_t kept_at = offset - begin_;
  bytes_ = kept > 0 ? kept_at + kept : 0;  // the window is empty while it changes, should reading fail
  char* const data = memory_.reserve(wanted, bytes_);
  if (kept > 0 && kept_at > 0) std::memmove(data, data + kept_at, kept);
  begin_ = offset;
  bytes_ = kept;
  source_->read(offset + kept, data + kept, wanted - kept);
  bytes_ = wanted;
  return data;
}

void ReadWindow::copy(uint64_t offset, void* out, uint64_t bytes) {
  if (bytes == 0) return;
  char* to = static_cast<char*>(out);
  if (bytes_ > 0 && offset >= begin_ && offset < begin_ + bytes_) {
    const uint64_t there = std::min(bytes, begin_ + bytes_ - offset);
    std::memcpy(to, memory_.data() + (offset - begin_), there);
    offset += there;
    to += there;
    bytes -= there;
  }
  if (bytes > 0) source_->read(offset, to, bytes);
}

}  // namespace mixgrad::io
