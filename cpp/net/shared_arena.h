// Memory that other processes of this machine can map, cut into blocks.
#pragma once

#include <cstddef>

#include "storage/block.h"

namespace mixgrad::net {

// Payloads from here on travel between processes of one machine as places in shared memory.
constexpr size_t kSmallestShared = size_t{32} << 10;

// A block of host memory for what is to be sent, given back by storage::release(); contents undefined, 64-byte aligned. Without data
// where there is no shared memory: in a forked child, on systems without it, when the system refuses. Blocks that were given back are
// used again, and their pages stay this process's. Any thread.
storage::Block shared_block(size_t bytes);
// Whether a segment that begins there is one that blocks are cut from: it stays where it is as long as this process lives.
bool is_arena_segment(const void* start);

}  // namespace mixgrad::net
