#include "array/byte_stream.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace mixgrad {
namespace {

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) {
      const int reason = errno;
      fail(reason == ENOENT ? Status::not_found : Status::io, "[load] cannot open '", path,
           "': ", std::strerror(reason));
    }
    struct stat info;
    if (fstat(fileno(file_), &info) != 0 || !S_ISREG(info.st_mode)) {
      std::fclose(file_);
      fail(Status::io, "[load] '", path, "' is not a regular file");
    }
    remaining_ = static_cast<uint64_t>(info.st_size);
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
  uint64_t remaining() const override { return remaining_; }
  const std::string& name() const override { return path_; }

 private:
  std::string path_;
  std::FILE* file_;
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
  uint64_t remaining() const override { return remaining_; }
  const std::string& name() const override { return name_; }

 private:
  const char* at_;
  uint64_t remaining_;
  std::string name_ = "the buffer";
};

class FileSink final : public ByteSink {
 public:
  explicit FileSink(const std::string& path) : path_(path) {
    static std::atomic<unsigned> serial{0};
    temporary_ = text(path, ".tmp-", getpid(), "-", serial.fetch_add(1));
    file_ = std::fopen(temporary_.c_str(), "wb");
    if (!file_) fail(Status::io, "[save] cannot create '", temporary_, "': ", std::strerror(errno));
  }
  ~FileSink() override {
    if (!file_) return;
    std::fclose(file_);
    std::remove(temporary_.c_str());
  }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  void write(const void* src, uint64_t bytes) override {
    if (bytes > 0 && std::fwrite(src, 1, bytes, file_) != bytes) reject("writing");
  }
  void commit() override {
    if (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0) reject("writing");
    std::FILE* done = file_;
    file_ = nullptr;
    const bool closed = std::fclose(done) == 0;
    if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
      const int reason = errno;
      std::remove(temporary_.c_str());
      fail(Status::io, "[save] cannot replace '", path_, "': ", std::strerror(reason));
    }
  }

 private:
  [[noreturn]] void reject(const char* doing) const {
    fail(Status::io, "[save] ", doing, " '", path_, "' failed: ", std::strerror(errno));
  }
  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
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
std::unique_ptr<ByteSink> create_file(const std::string& path) { return std::make_unique<FileSink>(path); }

void MemorySink::write(const void* src, uint64_t bytes) {
  const char* from = static_cast<const char*>(src);
  bytes_.insert(bytes_.end(), from, from + bytes);
}

}  // namespace mixgrad
