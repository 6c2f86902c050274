// Where the operators of neural networks may find a library that is faster than our own kernels.
#pragma once

#include "kernels/gemm/gemm.h"

namespace mixgrad::nn_backend {

// Greatest extent, step and padding of a window, so that no sum or product of them overflows.
inline constexpr int64_t kMostWindow = int64_t{1} << 30;
// The same of an axis that windows go along, of arrays without elements, too.
inline constexpr int64_t kMostExtent = int64_t{1} << 32;

// A convolution with three spatial axes; 1-D and 2-D ones have leading axes of extent 1. Data is (batch, channels,
// in...), weights (filters, channels / groups, kernel...), output (batch, filters, out...); with channels_last the
// channel axis comes last in all three. bias has `filters` elements. A blocked image, (batch, channels / 16, positions, 16)
// with a multiple of 16 channels, is float32.
struct ConvShape {
  int64_t batch = 0, channels = 0, filters = 0, groups = 1;
  int64_t in[3] = {1, 1, 1}, out[3] = {1, 1, 1}, kernel[3] = {1, 1, 1};
  int64_t stride[3] = {1, 1, 1}, dilate[3] = {1, 1, 1}, pad[3] = {0, 0, 0};
  bool channels_last = false, data_blocked = false, out_blocked = false;

  bool blocked() const { return data_blocked || out_blocked; }
  int64_t in_size() const { return in[0] * in[1] * in[2]; }
  int64_t out_size() const { return out[0] * out[1] * out[2]; }
  int64_t kernel_size() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t data_items() const { return batch * channels * in_size(); }
  int64_t out_items() const { return batch * filters * out_size(); }
  int64_t weight_items() const { return filters * (channels / groups) * kernel_size(); }
  // Products of one forward pass.
  double products() const {
    return static_cast<double>(out_items()) * static_cast<double>(channels / groups * kernel_size());
  }
};

// Each function computes all of its output and returns true, or touches nothing and returns false when it does not
// serve that call or would be slower than our own kernel. They run in the calling thread and its team.
struct Backend {
  bool (*gemm)(DType dtype, const Gemm& g);
  // bias may be null.
  bool (*conv)(DType dtype, const ConvShape& s, const void* data, const void* weight, const void* bias,
               void* out);
  bool (*conv_data_grad)(DType dtype, const ConvShape& s, const void* out_grad, const void* weight,
                         void* data_grad);
  bool (*conv_weight_grad)(DType dtype, const ConvShape& s, const void* data, const void* out_grad,
                           void* weight_grad);
};

// The library that was loaded (kernels/backend/nn_library.h) and is switched on, or null: our own kernels do everything, as where results
// must not depend on threads.
const Backend* active();
// Switches it off and on; on throws before it is loaded. Any thread, for the calls that start later.
void set_onednn_enabled(bool enabled);
bool onednn_enabled();
// On: no library, whose sums may depend on the number of threads. Off at first; any thread, for the calls that start later.
void set_deterministic(bool on);
bool deterministic();

// The product by whichever is faster.
void matrix_product(DType dtype, const Gemm& g);
// Estimated nanoseconds of so many multiply-adds on one core.
double products_cost(double products);
// sums[j] = sum over rows of data[i * cols + j], in the dtype of both; accumulates in float or double.
void sum_rows(DType dtype, const void* data, int64_t rows, int64_t cols, void* sums);

}  // namespace mixgrad::nn_backend
