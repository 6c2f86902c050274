#include "files/byte_stream.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/file_opener.h"

namespace mixgrad {
namespace {

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : path_(path) {
    OpenedFile opened(path, "load");
    remaining_ = opened.bytes();
    file_ = fdopen(opened.descriptor(), "rb");
    if (!file_) fail(Status::io, "[load] cannot open '", path, "': ", std::strerror(errno));
    opened.release();
  }
  ~FileSource() override { std::fclose(file_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  void read(void* dst, uint64_t bytes) override {
    expect(bytes, "the next field");
    if (bytes > 0 && std::fread(dst, 1, bytes, file_) != bytes) {
      fail(Status::io, "[load] reading '", path_,
           "' failed: ", std::ferror(file_) ? std::strerror(errno) : "it shrank");
    }
    remaining_ -= bytes;
  }
  void peek(void* dst, uint64_t bytes) override {
    read(dst, bytes);
    remaining_ += bytes;
    if (std::fseek(file_, -static_cast<long>(bytes), SEEK_CUR) != 0)
      fail(Status::io, "[load] reading '", path_, "' failed: ", std::strerror(errno));
  }
  uint64_t remaining() const override { return remaining_; }
  const std::string& name() const override { return path_; }

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  uint64_t remaining_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(const void* data, uint64_t bytes) : at_(static_cast<const char*>(data)), remaining_(bytes) {}
  void read(void* dst, uint64_t bytes) override {
    expect(bytes, "the next field");
    if (bytes > 0) std::memcpy(dst, at_, bytes);
    at_ += bytes;
    remaining_ -= bytes;
  }
  void peek(void* dst, uint64_t bytes) override {
    expect(bytes, "the next field");
    if (bytes > 0) std::memcpy(dst, at_, bytes);
  }
  uint64_t remaining() const override { return remaining_; }
  const std::string& name() const override { return name_; }

 private:
  const char* at_;
  uint64_t remaining_;
  std::string name_ = "the buffer";
};

}  // namespace

void ByteSource::expect(uint64_t bytes, const char* what) const {
  if (bytes > remaining()) {
    fail(Status::format, "[load] ", name(), " ends early: ", what, " needs ", bytes, " bytes, ", remaining(),
         " are left");
  }
}

std::unique_ptr<ByteSource> open_file(const std::string& path) { return std::make_unique<FileSource>(path); }
std::unique_ptr<ByteSource> open_memory(const void* data, uint64_t bytes) {
  return std::make_unique<MemorySource>(data, bytes);
}

void MemorySink::write(const void* src, uint64_t bytes) {
  const char* from = static_cast<const char*>(src);
  bytes_.insert(bytes_.end(), from, from + bytes);
}

}  // namespace mixgrad
