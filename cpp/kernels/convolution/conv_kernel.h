// Our own convolutions: windows gathered into pieces of cache size, multiplied by the weights.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_kernel {

// T is float or double. All run in the calling thread and its team.
template <class T>
void forward(const nn_backend::ConvShape& s, const T* data, const T* weight, const T* bias, T* out);
// bias (of `channels` elements, or null) is what every plane of data_grad starts from.
template <class T>
void data_grad(const nn_backend::ConvShape& s, const T* out_grad, const T* weight, const T* bias,
               T* data_grad);
template <class T>
void weight_grad(const nn_backend::ConvShape& s, const T* data, const T* out_grad, T* weight_grad);

}  // namespace mixgrad::conv_kernel
