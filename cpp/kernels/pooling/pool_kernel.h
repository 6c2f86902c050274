// Kernels of pooling over up to three spatial axes.
#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace mixgrad::pool_kernel {

enum class Kind { avg, lp, max, sum };

// Data is (batch, channels, in...), or channels last; leading spatial axes not in use have extent 1.
struct PoolShape {
  int64_t batch = 0, channels = 0;
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1},
          pad[3] = {0, 0, 0};
  Kind kind = Kind::max;
  int power = 1;          // of lp
  bool count_pad = true;  // avg divides by the window's extent, padding included but not what lies beyond it
  bool channels_last = false;
  int64_t in_size() const { return in[0] * in[1] * in[2]; }
  int64_t out_size() const { return out[0] * out[1] * out[2]; }
};

// Any float dtype; half types are computed in float.
void forward(DType dtype, const PoolShape& s, const void* data, void* out);
// data_grad is written in full. Of equal largest elements the first gets the gradient. data and out may be null for avg
// and sum, which need neither.
void backward(DType dtype, const PoolShape& s, const void* data, const void* out, const void* out_grad,
              void* data_grad);
// Where the largest element of each window lies in its image, the first of equal ones; 0 where a window has none.
void largest(DType dtype, const PoolShape& s, const void* data, int64_t* places);

}  // namespace mixgrad::pool_kernel
