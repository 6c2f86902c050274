// Values of an image between its pixels, and what they depend on.
#pragma once

#include <cmath>
#include <cstdint>

namespace mixgrad::deform {

// One axis of a place: its two neighbouring pixels, how much of each is taken, and how that changes with the place.
template <class C>
struct Neighbours {
  int64_t low = 0, high = 0;
  C of_low = 0, of_high = 0, low_slope = 0, high_slope = 0;
};

// False where nothing is taken: outside, or no number. `fades`: values sink to 0 over one pixel beyond the border; else they
// end before the first pixel, and the last one goes on for one pixel more.
template <class C>
bool find_neighbours(C place, int64_t extent, bool fades, Neighbours<C>& n) {
  const C size = static_cast<C>(extent);
  if (!(place < size) || !(fades ? place > C(-1) : place >= 0)) return false;
  const C below = std::floor(place), part = place - below;
  const auto low = static_cast<int64_t>(below);
  n = {};
  if (!fades && low >= extent - 1) {
    n.low = n.high = extent - 1;
    n.of_low = 1;
    return true;
  }
  if (low >= 0) n.low = low, n.of_low = 1 - part, n.low_slope = -1;
  if (low + 1 < extent) n.high = low + 1, n.of_high = part, n.high_slope = 1;
  return true;
}

template <class C>
struct Place {
  Neighbours<C> y, x;
  C value(const C* image, int64_t width) const {
    const C *top = image + y.low * width, *bottom = image + y.high * width;
    return y.of_low * (x.of_low * top[x.low] + x.of_high * top[x.high]) +
           y.of_high * (x.of_low * bottom[x.low] + x.of_high * bottom[x.high]);
  }
  C by_y(const C* image, int64_t width) const {
    const C *top = image + y.low * width, *bottom = image + y.high * width;
    return y.low_slope * (x.of_low * top[x.low] + x.of_high * top[x.high]) +
           y.high_slope * (x.of_low * bottom[x.low] + x.of_high * bottom[x.high]);
  }
  C by_x(const C* image, int64_t width) const {
    const C *top = image + y.low * width, *bottom = image + y.high * width;
    return y.of_low * (x.low_slope * top[x.low] + x.high_slope * top[x.high]) +
           y.of_high * (x.low_slope * bottom[x.low] + x.high_slope * bottom[x.high]);
  }
  // Adds to the pixels what they gave to the value, times `head`.
  void spread(C head, C* image, int64_t width) const {
    C *top = image + y.low * width, *bottom = image + y.high * width;
    top[x.low] += head * y.of_low * x.of_low;
    top[x.high] += head * y.of_low * x.of_high;
    bottom[x.low] += head * y.of_high * x.of_low;
    bottom[x.high] += head * y.of_high * x.of_high;
  }
};

}  // namespace mixgrad::deform
