// libturbojpeg, of the system or of a path: found by dlopen, so that nobody needs it to build or to start.
#pragma once

#include "io/picture_header.h"

namespace mixgrad::io {

struct LibjpegFunctions;

// Functions of the library's versions 2 and 3, by its own signatures.
struct JpegFunctions {
  void* (*init_decompress)();
  int (*decompress)(void* handle, const unsigned char* bytes, unsigned long size, unsigned char* out,
                    int width, int pitch, int height, int pixel_format, int flags);
  int (*destroy)(void* handle);
  char* (*error_text)(void* handle);
  int (*error_code)(void* handle);
  // What decodes parts (jpeg_rows.h); null where the system has none, and beside a library that was named by its path, which
  // could give other pixels.
  const LibjpegFunctions* parts;
};

// Null where there is none. The first call looks for the system's; it stays as it is until load_jpeg_library. Any thread.
const JpegFunctions* jpeg_functions();

// path: empty for libturbojpeg.so.0 where the system looks for libraries. It stays loaded; pictures that are decoded later use
// it. Throws Status::not_found with the system's reason, Status::format for a library without these functions.
void load_jpeg_library(const char* path);

// Decodes to `channels` (1 or 3) bytes a pixel, rows of `width` pixels: the extents are those of the header, each times
// eighths / 8 and rounded up. Throws Status::format for a picture that is damaged, as
// warnings of the library say, too, but for harmless ones (jpeg_warnings.h).
void decode_jpeg(const JpegFunctions& library, Bytes bytes, int64_t width, int64_t height, int channels,
                 bool bgr, uint8_t* out);

}  // namespace mixgrad::io
