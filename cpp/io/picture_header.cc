#include "io/picture_header.h"

#include <cstring>

#include "base/error.h"
#include "io/byte_order.h"

namespace mixgrad::io {
namespace {

bool begins_with(Bytes bytes, const char* text, size_t length, size_t at = 0) {
  return bytes.size() >= at + length && std::memcmp(bytes.data() + at, text, length) == 0;
}

void need_header(Bytes bytes, size_t least, const char* format) {
  if (bytes.size() < least)
    fail(Status::format, "[image] ", format, " ends inside its header: ", bytes.size(),
         " bytes; expected at least ", least);
}

PictureHeader read_gif_header(Bytes bytes) {
  need_header(bytes, 13, "GIF");
  PictureHeader header;
  header.format = PictureFormat::gif;
  header.width = little16(bytes.data() + 6);
  header.height = little16(bytes.data() + 8);
  header.channels = 3;
  return header;
}

PictureHeader read_bmp_header(Bytes bytes) {
  need_header(bytes, 26, "BMP");
  const uint8_t* const p = bytes.data();
  PictureHeader header;
  header.format = PictureFormat::bmp;
  header.channels = 3;
  if (little32(p + 14) == 12) {  // the oldest form
    header.width = little16(p + 18);
    header.height = little16(p + 20);
    return header;
  }
  header.width = static_cast<int32_t>(little32(p + 18));
  const int64_t height = static_cast<int32_t>(little32(p + 22));
  header.height = height < 0 ? -height : height;  // negative: rows from the top
  return header;
}

PictureHeader read_webp_header(Bytes bytes) {
  need_header(bytes, 30, "WebP");
  const uint8_t* const p = bytes.data();
  PictureHeader header;
  header.format = PictureFormat::webp;
  header.channels = 3;
  if (begins_with(bytes, "VP8X", 4, 12)) {
    header.width = static_cast<int64_t>(little32(p + 24) & 0xffffff) + 1;
    header.height = static_cast<int64_t>(little32(p + 26) >> 8) + 1;
    if (p[20] & 0x10) header.channels = 4;
  } else if (begins_with(bytes, "VP8L", 4, 12)) {
    const uint32_t word = little32(p + 21);
    header.width = static_cast<int64_t>(word & 0x3fff) + 1;
    header.height = static_cast<int64_t>(word >> 14 & 0x3fff) + 1;
    if (word >> 28 & 1) header.channels = 4;
  } else if (begins_with(bytes, "VP8 ", 4, 12)) {
    header.width = little16(p + 26) & 0x3fff;
    header.height = little16(p + 28) & 0x3fff;
  } else {
    fail(Status::format, "[image] WebP begins with an unknown chunk; expected VP8, VP8L or VP8X");
  }
  return header;
}

// "P6 # comment\n640 480 255": whole numbers between blanks and comments.
PictureHeader read_pnm_header(Bytes bytes) {
  size_t at = 2;
  const auto number = [&]() -> int64_t {
    for (; at < bytes.size(); ++at) {
      if (bytes[at] == '#') {
        while (at < bytes.size() && bytes[at] != '\n') ++at;
      } else if (bytes[at] >= '0' && bytes[at] <= '9') {
        break;
      } else if (bytes[at] > ' ') {
        fail(Status::format, "[image] PNM header holds byte ", static_cast<int>(bytes[at]),
             "; expected a number");
      }
    }
    int64_t value = 0;
    const size_t first = at;
    for (; at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9' && value < INT32_MAX; ++at)
      value = value * 10 + (bytes[at] - '0');
    if (at == first || at == bytes.size()) fail(Status::format, "[image] PNM ends inside its header");
    return value;
  };
  PictureHeader header;
  header.format = PictureFormat::pnm;
  header.width = number();
  header.height = number();
  const char kind = static_cast<char>(bytes[1]);
  header.channels = kind == '3' || kind == '6' ? 3 : 1;
  return header;
}

PictureHeader read_any_header(Bytes bytes) {
  if (begins_with(bytes, "\xff\xd8", 2)) return read_jpeg_header(bytes);
  if (begins_with(bytes, "\x89PNG\r\n\x1a\n", 8)) return read_png_header(bytes);
  if (begins_with(bytes, "GIF87a", 6) || begins_with(bytes, "GIF89a", 6)) return read_gif_header(bytes);
  if (begins_with(bytes, "BM", 2)) return read_bmp_header(bytes);
  if (begins_with(bytes, "RIFF", 4) && begins_with(bytes, "WEBP", 4, 8)) return read_webp_header(bytes);
  if (begins_with(bytes, "II*\0", 4) || begins_with(bytes, "MM\0*", 4)) return read_tiff_header(bytes);
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' && bytes[2] <= ' ')
    return read_pnm_header(bytes);
  return {};
}

}  // namespace

const char* name_of(PictureFormat format) {
  switch (format) {
    case PictureFormat::jpeg: return "JPEG";
    case PictureFormat::png: return "PNG";
    case PictureFormat::gif: return "GIF";
    case PictureFormat::bmp: return "BMP";
    case PictureFormat::webp: return "WebP";
    case PictureFormat::tiff: return "TIFF";
    case PictureFormat::pnm: return "PNM";
    default: return "picture of unknown format";
  }
}

PictureHeader read_picture_header(Bytes bytes) {
  if (bytes.empty()) fail(Status::format, "[image] no bytes; expected a picture");
  const PictureHeader header = read_any_header(bytes);
  if (header.format != PictureFormat::unknown && (header.width <= 0 || header.height <= 0))
    fail(Status::format, "[image] ", name_of(header.format), " of ", header.width, " x ", header.height,
         " pixels; expected at least 1 x 1");
  return header;
}

}  // namespace mixgrad::io
