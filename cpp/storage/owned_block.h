// Releasing blocks whose memory is not the pool's, and counting them.
#pragma once

#include <cstdint>

#include "storage/block.h"

namespace mixgrad::storage {

// block.owner is not null.
void release_owned(const Block& block) noexcept;
// Adds to the bytes that the device's statistics call external. Throws what allocate does if the device is not there.
void count_external(Device device, std::int64_t bytes);

}  // namespace mixgrad::storage
