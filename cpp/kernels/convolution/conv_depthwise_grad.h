// Gradients of depthwise convolutions of plain float images, one channel at a time.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_depthwise_grad {

// One channel and one filter per group, channels first, one or two axes.
bool serves(const nn_backend::ConvShape& s);

// Run in the calling thread and its team. bias (an element per channel, or null) is what every plane of data_grad
// starts from.
void data_grad(const nn_backend::ConvShape& s, const float* out_grad, const float* weight, const float* bias,
               float* data_grad);
void weight_grad(const nn_backend::ConvShape& s, const float* data, const float* out_grad,
                 float* weight_grad);

}  // namespace mixgrad::conv_depthwise_grad
