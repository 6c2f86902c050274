// Normalisation written with operators: gradients of any order.
#pragma once

#include "op/tensor.h"

namespace mixgrad::ops::norm_grad {

// x with mean 0 and variance 1 over axes that hold `count` elements: out = (x - mean) * scale.
struct Whitened {
  Tensor out, scale;
};
Whitened whiten(const Tensor& x, const Shape& axes, int64_t count, double eps);

// Gradient of x, from that of Whitened::out.
Tensor whiten_gradient(const Whitened& w, const Tensor& gradient, const Shape& axes, int64_t count);

}  // namespace mixgrad::ops::norm_grad
