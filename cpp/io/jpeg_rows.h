// Parts of JPEG files: only what a crop needs is decoded, with the same pixels as in the whole picture.
#pragma once

#include <memory>

#include "io/libjpeg.h"
#include "io/picture_request.h"
#include "kernels/image/picture_rows.h"

namespace mixgrad::io {

// Rows of `part` of a picture with that header, whose size at the wanted scale is `size`, of 1 or 3 channels, as stored. `bytes`
// stay where they are. Null for files in several scans, all of which is decoded before the first row is known, and for rare samplings at smaller scales. Throws Status::format for
// what is damaged, warnings of the library included; also later, while rows are asked for. Blocks below the part are not looked
// at, but that the file has an end is.
std::unique_ptr<picture::PictureRows> open_jpeg_rows(const LibjpegFunctions& library, Bytes bytes,
                                                     const PictureHeader& header,
                                                     const PictureRequest& request, const PictureSize& size,
                                                     const PicturePart& part);

// All of a picture, in any number of scans, as decode_jpeg does (jpeg_library.h).
void decode_jpeg_rows(const LibjpegFunctions& library, Bytes bytes, const PictureRequest& request,
                      const PictureSize& size, uint8_t* out);

// Throws Status::format where a file's pixels are not all there, or not those that were written, as far as libjpeg notices.
void check_jpeg(const LibjpegFunctions& library, Bytes bytes);

}  // namespace mixgrad::io
