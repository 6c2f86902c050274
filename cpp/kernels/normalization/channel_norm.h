// Statistics and linear maps per channel of an array [outer, channels, inner], shared by batch normalisation's
// parts. Short inner runs are walked as columns, long ones as runs; results depend on neither threads nor layout
// of the work.
#pragma once

#include "kernels/normalization/norm_kernels.h"
#include "kernels/view.h"

namespace mixgrad::channel_norm {

struct Layout {
  int64_t outer = 1, channels = 1, inner = 1;
  int64_t count() const { return outer * inner; }  // elements per channel
};

// mean[c] and variance[c] (over all elements of a channel, not one fewer), for `channels` of them.
void statistics(const View& x, const Layout& layout, double* mean, double* variance);

// y = (x - mean) * scale + shift, each per channel.
void affine(const View& x, const View& y, const Layout& layout, const double* mean, const double* scale,
            const double* shift);

// Sums of g and of g (x - mean) per channel.
void dots(const View& g, const View& x, const Layout& layout, const double* mean, double* sum, double* along);

// dx = a g + b (x - mean) + c, each per channel.
void linear(const View& g, const View& x, const View& dx, const Layout& layout, const double* mean,
            const double* a, const double* b, const double* c);

}  // namespace mixgrad::channel_norm
