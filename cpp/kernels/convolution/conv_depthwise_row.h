// The innermost loop of depthwise convolutions: one row of outputs, 16 channels side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_depthwise_row {

inline constexpr int kMostRows = 32;  // of a window

// Row r of the window reads pixels of 16 floats: tap k of output i at in[r] + i * pixel_step + k * tap_step, where in[r]
// may lie before the image. Its weights are 16 floats each, side by side.
struct Window {
  const float* in[kMostRows];
  const float* weight[kMostRows];
  int64_t rows, cols, tap_step, pixel_step;
  const float* bias;                       // 16 floats
  int64_t pixels, inner_begin, inner_end;  // outputs of the row; those whose taps all lie inside the image
  const int64_t* first_tap;                // per output: the taps inside the image
  const int64_t* last_tap;
  bool clamp;  // results to [low, high]; NaN stays
  float low, high;
};

// Which outputs of a row see the edges of an image that is read in place, and what they see of it.
struct Edges {
  int64_t inner_begin = 0, inner_end = 0;
  std::vector<int64_t> first_tap, last_tap;

  explicit Edges(const nn_backend::ConvShape& s);
};

// out[pixel][lane] = bias + sum of products, in [low, high].
void run(const Window& window, float* out);

}  // namespace mixgrad::conv_depthwise_row
