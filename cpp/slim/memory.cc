#include "slim/memory.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace mixgrad::slim {

namespace {

[[noreturn]] void no_memory(size_t count, size_t bytes) noexcept {
  std::fprintf(stderr, "mixgrad: the system has no memory for %zu elements of %zu bytes\n", count, bytes);
  std::abort();
}

// How far behind what the system gave lie elements of a size, where calls hold memory.
size_t room_before(size_t bytes) { return is_aligned(bytes) ? kMostAlignment : kHeldRoom; }
size_t rounded(size_t bytes) { return (bytes + kMostAlignment - 1) / kMostAlignment * kMostAlignment; }

void* held(void* data, size_t room) noexcept {
  Attempt::hold(static_cast<Held*>(data));
  return static_cast<char*>(data) + room;
}

// Null is nothing.
void give_held_back(void* data, size_t room) noexcept {
  if (data == nullptr) return;
  Held* const held = reinterpret_cast<Held*>(static_cast<char*>(data) - room);
  Attempt::let_go(held);
  std::free(held);
}

}  // namespace

void* take_memory(size_t count, size_t bytes, size_t before) noexcept {
  void* data = nullptr;
  if (count <= (PTRDIFF_MAX - before - 2 * kMostAlignment) / bytes) {
    const size_t all = before + count * bytes;
    if constexpr (!MIXGRAD_THROWS) {
      const size_t room = room_before(bytes);
      data = is_aligned(bytes) ? std::aligned_alloc(kMostAlignment, rounded(room + all))
                               : std::malloc(room + all);
      if (data != nullptr) return held(data, room);
    } else {
      data = is_aligned(bytes) ? ::operator new(all, std::align_val_t(kMostAlignment), std::nothrow)
                               : std::malloc(all > 0 ? all : 1);
    }
  }
  if (data == nullptr) no_memory(count, bytes);
  return data;
}

void give_memory_back(void* data, size_t bytes) noexcept {
  if constexpr (!MIXGRAD_THROWS) return give_held_back(data, room_before(bytes));
  if (is_aligned(bytes)) {
    ::operator delete(data, std::align_val_t(kMostAlignment));
  } else {
    std::free(data);
  }
}

void give_memory_back(void* data) noexcept {
  if constexpr (!MIXGRAD_THROWS) return give_held_back(data, kHeldRoom);
  std::free(data);
}

void* take_object_memory(size_t bytes) noexcept {
  if constexpr (!MIXGRAD_THROWS) return take_memory(bytes, 1);
  void* data = ::operator new(bytes, std::nothrow);
  if (data == nullptr) no_memory(1, bytes);
  return data;
}

void give_object_memory_back(void* data) noexcept {
  if constexpr (!MIXGRAD_THROWS) return give_memory_back(data);
  ::operator delete(data);
}

void* take_object_memory(size_t bytes, std::align_val_t alignment) noexcept {
  void* data = ::operator new(bytes, alignment, std::nothrow);
  if (data == nullptr) no_memory(1, bytes);
  return data;
}

void* take_array_memory(size_t bytes) noexcept {
  void* data = ::operator new[](bytes, std::nothrow);
  if (data == nullptr) no_memory(1, bytes);
  return data;
}

void* take_array_memory(size_t bytes, std::align_val_t alignment) noexcept {
  void* data = ::operator new[](bytes, alignment, std::nothrow);
  if (data == nullptr) no_memory(1, bytes);
  return data;
}

}  // namespace mixgrad::slim
