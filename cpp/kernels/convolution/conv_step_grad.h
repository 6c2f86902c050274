// Data gradients of convolutions whose windows move in steps, as convolutions in steps of one.
#pragma once

#include <vector>

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_step_grad {

// Every `stride`th row and column of data from one on, which the same weights reach: every `stride`th from `row` and `col`
// on. Their gradient is the convolution `shape` of one image of output gradients with those weights flipped in both directions.
struct Phase {
  nn_backend::ConvShape shape;   // channels are filters and filters channels
  int64_t row, col;              // the first weight
  int64_t first_row, first_col;  // the first pixel
};

// Those that a weight reaches; the rest of data has no gradient. Empty where none of this serves: images of three axes,
// channels last, dilation, groups of fewer channels than fill a block, steps of one, and padding wider than the window.
std::vector<Phase> phases(const nn_backend::ConvShape& s);
// Whether every pixel of data belongs to a phase.
bool cover(const nn_backend::ConvShape& s);
// For each phase, or for all of data where steps are one, (channels, filters / groups, window of the phase) from the convolution's weights.
void transpose_weights(const nn_backend::ConvShape& s, const std::vector<Phase>& phases, const float* weight,
                       float* const* to);
// The pixels of a phase go to their places in one image.
void spread(const nn_backend::ConvShape& s, const Phase& phase, const float* from, float* data);

}  // namespace mixgrad::conv_step_grad
