// Where blocks with known lifetimes lie in one piece of memory.
#pragma once

#include <cstdint>
#include <vector>

namespace mixgrad {

// Needed from step `first` to step `last`, both included; `offset` is the result.
struct ArenaBlock {
  uint32_t first = 0, last = 0;
  int64_t bytes = 0, offset = 0;
};

// The most bytes that are alive in any step: no layout is smaller.
int64_t live_peak(const std::vector<ArenaBlock>& blocks);

// Gives every block an offset such that no two that are alive in one step overlap; the bytes the layout spans. Offsets are
// multiples of the sizes' greatest common power of two. Of several attempts the best is kept, until one needs no more than
// live_peak; time is n log n beyond a few thousand blocks.
int64_t lay_out(std::vector<ArenaBlock>& blocks);

}  // namespace mixgrad
