#include "kernels/image/warp.h"

#include <algorithm>
#include <cmath>

namespace mixgrad::picture {
namespace {

using interpolate::Method;

constexpr int kPartBits = 5, kParts = 1 << kPartBits, kFixedBits = 10;

// Weights of the neighbours of a place at `part` / 32 behind a pixel.
struct WarpTaps {
  int count, before;  // neighbours; how many of them lie before the pixel
  float weights[kParts][8];
};

WarpTaps warp_taps(Method method) {
  WarpTaps taps{};
  taps.count = method == Method::lanczos   ? 8
               : method == Method::cubic   ? 4
               : method == Method::nearest ? 1
                                           : 2;
  taps.before = method == Method::lanczos ? 3 : method == Method::cubic ? 1 : 0;
  for (int part = 0; part < kParts; ++part) {
    float* const w = taps.weights[part];
    const double x = static_cast<double>(part) / kParts;
    if (method == Method::nearest) {
      w[0] = 1;
    } else if (method == Method::cubic) {
      constexpr double kSlope = -0.75;
      const auto outer = [&](double d) {
        return ((kSlope * d - 5 * kSlope) * d + 8 * kSlope) * d - 4 * kSlope;
      };
      const auto inner = [&](double d) { return ((kSlope + 2) * d - (kSlope + 3)) * d * d + 1; };
      w[0] = static_cast<float>(outer(x + 1));
      w[1] = static_cast<float>(inner(x));
      w[2] = static_cast<float>(inner(1 - x));
      w[3] = 1 - w[0] - w[1] - w[2];
    } else if (method == Method::lanczos) {
      constexpr double kPi = 3.14159265358979323846;
      double sum = 0, value[8];
      for (int t = 0; t < 8; ++t) {
        const double d = (x + 3 - t) * kPi;
        value[t] = std::fabs(d) < 1e-9 ? 1 : 4 * std::sin(d) * std::sin(d / 4) / (d * d);
        sum += value[t];
      }
      for (int t = 0; t < 8; ++t) w[t] = static_cast<float>(value[t] / sum);
    } else {
      w[0] = static_cast<float>(1 - x);
      w[1] = static_cast<float>(x);
    }
  }
  return taps;
}

// One pixel at (x, y) with parts of 1/32.
void warp_pixel(const Pixels& from, const WarpTaps& taps, int64_t x, int64_t y, int part_x, int part_y,
                uint8_t fill, uint8_t* out) {
  const int64_t n = from.channels;
  float sums[4] = {0, 0, 0, 0};
  for (int r = 0; r < taps.count; ++r) {
    const float wy = taps.weights[part_y][r];
    const int64_t sy = y - taps.before + r;
    const bool inside_y = sy >= 0 && sy < from.height;
    for (int c = 0; c < taps.count; ++c) {
      const float weight = wy * taps.weights[part_x][c];
      const int64_t sx = x - taps.before + c;
      if (inside_y && sx >= 0 && sx < from.width) {
        const uint8_t* const pixel = from.data + sy * from.stride + sx * n;
        for (int64_t k = 0; k < n; ++k) sums[k] += weight * pixel[k];
      } else {
        for (int64_t k = 0; k < n; ++k) sums[k] += weight * fill;
      }
    }
  }
  for (int64_t k = 0; k < n; ++k)
    out[k] = static_cast<uint8_t>(std::clamp(std::floor(sums[k] + 0.5f), 0.0f, 255.0f));
}

int64_t to_fixed(double value) { return static_cast<int64_t>(std::nearbyint(value)); }

}  // namespace

void warp(const Pixels& from, const double (&map)[6], interpolate::Method method, uint8_t fill, int64_t width,
          int64_t height, uint8_t* out) {
  // From places of the result back to those of the picture.
  double determinant = map[0] * map[4] - map[1] * map[3];
  determinant = determinant != 0 ? 1 / determinant : 0;
  const double a = map[4] * determinant, b = -map[1] * determinant, c = -map[3] * determinant,
               d = map[0] * determinant;
  const double x0 = -a * map[2] - b * map[5], y0 = -c * map[2] - d * map[5];
  const bool nearest = method == Method::nearest;
  const WarpTaps taps = warp_taps(method == Method::area ? Method::linear : method);
  const double one = 1 << kFixedBits;
  const int64_t rounding = nearest ? 1 << (kFixedBits - 1) : 1 << (kFixedBits - kPartBits - 1);
  for (int64_t y = 0; y < height; ++y) {
    const int64_t row_x = to_fixed((b * static_cast<double>(y) + x0) * one) + rounding;
    const int64_t row_y = to_fixed((d * static_cast<double>(y) + y0) * one) + rounding;
    for (int64_t x = 0; x < width; ++x, out += from.channels) {
      const int64_t fixed_x = row_x + to_fixed(a * static_cast<double>(x) * one);
      const int64_t fixed_y = row_y + to_fixed(c * static_cast<double>(x) * one);
      if (nearest) {
        warp_pixel(from, taps, fixed_x >> kFixedBits, fixed_y >> kFixedBits, 0, 0, fill, out);
      } else {
        const int64_t px = fixed_x >> (kFixedBits - kPartBits), py = fixed_y >> (kFixedBits - kPartBits);
        warp_pixel(from, taps, px >> kPartBits, py >> kPartBits, static_cast<int>(px & (kParts - 1)),
                   static_cast<int>(py & (kParts - 1)), fill, out);
      }
    }
  }
}

}  // namespace mixgrad::picture
