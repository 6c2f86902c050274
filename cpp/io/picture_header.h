// What the first bytes of a picture say: format, size, channels. Read here and not by decoders, so that a picture that is too
// large, or that cannot be whole, is refused before anybody takes memory for it.
#pragma once

#include <cstdint>

#include "base/span.h"

namespace mixgrad::io {

using Bytes = Span<const uint8_t>;

enum class PictureFormat : int32_t { unknown, jpeg, png, gif, bmp, webp, tiff, pnm };

struct PictureHeader {
  PictureFormat format = PictureFormat::unknown;
  int64_t width = 0, height = 0;  // as stored
  int channels = 0;               // 1, 3, or 4 with alpha, once decoded as it is
  int orientation = 1;            // EXIF's: 1 as stored to 8; 5 to 8 exchange width and height
  int components = 0;             // of a JPEG file: 4 are inks, which few decoders read
  int most_h = 1, most_v = 1;     // of a JPEG: the largest sampling factors
  int bits = 8;                   // of a JPEG's or PNG's sample
};

const char* name_of(PictureFormat format);

// PictureFormat::unknown where the bytes begin like none of the formats. Throws Status::format, naming what is wrong, for a
// header that ends too early, has no pixels, or promises more than the bytes that follow can hold.
PictureHeader read_picture_header(Bytes bytes);

// By format; read_picture_header calls them.
PictureHeader read_jpeg_header(Bytes bytes);
PictureHeader read_png_header(Bytes bytes);
PictureHeader read_tiff_header(Bytes bytes);

// Throws Status::format for a PNG file whose chunks do not end in IEND or whose checksums are wrong: decoders do not look.
void check_png(Bytes bytes);

// EXIF's orientation from a TIFF structure; 1 where there is none or it is damaged.
int read_orientation(Bytes tiff);

}  // namespace mixgrad::io
