// Pooling of images in blocks of 16 channels: two axes; largest element, mean or sum.
#pragma once

#include "kernels/pooling/pool_kernel.h"

namespace mixgrad::pool_block {

// Of s.channels, a multiple of 16; s.channels_last is not looked at.
bool serves(const pool_kernel::PoolShape& s);
void forward(const pool_kernel::PoolShape& s, const float* data, float* out);
// As pool_kernel::backward; data and out are read for max only.
void backward(const pool_kernel::PoolShape& s, const float* data, const float* out, const float* out_grad,
              float* data_grad);

}  // namespace mixgrad::pool_block
