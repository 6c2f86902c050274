// Grids of sampling positions, and sampling images at them: what GridGenerator, BilinearSampler and SpatialTransformer
// share. Positions are (x, y) from -1, the centre of the first pixel, to 1, that of the last.
#pragma once

#include "op/define.h"

namespace mixgrad::ops::grid {

// Position of pixel i of `extent`; the only pixel of an axis lies in the middle.
inline double position(int64_t i, int64_t extent) {
  return extent > 1 ? -1 + 2 * static_cast<double>(i) / static_cast<double>(extent - 1) : 0;
}

// out (n, 2, height, width) from theta (n, 6), the rows of 2 x 3 matrices that take (x, y, 1) to positions.
void affine(const View& theta, const View& out);
// The gradient of theta, from that of out; both of `grad`'s dtype or converted to it.
void affine_backward(const View& out_grad, const View& grad);
// (3, height * width): x, y and 1 of every pixel.
void base(int64_t height, int64_t width, const View& out);

// out (n, c, ho, wo) from data (n, c, h, w) at positions (n, 2, ho, wo); what lies outside of data counts as 0.
void sample(const View& data, const View& positions, const View& out);
// Its gradients; a view without data is not wanted.
void sample_backward(const View& out_grad, const View& data, const View& positions, const View& data_grad,
                     const View& positions_grad);

struct SampleGrads {
  Tensor data, positions;
};
// The same, composed of operators. A gradient that is not wanted stays null.
SampleGrads compose_sample(const Tensor& out_grad, const Tensor& data, const Tensor& positions,
                           bool wants_data, bool wants_positions);
// The gradient of theta, composed, with `base` as the operators compute it.
Tensor compose_affine(const Tensor& out_grad, const Tensor& base);

double sample_cost(const Shape& data, int64_t out_pixels);

}  // namespace mixgrad::ops::grid
