// Convolutions with one channel and one filter per group, without matrices.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::conv_depthwise {

bool serves(const nn_backend::ConvShape& s);

template <class T>
void forward(const nn_backend::ConvShape& s, const T* data, const T* weight, const T* bias, T* out);

}  // namespace mixgrad::conv_depthwise
