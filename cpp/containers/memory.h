// Memory of the single file's containers. A system that has no more ends the process, as it ends a program on a
// phone: no container can fail, so the single file needs no code and tables for containers that did. What `new` makes
// fails with std::bad_alloc as everywhere.
#pragma once

#include <cstddef>

// Has the function it stands in keep a frame pointer: one that holds containers has much on its stack, which is reached
// from there in less code, and the tables that say how to leave it are smaller (1% of the predict profile by clang).
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

}  // namespace mixgrad::containers
