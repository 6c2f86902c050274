// libjpeg-turbo's scanline functions, found by dlopen like libturbojpeg, which decodes only whole pictures before its version 3.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mixgrad::io {

// libjpeg's structures as far as they are used here. Up to their last members they are the same in versions 6.2, 7 and 8 of the
// interface; `size` of LibjpegFunctions is what the library itself says it needs.
struct LibjpegError {
  void (*error_exit)(struct LibjpegDecoder* decoder);
  void (*emit_message)(struct LibjpegDecoder* decoder, int level);
  void (*output_message)(struct LibjpegDecoder* decoder);
  void (*format_message)(struct LibjpegDecoder* decoder, char* text);
  void (*reset)(struct LibjpegDecoder* decoder);
  int code;
  union {
    int numbers[8];
    char text[80];
  } arguments;
  int trace_level;
  long warnings;
  const char* const* messages;
  int last_message;
  const char* const* added_messages;
  int first_added, last_added;
};

struct LibjpegSource {
  const unsigned char* next;
  size_t left;
  // functions follow
};

// Asked now and then while a picture is decoded.
struct LibjpegProgress {
  void (*monitor)(struct LibjpegDecoder* decoder);
  long counter, limit;
  int completed, total;
};

struct LibjpegDecoder {
  LibjpegError* error;
  void* memory;
  LibjpegProgress* progress;
  void* client;
  int is_decoder, state;
  LibjpegSource* source;
  unsigned width, height;
  int components, stored_space;
  int space;  // of the output
  unsigned scale, scale_of;
  double gamma;
  int buffered, raw, dct_method, smooth_upsampling, smooth_blocks;
  int quantize, dither, two_pass, colours, one_pass_later, external_later, two_pass_later;
  unsigned output_width, output_height;
  int colour_components, output_components, row_group;
  int used_colours;
  unsigned char** colour_map;
  unsigned next_row;
  int scan;  // that is being read, from 1
  // more follows, by version
};

struct LibjpegFunctions {
  int version = 0;  // of the interface: 62, 70 or 80
  size_t size = 0;  // of a decoder, in bytes
  LibjpegError* (*standard_error)(LibjpegError* error);
  void (*create)(LibjpegDecoder* decoder, int version, size_t size);
  void (*destroy)(LibjpegDecoder* decoder);
  void (*set_memory)(LibjpegDecoder* decoder, const unsigned char* bytes, unsigned long size);
  int (*read_header)(LibjpegDecoder* decoder, int require_image);
  int (*has_several_scans)(LibjpegDecoder* decoder);
  int (*start)(LibjpegDecoder* decoder);
  void (*crop)(LibjpegDecoder* decoder, unsigned* x, unsigned* width);
  unsigned (*skip)(LibjpegDecoder* decoder, unsigned rows);
  unsigned (*read)(LibjpegDecoder* decoder, unsigned char** rows, unsigned count);
  int (*finish)(LibjpegDecoder* decoder);
};

enum LibjpegSpace : int { kLibjpegGrey = 1, kLibjpegRgb = 6, kLibjpegBgr = 8 };
inline constexpr int kLibjpegTextBytes = 200;  // that format_message may write

// Looks where the system looks for libraries. Null where it has none that decodes parts: libjpeg-turbo from version 2 on. What is
// found stays loaded.
const LibjpegFunctions* open_libjpeg();

}  // namespace mixgrad::io
