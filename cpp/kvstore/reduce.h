// Moving values between the devices of one machine: sums into one place, copies out of it.
#pragma once

#include "array/array.h"
#include "kvstore/key.h"

namespace mixgrad::kvstore {

// Both push one task per device copy or sum to the engine and are not recorded by autograd.

// out = the sum of the values, added in their order in float32 (16-bit floats) or their own type, and rounded once; so the
// result depends on the order of the values only. Shapes and dtypes are equal to the output's; values whose memory the
// output's device cannot read are copied there first.
void sum_into(Span<Array* const> values, Array& out, int priority);

// out = value, across devices and dtypes; shapes are equal.
void copy_into(Array& value, Array& out, int priority);

}  // namespace mixgrad::kvstore
