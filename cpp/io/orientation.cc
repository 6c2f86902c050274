#include "io/orientation.h"

#include <cstddef>

namespace mixgrad::io {

void orient_picture(const uint8_t* src, int64_t width, int64_t height, int channels, int orientation,
                    uint8_t* dst) {
  // Where in dst the first pixel of src goes, and how far its neighbours to the right and below are from there.
  const bool turned = orientation >= 5;
  const int64_t dst_width = turned ? height : width;
  const int64_t last_x = width - 1, last_y = height - 1;
  int64_t first = 0, right = 1, down = 1;
  switch (orientation) {
    case 2: first = last_x, right = -1, down = dst_width; break;
    case 3: first = last_y * dst_width + last_x, right = -1, down = -dst_width; break;
    case 4: first = last_y * dst_width, right = 1, down = -dst_width; break;
    case 5: first = 0, right = dst_width, down = 1; break;
    case 6: first = last_y, right = dst_width, down = -1; break;
    case 7: first = last_x * dst_width + last_y, right = -dst_width, down = -1; break;
    case 8: first = last_x * dst_width, right = -dst_width, down = 1; break;
    default: down = dst_width; break;
  }
  for (int64_t y = 0; y < height; ++y) {
    uint8_t* to = dst + (first + y * down) * channels;
    for (int64_t x = 0; x < width; ++x, to += right * channels, src += channels) {
      for (int c = 0; c < channels; ++c) to[c] = src[c];
    }
  }
}

}  // namespace mixgrad::io
