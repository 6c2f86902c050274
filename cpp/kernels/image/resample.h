// Images of another size, where every row and column of the result is a weighted sum of neighbouring ones.
#pragma once

#include <vector>

#include "kernels/view.h"

namespace mixgrad::resample {

// Along one axis: output i is the sum over t of weights[at[i] + t] * input[first[i] + t], at[i] to at[i + 1].
struct Taps {
  std::vector<int64_t> first, at{0};
  std::vector<double> weights;
  int64_t outputs() const { return static_cast<int64_t>(first.size()); }
  void add(int64_t from, std::initializer_list<double> row);
};

// Means over windows that together cover the input.
Taps mean_taps(int64_t in, int64_t out);
// Straight lines between pixels. Corners stay corners, or pixels are areas whose middles are compared; a single output is the
// first pixel.
Taps linear_taps(int64_t in, int64_t out, bool align_corners);

// Images (batch, channels, height, width) of one float dtype.
void apply(const Taps& rows, const Taps& columns, const View& in, const View& out);
// The gradient of `in` from that of `out`.
void apply_transposed(const Taps& rows, const Taps& columns, const View& out_grad, const View& in_grad);

}  // namespace mixgrad::resample
