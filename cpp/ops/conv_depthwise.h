// Convolutions with one channel and one filter per group, without matrices.
#pragma once

#include "op/nn_backend.h"

namespace mixgrad::ops::conv_depthwise {

bool serves(const nn_backend::ConvShape& s);

template <class T>
void forward(const nn_backend::ConvShape& s, const T* data, const T* weight, const T* bias, T* out);

}  // namespace mixgrad::ops::conv_depthwise
