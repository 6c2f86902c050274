// Parameters of the operators that read and write boxes of elements, for those who call them without names and values.
#pragma once

#include "base/fields.h"
#include "kernels/loops/region.h"

namespace mixgrad {

struct BoxParams {
  Shape begin, step, size;
  Region region(const Shape& whole, const char* who) const {
    return region_of(whole, begin, step, size, who);
  }
  template <class P>
  static void box_fields(Fields<P>& f) {
    f.required("begin", static_cast<Shape P::*>(&P::begin), "First index per axis.")
        .required("step", static_cast<Shape P::*>(&P::step),
                  "Distance between indices per axis; may be negative.")
        .required("size", static_cast<Shape P::*>(&P::size), "Number of indices per axis.");
  }
  static void fields(Fields<BoxParams>& f) { box_fields(f); }
};

struct BoxScalarParams : BoxParams {
  double scalar = 0;
  static void fields(Fields<BoxScalarParams>& f) {
    box_fields(f);
    f.add("scalar", &BoxScalarParams::scalar, "The value, converted to the array's dtype.");
  }
};

}  // namespace mixgrad
