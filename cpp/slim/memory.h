// Memory of the single file's containers. A system that has no more ends the process, as it ends a program on a
// phone: no container can fail, so the single file needs no code and tables for containers that did.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "slim/attempt.h"

// Has the function it stands in keep a frame pointer: one that holds containers has much on its stack, which is reached
// from there in less code, and the tables that say how to leave it are smaller.
#if defined(__clang__) && defined(__x86_64__)
#define MIXGRAD_SLIM_FRAME asm volatile("" : : "m"(*static_cast<const char*>(__builtin_frame_address(0))))
#else
#define MIXGRAD_SLIM_FRAME static_cast<void>(0)
#endif

namespace mixgrad::slim {

using std::size_t;

// Memory of elements whose size is a multiple of 32 bytes begins at a multiple of 64; no other needs that.
constexpr size_t kMostAlignment = 64;
constexpr bool is_aligned(size_t bytes) { return bytes % 32 == 0; }

// Where there are no exceptions calls hold what they take (slim/attempt.h): so many bytes before it are theirs.
constexpr size_t kHeldRoom = MIXGRAD_THROWS ? 0 : 16;
static_assert(MIXGRAD_THROWS || sizeof(Held) <= kHeldRoom);
// They hold objects that ask for no more alignment than this. For 32-bit x86 some compilers name one to `new` that any
// memory has.
constexpr size_t kHeldAlignment = alignof(std::max_align_t) > __STDCPP_DEFAULT_NEW_ALIGNMENT__
                                      ? alignof(std::max_align_t)
                                      : __STDCPP_DEFAULT_NEW_ALIGNMENT__;

// Memory of `count` elements and some bytes before. Where there is none, says so on stderr and ends the process.
[[gnu::noinline]] void* take_memory(size_t count, size_t bytes, size_t before = 0) noexcept;
void give_memory_back(void* data, size_t bytes) noexcept;  // of one element
void give_memory_back(void* data) noexcept;                // of elements that are not aligned
// What end_object gives back, or one of those below.
[[gnu::noinline, gnu::returns_nonnull]] void* take_object_memory(size_t bytes) noexcept;
void give_object_memory_back(void* data) noexcept;
// What `delete[]` gives back, and `delete` of objects that ask for an alignment of their own; no call holds it.
[[gnu::noinline, gnu::returns_nonnull]] void* take_array_memory(size_t bytes) noexcept;
[[gnu::noinline, gnu::returns_nonnull]] void* take_object_memory(size_t bytes,
                                                                 std::align_val_t alignment) noexcept;
[[gnu::noinline, gnu::returns_nonnull]] void* take_array_memory(size_t bytes,
                                                                std::align_val_t alignment) noexcept;

// `new (kOrEnd) T` makes a T whose memory does not fail; every `new T` of the single file says so. `new (kForGood) T`
// makes one that outlives the call.
struct OrEnd {};
inline constexpr OrEnd kOrEnd{};
struct ForGood {};
inline constexpr ForGood kForGood{};

}  // namespace mixgrad::slim

[[gnu::returns_nonnull]] inline void* operator new(std::size_t bytes, mixgrad::slim::OrEnd) noexcept {
  return mixgrad::slim::take_object_memory(bytes);
}
[[gnu::returns_nonnull]] inline void* operator new(std::size_t bytes, mixgrad::slim::ForGood) noexcept {
  const mixgrad::slim::Staying staying;
  return mixgrad::slim::take_object_memory(bytes);
}
[[gnu::returns_nonnull]] inline void* operator new(std::size_t bytes, std::align_val_t alignment,
                                                   mixgrad::slim::OrEnd) noexcept {
  if (!MIXGRAD_THROWS && static_cast<std::size_t>(alignment) <= mixgrad::slim::kHeldAlignment) {
    return mixgrad::slim::take_object_memory(bytes);
  }
  return mixgrad::slim::take_object_memory(bytes, alignment);
}
[[gnu::returns_nonnull]] inline void* operator new[](std::size_t bytes, mixgrad::slim::OrEnd) noexcept {
  return mixgrad::slim::take_array_memory(bytes);
}
[[gnu::returns_nonnull]] inline void* operator new[](std::size_t bytes, std::align_val_t alignment,
                                                     mixgrad::slim::OrEnd) noexcept {
  return mixgrad::slim::take_array_memory(bytes, alignment);
}
// Called where a constructor fails.
inline void operator delete(void* data, mixgrad::slim::OrEnd) noexcept {
  mixgrad::slim::give_object_memory_back(data);
}
inline void operator delete(void* data, mixgrad::slim::ForGood) noexcept {
  mixgrad::slim::give_object_memory_back(data);
}
inline void operator delete(void* data, std::align_val_t alignment, mixgrad::slim::OrEnd) noexcept {
  ::operator delete(data, alignment);
}
inline void operator delete[](void* data, mixgrad::slim::OrEnd) noexcept { ::operator delete[](data); }
inline void operator delete[](void* data, std::align_val_t alignment, mixgrad::slim::OrEnd) noexcept {
  ::operator delete[](data, alignment);
}

namespace mixgrad::slim {

// Where calls hold memory `delete` of what `new (kOrEnd)` made is end_object(object, destroy), in which destroy calls
// the destructor from where that may be done.
template <class T, class Destroy>
void end_object(T* object, Destroy destroy) noexcept {
  if constexpr (alignof(T) > kHeldAlignment) {
    delete object;
  } else if (object) {
    const void* room = object;
    if constexpr (std::is_polymorphic_v<T>) room = dynamic_cast<const void*>(object);
    destroy(object);
    give_object_memory_back(const_cast<void*>(room));
  }
}
struct EndObject {
  template <class T>
  void operator()(T* object) const noexcept {
    end_object(object, [](T* ending) { ending->~T(); });
  }
};
template <class T>
using EndOf = std::conditional_t<MIXGRAD_THROWS || std::is_array_v<T>, std::default_delete<T>, EndObject>;
template <class T, class End = EndOf<T>>
using unique_ptr = std::unique_ptr<T, End>;

template <class T, class... Args>
unique_ptr<T> make_unique(Args&&... args) {
  return unique_ptr<T>(new (kOrEnd) T(std::forward<Args>(args)...));
}

}  // namespace mixgrad::slim
