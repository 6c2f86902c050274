#include "containers/memory.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace mixgrad::containers {

namespace {

[[noreturn]] void no_memory(size_t count, size_t bytes) noexcept {
  std::fprintf(stderr, "mixgrad: the system has no memory for %zu elements of %zu bytes\n", count, bytes);
  std::abort();
}

}  // namespace

void* take_memory(size_t count, size_t bytes, size_t before) noexcept {
  void* data = nullptr;
  if (count <= (PTRDIFF_MAX - before) / bytes) {
    const size_t all = before + count * bytes;
    data = is_aligned(bytes) ? ::operator new(all, std::align_val_t(kMostAlignment), std::nothrow)
                             : std::malloc(all > 0 ? all : 1);
  }
  if (data == nullptr) no_memory(count, bytes);
  return data;
}

void give_memory_back(void* data, size_t bytes) noexcept {
  if (is_aligned(bytes)) {
    ::operator delete(data, std::align_val_t(kMostAlignment));
  } else {
    std::free(data);
  }
}

void give_memory_back(void* data) noexcept { std::free(data); }

}  // namespace mixgrad::containers
