#include "io/png_filter.h"

#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/error.h"

namespace mixgrad::io {
namespace {

struct PngRow {
  const uint8_t* line;   // differences
  const uint8_t* above;  // the row before, or zeros
  uint8_t* out;
  size_t bytes;
};

// Of left, above and the corner between, that which is nearest to left + above - corner.
inline int nearest_of(int left, int above, int corner) {
  const int off_left = std::abs(above - corner), off_above = std::abs(left - corner);
  const int off_corner = std::abs(left + above - 2 * corner);
  const int other = off_above <= off_corner ? above : corner;
  return off_left <= off_above && off_left <= off_corner ? left : other;
}

// Filters 1, 3 and 4, which need the pixel before: bytes of a pixel together, since they do not depend on one another.
template <size_t P, class Guess>
void filter_pixels(const PngRow& row, const Guess& guess) {
  int left[P] = {}, corner[P] = {};
  for (size_t at = 0; at + P <= row.bytes; at += P) {
    for (size_t i = 0; i < P; ++i) {
      const int above = row.above[at + i];
      const int value = (row.line[at + i] + guess(left[i], above, corner[i])) & 255;
      row.out[at + i] = static_cast<uint8_t>(value);
      left[i] = value;
      corner[i] = above;
    }
  }
}

template <size_t P>
void filter_row(int kind, const PngRow& row) {
  switch (kind) {
    case 0: std::memcpy(row.out, row.line, row.bytes); break;
    case 1: filter_pixels<P>(row, [](int left, int, int) { return left; }); break;
    case 2:
      for (size_t i = 0; i < row.bytes; ++i) row.out[i] = static_cast<uint8_t>(row.line[i] + row.above[i]);
      break;
    case 3: filter_pixels<P>(row, [](int left, int above, int) { return (left + above) / 2; }); break;
    case 4: filter_pixels<P>(row, nearest_of); break;
    default: fail(Status::format, "[image] a line of a PNG file with filter ", kind, "; expected 0 to 4");
  }
}

using RowFilter = void (*)(int, const PngRow&);
constexpr RowFilter kRowFilters[] = {filter_row<1>, filter_row<2>, filter_row<3>, filter_row<4>,
                                     filter_row<5>, filter_row<6>, filter_row<7>, filter_row<8>};
static_assert(sizeof kRowFilters / sizeof *kRowFilters == kMostPngPixelBytes);

}  // namespace

void unfilter_png(const uint8_t* lines, size_t rows, size_t row_bytes, size_t pixel_bytes, uint8_t* out) {
  const std::vector<uint8_t> zeros(rows > 0 ? row_bytes : 0);
  const uint8_t* above = zeros.data();
  for (size_t i = 0; i < rows; ++i) {
    const uint8_t* const line = lines + i * (1 + row_bytes);
    uint8_t* const row = out + i * row_bytes;
    kRowFilters[pixel_bytes - 1](line[0], {line + 1, above, row, row_bytes});
    above = row;
  }
}

}  // namespace mixgrad::io
