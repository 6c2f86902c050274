// The one way files are opened for reading.
#pragma once

#include <cstdint>
#include <string>

namespace mixgrad {

// A regular file, opened for reading. Whatever else has that name (a pipe, a device, a folder, a socket) is refused without
// being opened, so nothing waits for it. Throws Status::not_found where there is no such file, else Status::io; messages begin
// with [who].
class OpenedFile {
 public:
  OpenedFile(const std::string& path, const char* who);
  ~OpenedFile();
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  int descriptor() const { return descriptor_; }
  uint64_t bytes() const { return bytes_; }  // when it was opened
  // Whether somebody may shorten it while it is read: it has a permission to write, and lies where one can.
  bool may_change() const { return may_change_; }
  // The descriptor, which the caller closes.
  int release();

 private:
  int descriptor_ = -1;
  uint64_t bytes_ = 0;
  bool may_change_ = true;
};

}  // namespace mixgrad
