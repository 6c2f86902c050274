// Pooling of float32 images whose channels come last in whole blocks of 16: blocked images, and many plain ones.
#pragma once

#include "kernels/pooling/pool_kernel.h"

namespace mixgrad::pool_rows {

// Windows over the last two axes; a first axis of positions is left as it is.
bool serves(const pool_kernel::PoolShape& s);
void forward(const pool_kernel::PoolShape& s, const float* data, float* out);

}  // namespace mixgrad::pool_rows
