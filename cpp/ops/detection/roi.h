// What operators on regions of images share.
#pragma once

#include "op/define.h"

namespace mixgrad::ops::roi {

// data (batch, channels, height, width), rois (regions, numbers).
void infer_regions(ShapeInfer& s, int64_t numbers);
// Both inputs, the third if there is one and output 0: one dtype, of floats.
void infer_dtype(DTypeInfer& d);

// The image of a region whose first number is `image`; -1 stands for none. Throws Status::index for an image that is not
// there; `who` names the operator.
int64_t image_of(double image, int64_t region, int64_t images, const char* who);

// Where a value between four pixels comes from. Null weights for what lies outside.
template <class C>
struct Taps {
  int64_t at[4] = {0, 0, 0, 0};
  C weight[4] = {0, 0, 0, 0};

  C read(const C* plane) const {
    return weight[0] * plane[at[0]] + weight[1] * plane[at[1]] + weight[2] * plane[at[2]] +
           weight[3] * plane[at[3]];
  }
  void spread(C value, C* plane) const {
    for (int i = 0; i < 4; ++i) plane[at[i]] += weight[i] * value;
  }
};

// A pixel, the one after it, and how much of that one. `inside` is false more than a pixel from the image, and for NaN.
template <class C>
struct Between {
  int64_t low = 0, high = 0;
  C part = 0;
  bool inside = false;
};
template <class C>
Between<C> between(C x, int64_t extent) {
  if (extent < 1 || !(x >= -1 && x <= static_cast<C>(extent))) return {};
  if (x < 0) x = 0;
  const auto low = static_cast<int64_t>(x);
  if (low >= extent - 1) return {extent - 1, extent - 1, C(0), true};
  return {low, low + 1, x - static_cast<C>(low), true};
}

template <class C>
Taps<C> taps(const Between<C>& y, const Between<C>& x, int64_t width) {
  if (!y.inside || !x.inside) return {};
  return {{y.low * width + x.low, y.low * width + x.high, y.high * width + x.low, y.high * width + x.high},
          {(1 - y.part) * (1 - x.part), (1 - y.part) * x.part, y.part * (1 - x.part), y.part * x.part}};
}

}  // namespace mixgrad::ops::roi
