// The innermost loop of weight gradients: sums over pixels of a few channels times a strip of filters, held in registers.
#pragma once

#include <cstdint>

namespace mixgrad::conv_grad_tile {

// `rows` channels, side by side in the image, x kernel.cols filters, whose gradients lie side by side from pixel to pixel. The
// pixels come in segments of `count`: those of one begin at offset[segment] in the image and lie `step` apart.
struct Tile {
  const float* a;
  const int64_t* offset;
  int64_t segments, count, step;
  const float* b;  // segments x count x cols
  float* c;        // rows x cols
  bool add;        // to what c holds
};

struct Kernel {
  int rows = 0, cols = 0;
  void (*run)(const Tile&) = nullptr;
};

// For the best instruction set of this machine; none, with no rows, where vectors have 16 bytes.
Kernel kernel();

}  // namespace mixgrad::conv_grad_tile
