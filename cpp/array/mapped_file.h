// Files whose bytes are used where they lie, without a copy.
#pragma once

#include <memory>
#include <string>

#include "array/byte_stream.h"

namespace mixgrad {

// Like open_file(), but lends its bytes (ByteSource::borrow) where the system can map files; what is lent keeps the mapping
// alive. Writing to lent memory changes this process's copy only. The file must not be changed in place or shortened
// while it is in use; replacing it by another of the same name is safe.
std::unique_ptr<ByteSource> map_file(const std::string& path);  // Status::not_found, Status::io

}  // namespace mixgrad
