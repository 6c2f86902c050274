// Tells AddressSanitizer which pooled bytes nobody owns, so that it finds uses of released blocks.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define MIXGRAD_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MIXGRAD_ASAN 1
#else
#define MIXGRAD_ASAN 0
#endif
#else
#define MIXGRAD_ASAN 0
#endif

#if MIXGRAD_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace mixgrad::storage {

#if MIXGRAD_ASAN
inline void poison(const void* data, std::size_t bytes) { __asan_poison_memory_region(data, bytes); }
inline void unpoison(const void* data, std::size_t bytes) { __asan_unpoison_memory_region(data, bytes); }
// Lets AddressSanitizer report a block that is released twice.
inline void expect_owned(const void* data) { static_cast<void>(*static_cast<const volatile char*>(data)); }
#else
inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
inline void expect_owned(const void*) {}
#endif

}  // namespace mixgrad::storage
