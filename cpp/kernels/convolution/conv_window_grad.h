// Weight gradients of convolutions with any windows and steps.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_window_grad {

// Images of one or two axes, channels first, plain or blocked; one group, or groups of whole blocks of channels.
bool serves(const nn_backend::ConvShape& s);
void weight_grad(const nn_backend::ConvShape& s, const float* data, const float* out_grad,
                 float* weight_grad);

}  // namespace mixgrad::conv_window_grad
