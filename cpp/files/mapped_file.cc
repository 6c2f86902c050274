#include "files/mapped_file.h"

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__)
#define MIXGRAD_MAPS_FILES 1
#include <sys/mman.h>
#else
#define MIXGRAD_MAPS_FILES 0
#endif

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/file_opener.h"
#include "device/cpu.h"

namespace mixgrad {
namespace {

std::atomic<FileMapping> chosen_mapping{FileMapping::fixed};

}  // namespace

FileMapping file_mapping() { return chosen_mapping.load(std::memory_order_relaxed); }
void set_file_mapping(FileMapping mapping) { chosen_mapping.store(mapping, std::memory_order_relaxed); }

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
  const FileMapping mapping = file_mapping();
  if (mapping == FileMapping::never) return open_file(path);
  const OpenedFile opened(path, "load");
  if (mapping == FileMapping::fixed && opened.may_change()) return open_file(path);
  const size_t bytes = static_cast<size_t>(opened.bytes());
  void* data =
      bytes > 0 ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, opened.descriptor(), 0) : nullptr;
  if (data == MAP_FAILED) fail(Status::io, "[load] cannot map '", path, "': ", std::strerror(errno));
  return std::make_unique<MappedSource>(path, std::make_shared<Mapping>(static_cast<char*>(data), bytes));
}

#else

std::unique_ptr<ByteSource> map_file(const std::string& path) { return open_file(path); }

#endif

}  // namespace mixgrad
