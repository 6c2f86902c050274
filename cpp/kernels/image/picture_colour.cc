#include "kernels/image/picture_colour.h"

#include <algorithm>
#include <cmath>

namespace mixgrad::picture {
namespace {

constexpr float kRedPart = 0.299f, kGreenPart = 0.587f, kBluePart = 0.114f;

uint8_t to_byte(float value) { return static_cast<uint8_t>(std::clamp(value + 0.5f, 0.0f, 255.0f)); }

float grey_of(const uint8_t* p) { return kRedPart * p[0] + kGreenPart * p[1] + kBluePart * p[2]; }

// Hue in sixths of the circle, lightness and saturation from 0 to 1.
struct Hsl {
  float hue, lightness, saturation;
};
Hsl hsl_of(const uint8_t* p) {
  const float r = p[0] / 255.0f, g = p[1] / 255.0f, b = p[2] / 255.0f;
  const float most = std::max({r, g, b}), least = std::min({r, g, b}), range = most - least;
  Hsl out{0, (most + least) / 2, 0};
  if (range <= 0) return out;
  out.saturation = out.lightness < 0.5f ? range / (most + least) : range / (2 - most - least);
  out.hue = most == r ? (g - b) / range : most == g ? 2 + (b - r) / range : 4 + (r - g) / range;
  if (out.hue < 0) out.hue += 6;
  return out;
}

void to_rgb(const Hsl& from, uint8_t* p) {
  const float high = from.lightness <= 0.5f ? from.lightness * (1 + from.saturation)
                                            : from.lightness + from.saturation * (1 - from.lightness);
  const float low = 2 * from.lightness - high;
  const auto channel = [&](float hue) {
    if (hue < 0) hue += 6;
    if (hue >= 6) hue -= 6;
    if (hue < 1) return low + (high - low) * hue;
    if (hue < 3) return high;
    if (hue < 4) return low + (high - low) * (4 - hue);
    return low;
  };
  p[0] = to_byte(255 * channel(from.hue + 2));
  p[1] = to_byte(255 * channel(from.hue));
  p[2] = to_byte(255 * channel(from.hue - 2));
}

}  // namespace

void change_contrast(uint8_t* data, int64_t pixels, float factor, float offset) {
  uint8_t changed[256];
  for (int i = 0; i < 256; ++i) changed[i] = to_byte(factor * static_cast<float>(i) + offset);
  for (int64_t i = 0; i < 3 * pixels; ++i) data[i] = changed[data[i]];
}

float mean_grey(const uint8_t* data, int64_t pixels) {
  int64_t sums[3] = {0, 0, 0};
  for (int64_t i = 0; i < pixels; ++i)
    for (int c = 0; c < 3; ++c) sums[c] += data[3 * i + c];
  const double sum = static_cast<double>(kRedPart) * static_cast<double>(sums[0]) +
                     static_cast<double>(kGreenPart) * static_cast<double>(sums[1]) +
                     static_cast<double>(kBluePart) * static_cast<double>(sums[2]);
  return static_cast<float>(sum / static_cast<double>(std::max<int64_t>(1, pixels)));
}

void change_saturation(uint8_t* data, int64_t pixels, float factor) {
  for (int64_t i = 0; i < pixels; ++i, data += 3) {
    const float grey = (1 - factor) * grey_of(data);
    for (int c = 0; c < 3; ++c) data[c] = to_byte(factor * data[c] + grey);
  }
}

void shift_hsl(uint8_t* data, int64_t pixels, int hue, int lightness, int saturation) {
  const float turn = static_cast<float>(hue) / 30, lighter = static_cast<float>(lightness) / 255,
              purer = static_cast<float>(saturation) / 255;
  for (int64_t i = 0; i < pixels; ++i, data += 3) {
    Hsl now = hsl_of(data);
    now.hue = std::clamp(now.hue + turn, 0.0f, 6.0f);
    now.lightness = std::clamp(now.lightness + lighter, 0.0f, 1.0f);
    now.saturation = std::clamp(now.saturation + purer, 0.0f, 1.0f);
    to_rgb(now, data);
  }
}

void shift_channels(uint8_t* data, int64_t pixels, const float (&shift)[3]) {
  for (int64_t i = 0; i < pixels; ++i, data += 3)
    for (int c = 0; c < 3; ++c) data[c] = to_byte(static_cast<float>(data[c]) + shift[c]);
}

}  // namespace mixgrad::picture
