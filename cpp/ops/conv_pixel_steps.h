// Windows of one pixel that move in steps: what lies under them, as an image of its own.
#pragma once

#include "op/nn_backend.h"

namespace mixgrad::ops::conv_pixel_steps {

// Blocked images, one group, no padding.
bool serves(const nn_backend::ConvShape& s);
// The same convolution of what lies under the windows, in steps of one.
nn_backend::ConvShape without_steps(const nn_backend::ConvShape& s);
// The pixels under the windows of one image go to their places, with zeros between them.
void spread(const nn_backend::ConvShape& s, const float* under, float* data);

}  // namespace mixgrad::ops::conv_pixel_steps
