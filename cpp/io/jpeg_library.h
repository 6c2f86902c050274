// libturbojpeg, of the system or of a path, or the system's libjpeg: found by dlopen, so that nobody needs them to build or to start.
#pragma once

#include "io/picture_request.h"

namespace mixgrad::io {

struct LibjpegFunctions;

// Functions of the library's versions 2 and 3, by its own signatures. Null where the system has only `parts`.
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

// path: empty for libturbojpeg.so.0, else libjpeg-turbo's libjpeg, where the system looks for libraries. It stays loaded; pictures that are decoded later use
// it. Throws Status::not_found with the system's reason, Status::format for a library without these functions.
void load_jpeg_library(const char* path);

// Decodes to size.channels (1 or 3) bytes a pixel, as stored: the extents are those of the header, each times eighths / 8 of the request
// and rounded up. Throws Status::format for a picture that is damaged, as
// warnings of the library say, too, but for harmless ones (jpeg_warnings.h).
void decode_jpeg(const JpegFunctions& library, Bytes bytes, const PictureRequest& request,
                 const PictureSize& size, uint8_t* out);

}  // namespace mixgrad::io
