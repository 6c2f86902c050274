// Sums of arrays of several workers, in the order of their ranks.
#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/span.h"

namespace mixgrad::kvstore::collective {

// In which a sum is made, and travels while it is not complete: float32 for 16-bit floats, else the dtype itself.
DType sum_dtype(DType dtype);

// out = first + parts[0] + parts[1] + ..., from left to right in the sum's dtype, rounded once. `first` and `out` have `dtype` or
// its sum's; all have `count` elements. `out` may be `first` where they have one dtype, and else overlaps nothing.
void sum_in_order(DType dtype, const void* first, DType first_dtype, Span<const void* const> parts, void* out,
                  DType out_dtype, int64_t count);

}  // namespace mixgrad::kvstore::collective
