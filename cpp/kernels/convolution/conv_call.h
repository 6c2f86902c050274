// Single convolutions and their gradients by plans, which each thread keeps for its next calls.
#pragma once

#include "kernels/convolution/conv_plan.h"

namespace mixgrad::conv_call {

// Each computes all of its output and returns true, or touches nothing and returns false where another kernel of this
// program is as fast. float32; any of the library's own threads; bias may be null.
bool forward(const nn_backend::ConvShape& s, const float* data, const float* weight, const float* bias,
             float* out);
bool data_grad(const nn_backend::ConvShape& s, const float* out_grad, const float* weight, const float* bias,
               float* data_grad);
bool weight_grad(const nn_backend::ConvShape& s, const float* data, const float* out_grad,
                 float* weight_grad);

}  // namespace mixgrad::conv_call
