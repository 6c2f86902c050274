// Records one after another, over damage if that is wanted.
#pragma once

#include <string>

#include "io/record.h"

namespace mixgrad::io {

enum class Damage { raise, skip };

// What was left out. The bytes are exact; the records are those whose headers were seen, at least one for each damaged place.
struct Skipped {
  uint64_t records = 0, bytes = 0;
  std::string first;  // what was wrong at the first place; "" while nothing was
};

// Belongs to one thread at a time. Reads ahead in large pieces as long as records are taken in order.
class RecordReader {
 public:
  // `who` begins messages.
  RecordReader(SourceRef source, RecordRange range, Damage damage, std::string who);

  // The next record that begins in the range, whose data is valid until the next call; false at the end. A damaged place is
  // Status::format, naming source, offset and what is wrong; the call after that goes on behind it. With Damage::skip it is
  // counted instead.
  bool next(Record* out);
  // The record at that offset, which next() goes on behind; damage is thrown.
  Record read_at(uint64_t offset);
  void seek(uint64_t offset);
  uint64_t tell() const { return position_; }
  const Skipped& skipped() const { return skipped_; }
  const RecordRange& range() const { return range_; }
  ByteSource& source() const { return *source_; }

 private:
  // At least `bytes` from `offset` on in the window, as long as the source has them; returns how many of them there are.
  uint64_t fill(uint64_t offset, uint64_t bytes);
  const char* at(uint64_t offset) const { return window_.data() + (offset - window_begin_); }
  // What is wrong with the record at position_; "" where it is whole, and `out` filled.
  std::string take(Record* out);
  void pass_damage(const std::string& wrong);

  const SourceRef source_;
  const RecordRange range_;
  const Damage damage_;
  const std::string who_;
  uint64_t position_;
  uint64_t last_stored_ = 0;  // bytes of the record before in its file: what read_at reads at once
  RecordMemory window_, joined_;
  uint64_t window_begin_ = 0, window_bytes_ = 0, next_piece_ = 0;
  Skipped skipped_;
};

}  // namespace mixgrad::io
