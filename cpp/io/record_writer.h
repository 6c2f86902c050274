// Records into a file, byte for byte as MXNet writes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/file_writer.h"
#include "io/record.h"
#include "io/record_checksums.h"

namespace mixgrad::io {

// Where the bytes of a writer go.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void write(const void* data, uint64_t bytes) = 0;
  // Puts the file into its place. Without it nothing is left behind, as far as the sink can do that.
  virtual void commit() = 0;
};
// Writes as a FileWriter does (base/file_writer.h).
std::unique_ptr<RecordSink> record_file(const std::string& path, const char* who);

// Belongs to one thread at a time. After a failure of its sink nothing more is written, and commit() refuses.
class RecordWriter {
 public:
  // Longer parts than `most_part`, which is less for tests, become several.
  RecordWriter(std::unique_ptr<RecordSink> sink, std::string who, uint32_t most_part = kMostPartBytes);

  // Returns the offset of the record.
  uint64_t write(Span<const char> data);
  // Where the next record will begin.
  uint64_t tell() const { return written_ + buffer_.size(); }
  // Gives what is buffered to the sink.
  void flush();
  void commit();
  // From now on checksums of records are kept.
  void keep_checksums() { keeps_checksums_ = true; }
  const RecordChecksums& checksums() const { return checksums_; }

 private:
  void put_part(PartRole role, Span<const char> data);
  void put(const char* data, uint64_t bytes);
  void give(const char* data, uint64_t bytes);

  const std::unique_ptr<RecordSink> sink_;
  const std::string who_;
  const uint32_t most_part_;
  std::vector<char> buffer_;
  uint64_t written_ = 0;  // given to the sink
  enum class State { open, failed, committed } state_ = State::open;
  bool keeps_checksums_ = false;
  RecordChecksums checksums_;
};

}  // namespace mixgrad::io
