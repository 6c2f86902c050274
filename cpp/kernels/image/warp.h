// Pictures under an affine map.
#pragma once

#include <cstdint>

#include "kernels/image/interpolate.h"
#include "kernels/image/picture_rows.h"

namespace mixgrad::picture {

// `map` (2 x 3) takes places of `from` to places of the result, width x height dense pixels. Places outside of `from` are `fill`.
// Coordinates are rounded to 1/32 of a pixel, as OpenCV does. Method::area is as Method::linear.
void warp(const Pixels& from, const double (&map)[6], interpolate::Method method, uint8_t fill, int64_t width,
          int64_t height, uint8_t* out);

}  // namespace mixgrad::picture
