// Weight gradients of convolutions whose windows are single pixels.
#pragma once

#include "op/nn_backend.h"

namespace mixgrad::ops::conv_pixel_grad {

// Blocked images, one group, no padding, any steps.
bool serves(const nn_backend::ConvShape& s);
void weight_grad(const nn_backend::ConvShape& s, const float* data, const float* out_grad,
                 float* weight_grad);

}  // namespace mixgrad::ops::conv_pixel_grad
