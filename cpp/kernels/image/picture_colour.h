// Colours of pictures of bytes, red first: brightness, contrast, saturation, and hue, lightness and saturation of HSL.
#pragma once

#include <cstdint>

namespace mixgrad::picture {

// All change `pixels` pixels of three channels in place. Results are rounded and saturate.
// factor * x + offset
void change_contrast(uint8_t* data, int64_t pixels, float factor, float offset);
// The mean of all pixels' grey.
float mean_grey(const uint8_t* data, int64_t pixels);
// factor * x + (1 - factor) * grey
void change_saturation(uint8_t* data, int64_t pixels, float factor);
// Adds to hue (0 to 180), lightness and saturation (0 to 255), which stay in their range.
void shift_hsl(uint8_t* data, int64_t pixels, int hue, int lightness, int saturation);
// Adds to each channel.
void shift_channels(uint8_t* data, int64_t pixels, const float (&shift)[3]);

}  // namespace mixgrad::picture
