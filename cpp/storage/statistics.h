// What a device's pool holds, and the limits it keeps to.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.h"

namespace mixgrad::storage {

// Sizes are capacities: what blocks occupy after rounding, so reserved = in_use + pooled.
struct MemoryInfo {
  std::size_t in_use = 0;         // held by live blocks of the pool
  std::size_t peak = 0;           // largest in_use since start or reset_peak
  std::size_t reserved = 0;       // taken from the system and not given back
  std::size_t pooled = 0;         // idle: kept for the next allocation
  std::size_t external = 0;       // wrapped memory owned elsewhere; in none of the sums above
  std::size_t live_blocks = 0;    // of the pool
  std::uint64_t allocations = 0;  // since start, 0-byte requests not counted
  std::uint64_t cache_hits = 0;   // of these, served without asking the system
};

// All threads' numbers merged. While other threads allocate, `peak` may be off by up to 64 KiB for each of
// them; everything else is exact. A device never used gives zeros. Throws Error(unsupported) like allocate.
MemoryInfo memory_info(Device device);
// `peak` starts again from the present in_use.
void reset_peak(Device device);

struct Limits {
  std::size_t idle_bytes;   // idle blocks above 32 KiB are given back, oldest first, beyond this sum
  std::size_t total_bytes;  // `reserved`, which grows by at least 8 MiB at a time, never exceeds this; an
                            // allocation that would is out of memory
};

// At the start: a quarter of the memory the process may use, and no total.
Limits limits(Device device);
void set_limits(Device device, const Limits& limits);

// Gives idle memory back to the system until at most `keep` bytes of idle blocks stay; returns bytes given
// back. Small blocks cached by other running threads (at most 4 MiB each) follow when those threads next run
// out.
std::size_t trim(Device device, std::size_t keep);
// trim(device, 0)
std::size_t empty_cache(Device device);

}  // namespace mixgrad::storage
