// Structs of the header that begin with their size: the program may have been built for an older header, or for a newer one.
#pragma once

#include <cstddef>
#include <type_traits>

#include "c_api/handle.h"

namespace mixgrad::c_api {

// What is known of such a struct of the header.
struct SizedType {
  const char* name;
  size_t bytes;  // of this library's
  size_t least;  // up to the last field that callers cannot leave out
  size_t alignment;
};
template <class T, class Field>
SizedType sized_type(const char* name, Field T::*last_needed) {
  static_assert(std::is_standard_layout_v<T> && std::is_trivially_copyable_v<T>);
  const T sample{};
  const auto* begin = reinterpret_cast<const char*>(&sample);
  return {name, sizeof(T),
          static_cast<size_t>(reinterpret_cast<const char*>(&(sample.*last_needed) + 1) - begin), alignof(T)};
}

// Copies what the caller gave into `full`, zeros of a library's struct. Throws Status::invalid_argument for a size that no
// version of the struct had, Status::unsupported when the caller's is larger and holds more than zeros there.
void read_sized(const void* given, void* full, const SizedType& type, const char* function);
// Fills the part of the caller's struct that `full` covers, but for its size, and the rest with zeros. Throws
// Status::invalid_argument as above.
void write_sized(void* out, const void* full, const SizedType& type, const char* function);

// `last_needed`: the last field that callers cannot leave out. Fields that an older struct lacks are 0.
template <class T, class Field>
T read_struct(const T* given, const char* name, Field T::*last_needed, const char* function) {
  T full{};
  read_sized(given, &full, sized_type(name, last_needed), function);
  return full;
}
template <class T, class Field>
void write_struct(T* out, const T& full, const char* name, Field T::*last_needed, const char* function) {
  write_sized(out, &full, sized_type(name, last_needed), function);
}

}  // namespace mixgrad::c_api
