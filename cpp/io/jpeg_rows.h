// Parts of JPEG files: only what a crop needs is decoded, with the same pixels as in the whole picture.
#pragma once

#include <memory>

#include "io/libjpeg.h"
#include "io/picture_header.h"
#include "kernels/image/picture_rows.h"

namespace mixgrad::io {

// A rectangle of a picture's pixels.
struct PicturePart {
  int64_t x, y, width, height;
};

// Rows of `part` of a picture of width x height pixels, which is its header's size times eighths / 8, rounded up. To 1 or 3
// channels. `bytes` stay where they are. Null for files in several scans, all of which is decoded before the first row is known. Throws
// Status::format for what is damaged, warnings of the library included; also later, while rows are asked for. Blocks below
// the part are not looked at, but that the file has an end is.
std::unique_ptr<picture::PictureRows> open_jpeg_rows(const LibjpegFunctions& library, Bytes bytes,
                                                     int64_t width, int64_t height, int eighths, int channels,
                                                     bool bgr, const PicturePart& part);

}  // namespace mixgrad::io
