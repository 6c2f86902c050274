// The innermost loop of depthwise convolutions: pixels of 16 channels side by side.
#pragma once

#include <cstdint>

namespace mixgrad::ops::conv_depthwise_row {

inline constexpr int kMostRows = 32;  // of a window

// A window's rows over the input: row r reads pixels of 16 floats from in[r] on, `tap_step` floats from one weight to
// the next and `pixel_step` from one output to the next; its weights are 16 floats each, side by side.
struct Window {
  const float* in[kMostRows];
  const float* weight[kMostRows];
  int64_t rows, cols, tap_step, pixel_step;
  const float* bias;  // 16 floats
};

// out[pixel][lane] = bias + sum of products, for consecutive pixels.
void run(const Window& window, int64_t pixels, float* out);

}  // namespace mixgrad::ops::conv_depthwise_row
