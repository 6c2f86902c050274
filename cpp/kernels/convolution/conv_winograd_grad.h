// Weight gradients of 3x3 convolutions by Winograd's transforms: a quarter of the products of the direct sum.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_winograd_grad {

// Blocked images, steps of one, one group, and channels enough for the transforms to pay.
bool serves(const nn_backend::ConvShape& s);
void weight_grad(const nn_backend::ConvShape& s, const float* data, const float* out_grad,
                 float* weight_grad);

}  // namespace mixgrad::conv_winograd_grad
