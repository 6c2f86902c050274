// Blocks between guard bytes, for tests: who writes beyond a block is found when it is released.
#pragma once

#include <cstdint>

#include "storage/block.h"

namespace mixgrad::storage {

// Memory of blocks and scratch space handed out from now on is filled with this byte (0 to 255), and blocks of host memory lie
// between guard bytes that are checked when they are released; -1 ends that. Process-wide.
void fill_new(int byte);
// Throws Status::internal when guard bytes were found changed since the last call, saying of which block.
void check_guards();

// For allocate(), while fill_new is in force: the block of `bytes` bytes inside a larger one, which has room for the guards.
constexpr std::size_t kGuardBytes = 64;  // at either end; keeps the alignment
Block guard_block(Buffer whole, std::size_t bytes);

}  // namespace mixgrad::storage
