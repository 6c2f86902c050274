// Memory of the single file's containers. A system that has no more ends the process, as it ends a program on a
// phone: no container can fail, so the single file needs no code and tables for containers that did.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

// Has the function it stands in keep a frame pointer: one that holds containers has much on its stack, which is reached
// from there in less code, and the tables that say how to leave it are smaller.
#if defined(__clang__) && defined(__x86_64__)
#define MIXGRAD_SLIM_FRAME asm volatile("" : : "m"(*static_cast<const char*>(__builtin_frame_address(0))))
#else
#define MIXGRAD_SLIM_FRAME static_cast<void>(0)
#endif

namespace mixgrad::containers {

using std::size_t;

// Memory of elements whose size is a multiple of 32 bytes begins at a multiple of 64; no other needs that.
constexpr size_t kMostAlignment = 64;
constexpr bool is_aligned(size_t bytes) { return bytes % 32 == 0; }

// Memory of `count` elements and some bytes before. Where there is none, says so on stderr and ends the process.
[[gnu::noinline]] void* take_memory(size_t count, size_t bytes, size_t before = 0) noexcept;
void give_memory_back(void* data, size_t bytes) noexcept;  // of one element
void give_memory_back(void* data) noexcept;                // of elements that are not aligned
// What `delete` and `delete[]` give back, and those of objects that ask for an alignment of their own.
[[gnu::noinline, gnu::returns_nonnull]] void* take_object_memory(size_t bytes) noexcept;
[[gnu::noinline, gnu::returns_nonnull]] void* take_array_memory(size_t bytes) noexcept;
[[gnu::noinline, gnu::returns_nonnull]] void* take_object_memory(size_t bytes,
                                                                 std::align_val_t alignment) noexcept;
[[gnu::noinline, gnu::returns_nonnull]] void* take_array_memory(size_t bytes,
                                                                std::align_val_t alignment) noexcept;

// `new (kOrEnd) T` makes a T whose memory does not fail; every `new T` of the single file says so.
struct OrEnd {};
inline constexpr OrEnd kOrEnd{};

}  // namespace mixgrad::containers

[[gnu::returns_nonnull]] inline void* operator new(std::size_t bytes, mixgrad::containers::OrEnd) noexcept {
  return mixgrad::containers::take_object_memory(bytes);
}
[[gnu::returns_nonnull]] inline void* operator new(std::size_t bytes, std::align_val_t alignment,
                                                   mixgrad::containers::OrEnd) noexcept {
  return mixgrad::containers::take_object_memory(bytes, alignment);
}
[[gnu::returns_nonnull]] inline void* operator new[](std::size_t bytes, mixgrad::containers::OrEnd) noexcept {
  return mixgrad::containers::take_array_memory(bytes);
}
[[gnu::returns_nonnull]] inline void* operator new[](std::size_t bytes, std::align_val_t alignment,
                                                     mixgrad::containers::OrEnd) noexcept {
  return mixgrad::containers::take_array_memory(bytes, alignment);
}
// Called where a constructor fails.
inline void operator delete(void* data, mixgrad::containers::OrEnd) noexcept { ::operator delete(data); }
inline void operator delete(void* data, std::align_val_t alignment, mixgrad::containers::OrEnd) noexcept {
  ::operator delete(data, alignment);
}
inline void operator delete[](void* data, mixgrad::containers::OrEnd) noexcept { ::operator delete[](data); }
inline void operator delete[](void* data, std::align_val_t alignment, mixgrad::containers::OrEnd) noexcept {
  ::operator delete[](data, alignment);
}

namespace mixgrad::containers {

template <class T, class... Args>
std::unique_ptr<T> make_unique(Args&&... args) {
  return std::unique_ptr<T>(new (kOrEnd) T(std::forward<Args>(args)...));
}

}  // namespace mixgrad::containers
