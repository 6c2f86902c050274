// Replaces operator new of the program it is linked with, or preloaded into, by one that fails on demand.
#include "fail_new.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> counting{false}, lasting{false};
std::atomic<long> seen{0};
std::atomic<long> failing{0};  // the allocation that fails; 0: none

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (fail_new_refuses()) return nullptr;
  if (size == 0) size = 1;
  if (alignment <= alignof(max_align_t)) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

extern "C" {

void fail_new_start(long n, int every_later) {
  seen = 0;
  failing = n;
  lasting = every_later != 0;
  counting = true;
}

long fail_new_stop(void) {
  counting = false;
  return seen;
}

int fail_new_counts(void) { return counting.load(std::memory_order_relaxed); }

int fail_new_refuses(void) {
  if (!fail_new_counts()) return 0;
  const long number = seen.fetch_add(1, std::memory_order_relaxed) + 1;
  const long first = failing.load(std::memory_order_relaxed);
  return first > 0 && (number == first || (number > first && lasting.load(std::memory_order_relaxed)));
}

}  // extern "C"

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
