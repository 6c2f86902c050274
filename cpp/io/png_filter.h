// The filters of PNG files: what a line's bytes are differences to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mixgrad::io {

constexpr size_t kMostPngPixelBytes = 8;

// Bytes of `rows` rows, `row_bytes` each, of lines of one byte more, which says the line's filter. `pixel_bytes` (1 to
// kMostPngPixelBytes) are a pixel, and divide row_bytes. Throws Status::format for a filter that PNG does not have; `out` is then
// written in part. Neither may be the other's memory.
void unfilter_png(const uint8_t* lines, size_t rows, size_t row_bytes, size_t pixel_bytes, uint8_t* out);

}  // namespace mixgrad::io
