// Pictures of another size: channels lie last, and rows and columns are weighed separately.
#pragma once

#include <vector>

#include "kernels/view.h"

namespace mixgrad::interpolate {

enum class Method : int32_t { nearest, linear, cubic, area, lanczos };

// Along one axis: output i is the sum over t in [at[i], at[i + 1]) of weights[t] * input[from[t]].
struct Taps {
  std::vector<int64_t> from, at{0};
  std::vector<double> weights;
  int64_t outputs() const { return static_cast<int64_t>(at.size()) - 1; }
};

// Pixels are areas whose middles are compared; pixels outside are those of the border. `shrinks`: whether neither side of
// the picture grows, which is when `area` takes means of areas. Extents are at least 1.
Taps picture_taps(Method method, int64_t in, int64_t out, bool shrinks);

// Pictures (..., height, width, channels) of one dtype; integers are rounded and saturate. Linear pictures of uint8 are
// computed with 11 bits of fraction, as OpenCV does.
void resize(Method method, const View& in, const View& out);
// The gradient of `in` from that of `out`, of float dtypes.
void resize_gradient(Method method, const View& out_grad, const View& in_grad);

}  // namespace mixgrad::interpolate
