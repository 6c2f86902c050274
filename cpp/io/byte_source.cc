#include "io/byte_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/file_opener.h"

namespace mixgrad::io {
namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(OpenedFile& file, const std::string& path, const char* who)
      : ByteSource(path, file.bytes(), who), descriptor_(file.release()) {}
  ~FileSource() override { close(descriptor_); }
  int descriptor() const override { return descriptor_; }

 private:
  void fetch(uint64_t offset, void* out, size_t bytes) override {
    char* to = static_cast<char*>(out);
    while (bytes > 0) {
      const size_t most = std::min<size_t>(bytes, size_t{1} << 30);
      const ssize_t got = pread(descriptor_, to, most, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_reading(offset, bytes, std::strerror(errno));
      if (got == 0) fail_reading(offset, bytes, "the file became shorter after it was opened");
      to += got;
      offset += static_cast<uint64_t>(got);
      bytes -= static_cast<size_t>(got);
    }
  }

  const int descriptor_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(const void* data, uint64_t bytes, const std::string& name, const char* who)
      : ByteSource(name, bytes, who), data_(static_cast<const char*>(data)) {}

 private:
  void fetch(uint64_t offset, void* out, size_t bytes) override { std::memcpy(out, data_ + offset, bytes); }

  const char* const data_;
};

class ProgramSource final : public ByteSource {
 public:
  ProgramSource(FetchFunction function, uint64_t bytes, const std::string& name, const char* who)
      : ByteSource(name, bytes, who), function_(std::move(function)) {}

 private:
  void fetch(uint64_t offset, void* out, size_t bytes) override {
    const std::string reason = function_(offset, out, bytes);
    if (!reason.empty()) fail_reading(offset, bytes, reason);
  }

  const FetchFunction function_;
};

}  // namespace

void ByteSource::read(uint64_t offset, void* out, size_t bytes) {
  if (offset > bytes_ || bytes > bytes_ - offset)
    fail_reading(offset, bytes, text("it has ", bytes_, " bytes"));
  if (bytes > 0) fetch(offset, out, bytes);
}

void ByteSource::fail_reading(uint64_t offset, size_t bytes, const std::string& reason) const {
  fail(Status::io, "[", who_, "] cannot read ", bytes, " bytes at ", offset, " of '", name_, "': ", reason);
}

SourceRef open_source(const std::string& path, const char* who) {
  OpenedFile file(path, who);
  return SourceRef(new FileSource(file, path, who));
}

SourceRef memory_source(const void* data, uint64_t bytes, const std::string& name, const char* who) {
  return SourceRef(new MemorySource(data, bytes, name, who));
}

SourceRef program_source(FetchFunction fetch, uint64_t bytes, const std::string& name, const char* who) {
  return SourceRef(new ProgramSource(std::move(fetch), bytes, name, who));
}

}  // namespace mixgrad::io
