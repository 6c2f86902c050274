// Records one after another, or at an offset; over damage if that is wanted.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "base/span.h"
#include "io/read_window.h"
#include "io/record.h"
#include "io/record_checksums.h"

namespace mixgrad::io {

struct Record {
  uint64_t offset = 0;    // of its first header
  uint64_t end = 0;       // of its last part
  uint64_t bytes = 0;     // of its data
  Span<const char> data;  // borrowed from the reader until its next call
};

enum class Damage { raise, skip };

// What was left out. The bytes are exact; the records are at least one for each damaged place.
struct Skipped {
  uint64_t records = 0, bytes = 0;
  std::string first;  // what was wrong at the first place; "" while nothing was
};

// Belongs to one thread at a time. Reads ahead in large pieces as long as records are taken in order.
class RecordReader {
 public:
  // `who` begins messages.
  RecordReader(SourceRef source, RecordRange range, Damage damage, std::string who);

  // The next record that begins in the range; false at the end. A damaged place is Status::format, naming source, offset and
  // what is wrong; the call after that goes on behind it. With Damage::skip it is counted instead.
  bool next(Record* out);
  // The same without data: what lies between headers is not read.
  bool next_place(Record* out);
  // The record at that offset, from which next() goes on; damage is thrown.
  Record read_at(uint64_t offset);
  void seek(uint64_t offset);
  // Of the file, borrowed; a record whose data does not have its checksum is a damaged place. Null: none are looked at.
  void set_checksums(const RecordChecksums* checksums) { checksums_ = checksums; }
  // Where records begin, as an index tells, borrowed: read_at() gives a record only if another one, the file's end or one of these places
  // is behind it. Without them it believes in the place that it is given.
  void set_places(const std::vector<uint64_t>* offsets) { places_ = offsets; }
  uint64_t tell() const { return position_; }
  const Skipped& skipped() const { return skipped_; }
  const RecordRange& range() const { return range_; }
  const SourceRef& source() const { return source_; }

 private:
  // What is asked of a record: its place; its data; its data alone, whatever stands behind it.
  enum class Need { place, data, data_alone };

  bool advance(Record* out, Need need);
  // What is wrong with the record at position_; "" where it is whole, and `out` filled.
  std::string take(Record* out, Need need);
  std::string take_whole(const PartHeader& part, Record* out, Need need);
  std::string take_parts(PartHeader part, Record* out, Need need);
  std::string check_following(uint64_t begin, uint64_t end);
  // The header at `at`, which lies behind the part that begins at `begin`; false where there is none.
  bool parse_next(uint64_t begin, uint64_t at, PartHeader* out);

  const SourceRef source_;
  const RecordRange range_;
  const Damage damage_;
  const std::string who_;
  uint64_t position_;
  uint64_t last_read_ = 0;  // bytes that read_at needed last: a record and the header behind it
  ReadWindow window_;
  ReusedMemory joined_;
  const RecordChecksums* checksums_ = nullptr;
  const std::vector<uint64_t>* places_ = nullptr;
  Skipped skipped_;
  std::unordered_set<uint64_t>
      broken_parts_;  // from which no last part is reached, so that nobody follows them twice
};

}  // namespace mixgrad::io
