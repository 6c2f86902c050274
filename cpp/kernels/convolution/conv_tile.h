// The innermost loop of our convolutions, and of products in files cut to networks: outputs of a few pixels and two vectors of filters, held in registers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/cpu.h"

namespace mixgrad::conv_tile {

inline constexpr int kMostRows = 14;
inline constexpr int kMostCols = 32;
inline constexpr int kFewRows = 4;

// `rows` pixels x kernel.cols filters; Kernel::run() is told the rows. Row i reads A at a + i * a_row. The sum runs
// over `steps` steps of `run` products: those of step s begin at offset[s] and lie side by side.
struct Tile {
  const float* a;
  int64_t a_row;
  const int64_t* offset;
  int64_t steps, run;
  const float* b;     // steps x run x cols
  const float* bias;  // cols elements, or null
  float* c[2];        // of row 0: first and second half of the filters
  int64_t c_row;
  const float* residual[2];  // like c, or null
  bool ahead = false;        // the next tile reads the rows behind these, which are asked for meanwhile
  // Weights asked for meanwhile: at `next` and `next_half` floats behind it with the first product, with later ones twice
  // that further on. Null: those that this tile itself uses a little later.
  const float* next = nullptr;
  int64_t next_half = 0;
  bool clamp;  // to [low, high]; NaN stays
  float low, high;

  // Has this tile, one by index of `tiles` over the same weights, ask for its share of as many weights at `place`, which are
  // used after these. In a network weights come from memory more often than from cache; so it delivers evenly.
  void ask_for(const float* place, int64_t items, int64_t index, int64_t tiles) {
    const int64_t products = steps * run, shares = 2 * products * tiles;
    next_half = (items + shares - 1) / shares;
    const int64_t begin = index * 2 * products * next_half;
    next = place + std::min(begin, items);
    if (begin >= items) next_half = 0;
  }
};

struct Kernel {
  using Fn = void (*)(const Tile&, int rows);
  int rows = 0, cols = 0;  // of the largest tile
  // By rows - 1. Files cut to networks hold two: of the largest tile, and of up to kFewRows rows.
  Fn fn[kAllLoops ? kMostRows : 2] = {};
  void run(const Tile& tile, int64_t count) const {
    if (kAllLoops || count == rows)
      fn[kAllLoops ? count - 1 : 0](tile, static_cast<int>(count));
    else
      run_parts(tile, count);
  }
  // A tile of several smaller ones.
  void run_parts(const Tile& tile, int64_t count) const;
  int half() const { return cols / 2; }
  // The first of tile i's pixels, of `count` in `tiles` tiles: as many in each, or, where some numbers of them are
  // slower, the best number as long as there are pixels.
  int64_t begin_of(int64_t i, int64_t tiles, int64_t count) const {
    return kAllLoops ? count * i / tiles : std::min<int64_t>(count, i * rows);
  }
};

// For the best instruction set of this machine.
Kernel kernel();

}  // namespace mixgrad::conv_tile
