// What operators on boxes share. A box is four numbers: left, top, right, bottom, or centre, width, height.
#pragma once

#include "op/define.h"

namespace mixgrad::ops::box {

enum class BoxFormat : int32_t { corner, center };

template <class P>
void add_format(Fields<P>& f, const char* name, BoxFormat P::*member, const char* doc) {
  f.choice(name, member, {"corner", "center"}, doc);
}

// All inputs and outputs have one dtype, of floats.
void infer_float(DTypeInfer& d);
// Throws where a parameter that counts numbers has another count.
void expect_count(const ShapeInfer& s, const char* name, const Reals& given, size_t count);

template <class C>
struct Corners {
  C left, top, right, bottom;
};

template <class C>
MIXGRAD_INLINE Corners<C> corners(const C* box, BoxFormat format) {
  if (format == BoxFormat::corner) return {box[0], box[1], box[2], box[3]};
  const C w = box[2] / 2, h = box[3] / 2;
  return {box[0] - w, box[1] - h, box[0] + w, box[1] + h};
}

template <class C>
MIXGRAD_INLINE C extent(C low, C high) {
  return high - low > 0 ? high - low : C(0);
}

// Area of what two boxes share; 0 where a comparison with NaN decides.
template <class C>
MIXGRAD_INLINE C shared_area(const Corners<C>& a, const Corners<C>& b) {
  const C left = a.left > b.left ? a.left : b.left, top = a.top > b.top ? a.top : b.top;
  const C right = a.right < b.right ? a.right : b.right, bottom = a.bottom < b.bottom ? a.bottom : b.bottom;
  return extent(left, right) * extent(top, bottom);
}

// NaN of NaN; a box whose right lies left of its left has no area.
template <class C>
MIXGRAD_INLINE C area(C width, C height) {
  return width < 0 || height < 0 ? C(0) : width * height;
}
template <class C>
MIXGRAD_INLINE C area(const Corners<C>& b) {
  return area(b.right - b.left, b.bottom - b.top);
}

// Intersection over union; 0 for boxes that share nothing.
template <class C>
MIXGRAD_INLINE C overlap(const Corners<C>& a, const Corners<C>& b, C a_area, C b_area) {
  const C inner = shared_area(a, b);
  return inner <= 0 ? C(0) : inner / (a_area + b_area - inner);
}

}  // namespace mixgrad::ops::box
