// Parameters and shapes of convolutions of 8-bit arrays.
#pragma once

#include "ops/quantization/quantize.h"
#include "ops/quantization/window.h"

namespace mixgrad::ops::quantized_conv {

struct ConvParams {
  Shape kernel, stride, dilate, pad;
  int64_t num_filter = 0, num_group = 1, workspace = 1024;
  bool no_bias = false, cudnn_off = false;
  window::Tune cudnn_tune = window::Tune::none;
  window::Layout layout = window::Layout::none;
  static void fields(Fields<ConvParams>& f) { add_to(f); }
  template <class P>
  static Fields<P>& add_to(Fields<P>& f) {
    return f.required("kernel", &P::kernel, "Extents of the window: (w,), (h, w) or (d, h, w).")
        .add("stride", &P::stride, "Steps of the window; empty means ones.")
        .add("dilate", &P::dilate,
             "Distance of the input elements under neighbouring weights; empty means ones.")
        .add("pad", &P::pad, "Zeros added at both ends of each axis; empty means none.")
        .required("num_filter", &P::num_filter, "Channels of the output.",
                  between(1, nn_backend::kMostWindow))
        .add("num_group", &P::num_group, "Groups of channels that are convolved apart.",
             between(1, nn_backend::kMostWindow))
        .add("workspace", &P::workspace, "Accepted and ignored.", at_least(0))
        .add("no_bias", &P::no_bias, "Leave the bias and its range out.")
        .choice("cudnn_tune", static_cast<window::Tune P::*>(&P::cudnn_tune), window::kTuneNames,
                "Accepted and ignored.")
        .add("cudnn_off", &P::cudnn_off, "Accepted and ignored.")
        .choice("layout", static_cast<window::Layout P::*>(&P::layout), window::kLayoutNames,
                "Order of axes: None or channels first.");
  }
};

inline window::Window window_of(const ConvParams& p) {
  return {p.kernel, p.stride, p.dilate, p.pad, p.layout};
}
// Of complete shapes.
nn_backend::ConvShape conv_shape(const ConvParams& p, const Shape& data, const Shape& out);
// Sets weight (input 1), bias (input 2) where there is one, and output 0 from data.
void infer_conv(const ConvParams& p, ShapeInfer& s);
double conv_cost(const ConvParams& p, Span<const Shape> in);

}  // namespace mixgrad::ops::quantized_conv
