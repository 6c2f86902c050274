// Bytes by position, wherever they lie: in a local file, in memory, or behind a function of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/intrusive.h"

namespace mixgrad::io {

// Any thread may read, several at a time. The number of bytes stays as it was when the source was opened.
class ByteSource : public Counted<ByteSource> {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  uint64_t bytes() const { return bytes_; }
  // What messages call it.
  const std::string& name() const { return name_; }
  // Of a local file, for other ways of reading at a position; -1 of others.
  virtual int descriptor() const { return -1; }

  // Fills `out` with the bytes from `offset` on. Throws Status::io, naming source and offset, where these are not to be had.
  void read(uint64_t offset, void* out, size_t bytes);

 protected:
  // `who`: what messages begin with.
  ByteSource(std::string name, uint64_t bytes, std::string who)
      : name_(std::move(name)), bytes_(bytes), who_(std::move(who)) {}
  [[noreturn]] void fail_reading(uint64_t offset, size_t bytes, const std::string& reason) const;

 private:
  // The range lies within the source and is not empty.
  virtual void fetch(uint64_t offset, void* out, size_t bytes) = 0;

  const std::string name_;
  const uint64_t bytes_;
  const std::string who_;
};

using SourceRef = Ref<ByteSource>;

// A regular file, opened as an OpenedFile (base/file_opener.h). Read at positions, so that a forked child and its parent do
// not disturb each other.
SourceRef open_source(const std::string& path, const char* who);
// Borrowed memory.
SourceRef memory_source(const void* data, uint64_t bytes, const std::string& name, const char* who);

// What reads for a source of the program: fills `out`, or gives the reason why it cannot. Called from any thread, several at a
// time.
using FetchFunction = std::function<std::string(uint64_t offset, void* out, size_t bytes)>;
SourceRef program_source(FetchFunction fetch, uint64_t bytes, const std::string& name, const char* who);

}  // namespace mixgrad::io
