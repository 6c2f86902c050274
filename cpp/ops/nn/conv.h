// What Convolution and Deconvolution share: parameters, shapes, and the choice of kernels.
#pragma once

#include "kernels/backend/nn_backend.h"
#include "op/define.h"

namespace mixgrad::ops::conv {

enum class Layout { none, ncdhw, nchw, ncw, ndhwc, nhwc, nwc };
enum class Tune { none, fastest, limited_workspace, off };
// Their names in parameters, in order.
inline constexpr const char* kLayoutNames[] = {"None", "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"};
inline constexpr const char* kTuneNames[] = {"None", "fastest", "limited_workspace", "off"};

// The parameters by which a window moves over an input; empty tuples stand for ones (pad: zeros).
struct Window {
  Shape kernel, stride, dilate, pad;
  int64_t num_filter, num_group;
  Layout layout;

  template <class P>
  static Window of(const P& p) {
    return {p.kernel, p.stride, p.dilate, p.pad, p.num_filter, p.num_group, p.layout};
  }
  int axes() const { return kernel.ndim(); }
  bool channels_last() const { return layout >= Layout::ndhwc; }
  // Of a rank axes() + 2 array.
  int channel_axis() const { return channels_last() ? axes() + 1 : 1; }
  int first_axis() const { return channels_last() ? 1 : 2; }
};

// Throws through s.reject unless data fits the window and the window makes sense; then fills empty tuples.
Window checked_window(Window w, ShapeInfer& s);
// Input elements that a kernel of extent k covers.
inline int64_t covered(const Window& w, int axis) { return w.dilate[axis] * (w.kernel[axis] - 1) + 1; }

// The convolution from `data` to `out`, shapes in the window's layout.
nn_backend::ConvShape conv_shape(const Window& w, const Shape& data, const Shape& out);

// Kernels for any float dtype; blocked images are float32, and their data_grad takes no bias. bias may be null.
void forward(DType dtype, const nn_backend::ConvShape& s, const void* data, const void* weight,
             const void* bias, void* out);
// bias has s.channels elements.
void data_grad(DType dtype, const nn_backend::ConvShape& s, const void* out_grad, const void* weight,
               const void* bias, void* data_grad);
void weight_grad(DType dtype, const nn_backend::ConvShape& s, const void* data, const void* out_grad,
                 void* weight_grad);
// Sums of `image` (batch x channels x positions in the layout) over all but channels.
void bias_grad(const View& image, bool channels_last, const View& bias_grad);

// Gradients made of operators. The weight gradient of the convolution from `data` to `out` has shape `weight`.
Tensor weight_grad_of(const Window& w, const Tensor& data, const Tensor& out_grad, const Shape& weight);
Tensor bias_grad_of(const Window& w, const Tensor& out_grad);
// Applies Convolution or Deconvolution with this window and no bias; `adj` only for the latter.
Tensor convolve(const char* op, const Window& w, const Tensor& data, const Tensor& weight, const Shape* adj);

}  // namespace mixgrad::ops::conv
