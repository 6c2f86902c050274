// What is wanted of a picture, and what comes of it.
#pragma once

#include <cstddef>

#include "io/picture_header.h"

namespace mixgrad::io {

// What is wanted of a picture. Pixels are bytes, rows from the top, each dense: height x width x channels.
struct PictureRequest {
  int channels = 3;      // 1: grey; 3; 4: with alpha; 0: what the picture has
  bool bgr = false;      // blue first
  bool oriented = true;  // turned as EXIF says; the size is that of the turned picture
  int eighths = 8;       // of the size, rounded up: 1 to 7 where can_scale() says so
};

struct PictureSize {
  int64_t width, height;
  int channels;
  size_t bytes() const { return static_cast<size_t>(width * height) * static_cast<size_t>(channels); }
};

// A rectangle of its pixels.
struct PicturePart {
  int64_t x, y, width, height;
};

}  // namespace mixgrad::io
