// Bytes in and out of files and memory, with bounds that hold whatever a file claims.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/block.h"

namespace mixgrad {

// Reads forward. Throws Status::format when bytes run out, Status::io when reading fails.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual void read(void* dst, uint64_t bytes) = 0;
  // The next bytes, which the next read delivers again.
  virtual void peek(void* dst, uint64_t bytes) = 0;
  virtual uint64_t remaining() const = 0;
  virtual const std::string& name() const = 0;  // for messages
  // The next bytes where they lie, which storage::release gives back; a block without data where they must be read.
  virtual storage::Block borrow(uint64_t bytes) {
    static_cast<void>(bytes);
    return {};
  }

  template <class T>
  T number() {
    T value;
    read(&value, sizeof value);
    return value;
  }
  // Throws Status::format unless that many bytes are left.
  void expect(uint64_t bytes, const char* what) const;
};

std::unique_ptr<ByteSource> open_file(const std::string& path);  // as an OpenedFile (base/file_opener.h)
std::unique_ptr<ByteSource> open_memory(const void* data, uint64_t bytes);  // borrows

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(const void* src, uint64_t bytes) = 0;
  // Makes what was written visible and durable; without it a file sink leaves nothing behind.
  virtual void commit() = 0;

  template <class T>
  void number(T value) {
    write(&value, sizeof value);
  }
};

// Writes as a FileWriter does (base/file_writer.h).
std::unique_ptr<ByteSink> create_file(const std::string& path);

class MemorySink final : public ByteSink {
 public:
  void write(const void* src, uint64_t bytes) override;
  void commit() override {}
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  std::vector<char> bytes_;
};

}  // namespace mixgrad
