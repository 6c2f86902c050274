// The host as a device: ordinary pages, and pages other processes can attach.
#pragma once

#include "device/api.h"

namespace mixgrad {

DeviceApi& cpu_api();
// Serves cpu_shared; only where shared_memory_available().
DeviceApi& cpu_shared_api();

// Whole pages from the system, null when it refuses, and back to it; as DeviceApi says.
void* take_pages(std::size_t bytes, std::size_t alignment);
void give_pages(void* data, std::size_t bytes) noexcept;
// True where the bytes of such pages are zero.
extern const bool kZeroPages;

// Whole pages between the ends go back to the system: touched again they hold zeros, or what their file holds. False where
// systems know nothing of the kind; then nothing happens.
bool forget_pages(void* data, std::size_t bytes);

}  // namespace mixgrad
