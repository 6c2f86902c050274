// Releasing blocks whose memory is not the pool's.
#pragma once

#include "storage/block.h"

namespace mixgrad::storage {

// block.owner is not null.
void release_owned(const Block& block) noexcept;

}  // namespace mixgrad::storage
