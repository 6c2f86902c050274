#include "ops/quantization/window.h"

#include <algorithm>

namespace mixgrad::ops::window {
namespace {

using nn_backend::kMostExtent;
using nn_backend::kMostWindow;

void check_tuple(const Shape& tuple, int axes, int64_t low, const char* name, const ShapeInfer& s) {
  if (tuple.ndim() == 0) return;
  bool good = tuple.ndim() == axes;
  for (int64_t v : tuple) good = good && v >= low && v <= kMostWindow;
  if (!good) {
    s.reject(name, " is ", tuple, "; expected ", axes, " numbers from ", low, " to ", kMostWindow);
  }
}

}  // namespace

void check_window(const Window& w, const ShapeInfer& s) {
  const int axes = w.axes();
  if (axes < 1 || axes > 3) s.reject("kernel is ", w.kernel, "; expected one, two or three numbers");
  check_tuple(w.kernel, axes, 1, "kernel", s);
  check_tuple(w.stride, axes, 1, "stride", s);
  check_tuple(w.dilate, axes, 1, "dilate", s);
  check_tuple(w.pad, axes, 0, "pad", s);
  constexpr Layout kFirst[] = {Layout::ncw, Layout::nchw, Layout::ncdhw};
  if (w.layout != Layout::none && w.layout != kFirst[axes - 1]) {
    s.reject("layout is ", kLayoutNames[static_cast<int>(w.layout)], "; expected channels first, ",
             kLayoutNames[static_cast<int>(kFirst[axes - 1])]);
  }
  if (s.in(0).known_rank() && s.in(0).ndim() != axes + 2) s.reject("data needs ", axes + 2, " axes");
}

int64_t window_extent(const Window& w, int axis, int64_t extent, const ShapeInfer& s) {
  if (extent < 0) return extent;
  if (extent > kMostExtent) {
    s.reject("spatial axis ", axis, " has extent ", extent, "; expected at most ", kMostExtent);
  }
  const int64_t padded = extent + 2 * w.padding(axis), step = w.step(axis);
  if (padded < w.covered(axis)) {
    s.reject("the kernel covers ", w.covered(axis), " elements of spatial axis ", axis,
             ", which with padding has ", padded);
  }
  if (w.rounding == Rounding::same) return (extent + step - 1) / step;
  const int64_t moves = padded - w.covered(axis);
  return (w.rounding == Rounding::full ? (moves + step - 1) / step : moves / step) + 1;
}

nn_backend::ConvShape window_shape(const Window& w, const Shape& data, const Shape& out) {
  nn_backend::ConvShape s;
  s.batch = data[0], s.channels = data[1], s.filters = out[1];
  for (int i = 0; i < w.axes(); ++i) {
    const int at = 3 - w.axes() + i;
    s.in[at] = data[2 + i];
    s.out[at] = out[2 + i];
    s.kernel[at] = w.kernel[i];
    s.stride[at] = w.step(i);
    s.dilate[at] = w.gap(i);
    s.pad[at] = w.padding(i);
    // What the windows need beyond the input, half of it in front.
    if (w.rounding == Rounding::same)
      s.pad[at] = std::max<int64_t>(0, (s.out[at] - 1) * s.stride[at] + s.kernel[at] - s.in[at]) / 2;
  }
  return s;
}

}  // namespace mixgrad::ops::window
