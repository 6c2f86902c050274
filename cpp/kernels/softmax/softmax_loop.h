// The loops of the softmax family, shared by its operators.
#pragma once

#include <optional>

#include "kernels/view.h"

namespace mixgrad::softmax_loop {

// An array as [outer, n, inner], normalised along the middle.
struct Layout {
  int64_t outer = 1, n = 1, inner = 1;
};
Layout along_axis(const Shape& shape, int64_t axis, const char* who);

// y = softmax(scale x), or its logarithm. Values below the smallest normal number become 0. `lengths`, when not
// null, holds an integer per vector: the elements from there on give 0 and count for nothing.
// x and y may differ in dtype and may be one array.
void forward(const View& x, const View& y, const Layout& layout, bool log, double scale, const View* lengths);

// Gradient from that of the output and the output itself: dx = scale y (g - sum(g y)), or, of the logarithm,
// scale (g - exp(y) sum(g)).
void backward(const View& g, const View& y, const View& dx, const Layout& layout, bool log, double scale);

}  // namespace mixgrad::softmax_loop
