// Runs a pointwise operator over arrays: broadcasting, dtype conversion and division over cores around its
// tile functions.
#pragma once

#include "op/op.h"

namespace mixgrad {

// Input shapes broadcast to the output's shape. The output may be one of the inputs if that one is not
// broadcast.
void run_pointwise(const Op& op, const void* params, Span<const View> in, const View& out);

// The type a pointwise operator computes in for operands of that dtype.
ComputeType compute_type_of(const Pointwise& pointwise, DType dtype);
DType dtype_of(ComputeType type);

}  // namespace mixgrad
