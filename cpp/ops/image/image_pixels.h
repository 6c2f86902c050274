// What the operators on pictures share: pixels lie side by side, channels last.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/elements.h"
#include "op/op.h"

namespace mixgrad::ops::image_pixels {

// Throws Status::shape unless the input is (height, width, channels) or, where `batches`, may have a batch in front.
inline void check_picture(ShapeInfer& s, bool batches) {
  const Shape& data = s.in(0);
  if (data.known_rank() && data.ndim() != 3 && !(batches && data.ndim() == 4)) {
    s.reject("expected a picture (height, width, channels)",
             batches ? " or a batch of them (batch, height, width, channels)" : "");
  }
}

// The same with 1 or 3 channels; the output is like the input.
inline void infer_colours(ShapeInfer& s) {
  s.set_in(0, s.out(0));
  check_picture(s, false);
  if (!s.in(0).known_rank()) return;
  const int64_t channels = s.in(0)[2];
  if (channels >= 0 && channels != 1 && channels != 3)
    s.reject("data has ", channels, " channels; expected 1 or 3");
  s.set_out(0, s.in(0));
}

// Values that an integer dtype can hold; NaN becomes 0. Floats stay.
template <class C>
struct Bounds {
  explicit Bounds(DType dtype) {
    switch (dtype) {
      case DType::uint8: set(0, 255); break;
      case DType::int8: set(-128, 127); break;
      case DType::int32: set(-2147483648.0, 2147483647.0); break;
      case DType::int64: set(-0x1p63, 0x1p63); break;
      case DType::boolean: set(0, 1); break;
      default: break;
    }
  }
  C operator()(C value) const {
    if (!whole) return value;
    return value >= low ? (value <= high ? value : high) : value < low ? low : C(0);
  }
  bool whole = false;
  C low = 0, high = 0;

 private:
  // The nearest numbers of C that do not leave the range.
  void set(double least, double most) {
    whole = true;
    low = static_cast<C>(least);
    high = static_cast<C>(most);
    const double end = most >= 0x1p63 ? 0x1p63 : most + 1;
    if (static_cast<double>(high) >= end) high = std::nextafter(high, C(0));
  }
};

// Whether values of the dtype are computed in double.
inline bool in_double(DType dtype) {
  return is_wide(dtype) || dtype == DType::int32 || dtype == DType::int64;
}

// Calls change(pixels, results, bounds) on the elements of a call's first input and output as C.
template <class C, class F>
void run_as(const View& in, const View& out, F change) {
  Elements<C> from(in, in.size()), to(out, out.size());
  const C* x = from.read(0, in.size());
  C* y = to.write(0);
  change(x, y, Bounds<C>(out.dtype));
  to.store(0, out.size());
}
template <class F>
void run_pixels(const View& in, const View& out, F change) {
  if (out.size() == 0) return;
  if (in_double(in.dtype)) {
    run_as<double>(in, out, change);
  } else {
    run_as<float>(in, out, change);
  }
}

}  // namespace mixgrad::ops::image_pixels
