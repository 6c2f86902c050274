#include "base/file_writer.h"
#include "files/byte_stream.h"

namespace mixgrad {
namespace {

class FileSink final : public ByteSink {
 public:
  explicit FileSink(const std::string& path) : writer_(path, "save") {}
  void write(const void* src, uint64_t bytes) override { writer_.write(src, bytes); }
  void commit() override { writer_.commit(); }

 private:
  FileWriter writer_;
};

}  // namespace

std::unique_ptr<ByteSink> create_file(const std::string& path) { return std::make_unique<FileSink>(path); }

}  // namespace mixgrad
