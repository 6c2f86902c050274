#include "c_api/sized.h"

#include <algorithm>

namespace mixgrad::c_api {
namespace {

constexpr size_t kMostBytes = 4096;  // more is no size but memory that nobody set

// The size that the caller set.
size_t checked_size(const void* given, const SizedType& type, const char* function) {
  require(given, function, type.name);
  size_t size;
  std::memcpy(&size, given, sizeof size);
  if (size < type.least || size > kMostBytes || size % type.alignment != 0) {
    fail(Status::invalid_argument, "[", function, "] the size of ", type.name, " is ", size,
         "; expected sizeof(", type.name, "), which is ", type.bytes, " here and was never below ",
         type.least);
  }
  return size;
}

}  // namespace

void read_sized(const void* given, void* full, const SizedType& type, const char* function) {
  const size_t size = checked_size(given, type, function);
  const auto* bytes = static_cast<const char*>(given);
  if (size > type.bytes &&
      std::any_of(bytes + type.bytes, bytes + size, [](char byte) { return byte != 0; })) {
    fail(Status::unsupported, "[", function, "] ", type.name, " of ", size, " bytes sets fields beyond the ",
         type.bytes,
         " bytes that mixgrad " MG_VERSION
         " knows: the program was built for a newer header than this library's");
  }
  std::memcpy(full, given, std::min(size, type.bytes));
}

void write_sized(void* out, const void* full, const SizedType& type, const char* function) {
  const size_t size = checked_size(out, type, function);
  const size_t known = std::min(size, type.bytes);
  auto* bytes = static_cast<char*>(out);
  std::memcpy(bytes + sizeof size, static_cast<const char*>(full) + sizeof size, known - sizeof size);
  std::memset(bytes + known, 0, size - known);
}

}  // namespace mixgrad::c_api
