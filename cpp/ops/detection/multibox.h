// What the operators of single-shot detectors share: boxes predicted as differences from anchors.
#pragma once

#include "ops/detection/box.h"

namespace mixgrad::ops::multibox {

// The variances, which scale the four differences, of a parameter that holds four.
template <class C>
struct Variances {
  explicit Variances(const Reals& v)
      : x(static_cast<C>(v[0])), y(static_cast<C>(v[1])), w(static_cast<C>(v[2])), h(static_cast<C>(v[3])) {}
  C x, y, w, h;
};

// Overlap of two boxes as single-shot detectors count it: without regard to which side is which.
template <class C>
MIXGRAD_INLINE C overlap(const C* a, const C* b) {
  const C w = (a[2] < b[2] ? a[2] : b[2]) - (a[0] > b[0] ? a[0] : b[0]);
  const C h = (a[3] < b[3] ? a[3] : b[3]) - (a[1] > b[1] ? a[1] : b[1]);
  const C inner = (w > 0 ? w : C(0)) * (h > 0 ? h : C(0));
  const C all = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inner;
  return all <= 0 ? C(0) : inner / all;
}

}  // namespace mixgrad::ops::multibox
