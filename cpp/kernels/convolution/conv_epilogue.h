// What follows a convolution's sums: residual and activation, over a run of numbers.
#pragma once

#include "kernels/convolution/conv_plan.h"

namespace mixgrad::conv_epilogue {

// dst[i] = activation(src[i] + residual[i]); residual may be null, dst may be src or residual. Biases are no concern
// of this loop.
void finish(const ConvEpilogue& end, const float* src, const float* residual, float* dst, int64_t n);

// Whether sums are already results: no residual, no activation.
inline bool nothing_left(const ConvEpilogue& end) {
  return !end.residual && end.activation == ConvActivation::none;
}

}  // namespace mixgrad::conv_epilogue
