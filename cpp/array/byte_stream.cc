#include "array/byte_stream.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
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

// The file that a path leads to, through symbolic links.
std::string resolved(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real ? real.get() : path;  // a link to nowhere is replaced
}

class FileSink final : public ByteSink {
 public:
  explicit FileSink(const std::string& path) : path_(resolved(path)), written_(path_) {
    static std::atomic<unsigned> serial{0};
    struct stat info;
    const bool exists = stat(path_.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) fail(Status::io, "[save] '", path, "' is a directory");
    direct_ = exists && !S_ISREG(info.st_mode);
    if (!direct_) written_ = text(path_, ".tmp-", getpid(), "-", serial.fetch_add(1));
    file_ = std::fopen(written_.c_str(), "wb");
    if (!file_) fail(Status::io, "[save] cannot create '", written_, "': ", std::strerror(errno));
    // Where permissions cannot be kept, those of a new file do.
    if (exists && !direct_) (void)!fchmod(fileno(file_), info.st_mode & 07777);
  }
  ~FileSink() override {
    if (!file_) return;
    std::fclose(file_);
    discard();
  }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  void write(const void* src, uint64_t bytes) override {
    if (bytes > 0 && std::fwrite(src, 1, bytes, file_) != bytes) reject("writing");
  }
  void commit() override {
    if (std::fflush(file_) != 0 || (!direct_ && fsync(fileno(file_)) != 0)) reject("writing");
    std::FILE* done = file_;
    file_ = nullptr;
    const bool closed = std::fclose(done) == 0;
    if (!closed || (!direct_ && std::rename(written_.c_str(), path_.c_str()) != 0)) {
      const int reason = errno;
      discard();
      fail(Status::io, "[save] cannot replace '", path_, "': ", std::strerror(reason));
    }
  }

 private:
  [[noreturn]] void reject(const char* doing) const {
    fail(Status::io, "[save] ", doing, " '", path_, "' failed: ", std::strerror(errno));
  }
  void discard() const {
    if (!direct_) std::remove(written_.c_str());
  }
  std::string path_, written_;
  bool direct_ = false;
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
