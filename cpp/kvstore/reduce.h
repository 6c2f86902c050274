// Moving values between the devices of one machine: sums into one place, copies out of it.
#pragma once

#include <vector>

#include "array/array.h"
#include "kvstore/key.h"

namespace mixgrad::kvstore {

// None is recorded by autograd.

// These two push one task per device copy or sum to the engine, of dense arrays.

// out = the sum of the values, added in their order in float32 (16-bit floats) or their own type, and rounded once; so the
// result depends on the order of the values only. Shapes and dtypes are equal to the output's; values whose memory the
// output's device cannot read are copied there first.
void sum_into(Span<Array* const> values, Array& out, int priority);

// out = value, across devices and dtypes; shapes are equal.
void copy_into(Array& value, Array& out, int priority);

// The same of arrays some of which may be row_sparse: their sum, on that device, row_sparse if all are.
ArrayRef sum_of(Span<Array* const> values, Device device);
// out = value; out keeps its storage type.
void copy_any(Array& value, Array& out, int priority);
// Rows of a stored value into a row_sparse array.
void copy_rows(Array& value, const std::vector<int64_t>& rows, Array& out);

}  // namespace mixgrad::kvstore
