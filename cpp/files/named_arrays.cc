#include "files/named_arrays.h"

#include <algorithm>

#include "base/build.h"
#include "base/error.h"
#include "base/utf8.h"
#include "files/params_file.h"
#include "files/safetensors_file.h"

namespace mixgrad {
namespace {

constexpr size_t kBorrowedBytes = 4096;

}  // namespace

ArrayRef read_elements(ByteSource& source, const Shape& shape, DType dtype, Device device) {
  const size_t size = static_cast<size_t>(shape.size()) * size_of(dtype);
  // Small arrays are copied: they are read at once, and many small pieces would hold their pages.
  if (size >= kBorrowedBytes && dtype != DType::boolean && device == Device()) {
    const storage::Block block = source.borrow(size);
    if (block.data) {
      const bool aligned = reinterpret_cast<uintptr_t>(block.data) % size_of(dtype) == 0;
      if (aligned) return Array::make(Chunk::wrap(block), 0, shape, dtype);
      ArrayRef copy = Array::from_host(block.data, shape, dtype, device);
      storage::release(block);
      return copy;
    }
  }
  ArrayRef array = Array::empty(shape, dtype, device);
  array->chunk().ensure();
  source.read(array->host_data(), array->bytes());
  if (dtype == DType::boolean) {
    auto* bytes = static_cast<uint8_t*>(array->host_data());
    for (size_t i = 0; i < array->bytes(); ++i) bytes[i] = bytes[i] != 0;
  }
  return array;
}

bool is_name(const std::string& name) { return name.find('\0') == std::string::npos && is_utf8(name); }

NamedArrays read_arrays(ByteSource& source, Device device, SparseEntries sparse) {
  char first[9] = {};
  const uint64_t count = std::min<uint64_t>(sizeof first, source.remaining());
  if (count == 0) fail(Status::format, "[load] ", source.name(), " is empty");
  source.peek(first, count);
  if constexpr (kQueues) {
    if (looks_like_safetensors(first, count)) return read_safetensors(source, device);
  }
  return read_params(source, device, sparse);
}

}  // namespace mixgrad
