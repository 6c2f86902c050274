// Windows that move over the spatial axes of 8-bit images.
#pragma once

#include "kernels/backend/nn_backend.h"
#include "op/define.h"

namespace mixgrad::ops::window {

enum class Layout { none, ncdhw, nchw, ncw, ndhwc, nhwc, nwc };
inline constexpr const char* kLayoutNames[] = {"None", "NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"};
enum class Tune { none, fastest, limited_workspace, off };
inline constexpr const char* kTuneNames[] = {"None", "fastest", "limited_workspace", "off"};

// Rounding of output extents: full up, same gives ceil(in / stride), valid down.
enum class Rounding { full, same, valid };

// Parameters as users give them; empty tuples stand for ones (pad: zeros).
struct Window {
  Shape kernel, stride, dilate, pad;
  Layout layout = Layout::none;
  Rounding rounding = Rounding::valid;
  int axes() const { return kernel.ndim(); }
  int64_t step(int axis) const { return stride.ndim() ? stride[axis] : 1; }
  int64_t gap(int axis) const { return dilate.ndim() ? dilate[axis] : 1; }
  int64_t padding(int axis) const { return pad.ndim() ? pad[axis] : 0; }
  int64_t covered(int axis) const { return gap(axis) * (kernel[axis] - 1) + 1; }
};

// Throws through s.reject unless the window makes sense and data has channels first and as many spatial axes.
void check_window(const Window& w, const ShapeInfer& s);
// Extent of spatial axis `axis` under the window, of `extent`; -1 stays.
int64_t window_extent(const Window& w, int axis, int64_t extent, const ShapeInfer& s);
// Extents of the call from `data` to `out`, both (n, channels, spatial axes).
nn_backend::ConvShape window_shape(const Window& w, const Shape& data, const Shape& out);

}  // namespace mixgrad::ops::window
