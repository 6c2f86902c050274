// Gradients of depthwise convolutions of blocked images.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_depthwise_block_grad {

// Windows of at most 64 places, not dilated.
bool serves(const nn_backend::ConvShape& s);
void data_grad(const nn_backend::ConvShape& s, const float* out_grad, const float* weight, float* data_grad);
void weight_grad(const nn_backend::ConvShape& s, const float* data, const float* out_grad,
                 float* weight_grad);

}  // namespace mixgrad::conv_depthwise_block_grad
