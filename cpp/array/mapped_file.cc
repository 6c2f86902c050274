#include "array/mapped_file.h"

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
#define MIXGRAD_MAPS_FILES 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#define MIXGRAD_MAPS_FILES 0
#endif

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "device/cpu.h"

namespace mixgrad {

#if MIXGRAD_MAPS_FILES
namespace {

struct Mapping {
  char* data;
  size_t bytes;
  Mapping(char* d, size_t n) : data(d), bytes(n) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (bytes > 0) munmap(data, bytes);
  }
};

class MappedSource final : public ByteSource {
 public:
  MappedSource(std::string path, std::shared_ptr<Mapping> mapping)
      : path_(std::move(path)), mapping_(std::move(mapping)) {}
  void read(void* dst, uint64_t bytes) override {
    peek(dst, bytes);
    at_ += bytes;
  }
  void peek(void* dst, uint64_t bytes) override {
    expect(bytes, "the next field");
    if (bytes > 0) std::memcpy(dst, mapping_->data + at_, bytes);
  }
  uint64_t remaining() const override { return mapping_->bytes - at_; }
  const std::string& name() const override { return path_; }
  storage::Block borrow(uint64_t bytes) override {
    expect(bytes, "the next field");
    char* data = mapping_->data + at_;
    at_ += bytes;
    return storage::wrap(
        Device(), data, bytes, [mapping = mapping_] {}, [data, bytes] { forget_pages(data, bytes); });
  }

 private:
  std::string path_;
  std::shared_ptr<Mapping> mapping_;
  uint64_t at_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> map_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    const int reason = errno;
    fail(reason == ENOENT ? Status::not_found : Status::io, "[load] cannot open '", path,
         "': ", std::strerror(reason));
  }
  struct stat info;
  const bool regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  const size_t bytes = regular ? static_cast<size_t>(info.st_size) : 0;
  void* data = bytes > 0 ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0) : nullptr;
  const int reason = errno;
  close(file);
  if (!regular) fail(Status::io, "[load] '", path, "' is not a regular file");
  if (data == MAP_FAILED) fail(Status::io, "[load] cannot map '", path, "': ", std::strerror(reason));
  return std::make_unique<MappedSource>(path, std::make_shared<Mapping>(static_cast<char*>(data), bytes));
}

#else

std::unique_ptr<ByteSource> map_file(const std::string& path) { return open_file(path); }

#endif

}  // namespace mixgrad
