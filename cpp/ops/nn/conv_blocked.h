// Convolutions of blocked images that no kernel takes as they are: on plain copies. And sums over blocked images.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::ops::conv_blocked {

// bias may be null.
void forward(const nn_backend::ConvShape& s, const float* data, const float* weight, const float* bias,
             float* out);
void data_grad(const nn_backend::ConvShape& s, const float* out_grad, const float* weight, float* data_grad);
void weight_grad(const nn_backend::ConvShape& s, const float* data, const float* out_grad,
                 float* weight_grad);

// Sums over batch and positions; `channels` is a multiple of 16.
void bias_grad(const float* image, int64_t batch, int64_t channels, int64_t positions, float* sums);

}  // namespace mixgrad::ops::conv_blocked
