// Files whose bytes are used where they lie, without a copy.
#pragma once

#include <memory>
#include <string>

#include "files/byte_stream.h"

namespace mixgrad {

// Which files are mapped rather than read. A process that shortens a mapped file ends the processes that look at what is gone (SIGBUS),
// and one that writes into it changes their arrays.
enum class FileMapping : int {
  never = 0,
  fixed = 1,   // files that nobody has permission to write to, or on a file system that is read-only
  always = 2,  // the caller knows that nobody changes them
};
FileMapping file_mapping();
void set_file_mapping(FileMapping mapping);

// Like open_file(), but lends its bytes (ByteSource::borrow) where file_mapping() says so and the system can map files; what is
// lent keeps the mapping alive. Writing to lent memory changes this process's copy only. Replacing a mapped file by another of
// the same name is always safe.
std::unique_ptr<ByteSource> map_file(const std::string& path);

}  // namespace mixgrad
