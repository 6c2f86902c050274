// Pieces that compositions of NumPy's operators share.
#pragma once

#include "op/define.h"

namespace mixgrad::ops::numpy {

// 0, 1, ... n - 1.
Tensor arange_of(int64_t n, DType dtype = DType::int64);
// One number, of shape ().
Tensor number_of(double value, DType dtype);
// x[..., begin:end, ...] along an axis.
Tensor slice_of(const Tensor& x, int axis, int64_t begin, int64_t end);
// Arrays one after another along an axis; one alone is itself.
Tensor joined(const std::vector<Tensor>& parts, int axis);
// Rows of x at indices along an axis, negatives counting from the end.
Tensor taken(const Tensor& x, const Tensor& indices, int axis);

}  // namespace mixgrad::ops::numpy
