// Bytes as a picture: the readers of headers and, where they accept it, the decoders of whole pictures and of parts. Errors are the only other answer. Built with the
// sources of cpp/io that it needs (tests/fuzz/pictures.sh), not with the single file, which has no pictures.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "io/decoder.h"
#include "io/jpeg_library.h"

namespace {

// As where the system has libjpeg alone.
void decode_by_libjpeg(mixgrad::io::Bytes bytes, const mixgrad::io::PictureHeader& header,
                       mixgrad::io::PictureRequest request, uint8_t* out) {
  using namespace mixgrad::io;
  if (!can_scale(header) || !jpeg_functions()->parts) return;
  request.oriented = false;
  JpegFunctions alone{};
  alone.parts = jpeg_functions()->parts;
  decode_jpeg(alone, bytes, request, decoded_size(header, request), out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mixgrad;
  constexpr uint64_t kMost = 1 << 20;  // pixels, so that an input takes a moment
  io::set_most_pixels(kMost);
  try {
    const io::Bytes bytes{data, size};
    const io::PictureHeader header = io::probe_picture(bytes);
    if (header.width < 1 || header.height < 1 || static_cast<uint64_t>(header.width * header.height) > kMost)
      abort();
    io::PictureRequest request;
    request.channels = size % 2 ? 1 : 3;
    if (io::can_scale(header)) request.eighths = 1 << size % 4;
    const io::PictureSize wanted = io::decoded_size(header, request);
    // A part that follows from the bytes, some of its rows left out.
    io::PicturePart part{data[size / 2] % wanted.width, data[size / 3] % wanted.height, 1, 1};
    part.width += data[size - 1] % (wanted.width - part.x);
    part.height += data[size - 2] % (wanted.height - part.y);
    if (const auto rows = io::decode_rows(bytes, header, request, part)) {
      uint64_t sum = 0;
      for (int64_t y = 0; y < part.height; y += 1 + size % 3) {
        const uint8_t* const row = rows->row(y);
        for (int64_t x = 0; x < part.width * wanted.channels; ++x) sum += row[x];
      }
      rows->finish();
      if (sum > 255 * wanted.bytes()) abort();
    }
    std::vector<uint8_t> out(wanted.bytes());
    try {
      decode_by_libjpeg(bytes, header, request, out.data());
    } catch (const Error&) {
    }
    io::decode_picture(bytes, header, request, out.data());
  } catch (const Error&) {
  }
  return 0;
}
