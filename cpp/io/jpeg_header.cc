// Headers of JPEG files: markers up to the frame, and EXIF's orientation.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "io/byte_order.h"
#include "io/picture_header.h"

namespace mixgrad::io {
namespace {

bool is_frame(int marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

// A block of 8 x 8 samples takes two bits at least where blocks are coded one by one: fewer bytes than that cannot hold the
// picture, however it looks.
void check_promise(const PictureHeader& header, const uint8_t* frame, size_t left) {
  int64_t blocks = 0;
  for (int i = 0; i < header.components; ++i) {
    const int h = frame[7 + 3 * i] >> 4, v = frame[7 + 3 * i] & 15;
    if (h < 1 || h > 4 || v < 1 || v > 4)
      fail(Status::format, "[image] JPEG component ", i, " has sampling factors ", h, " x ", v,
           "; expected 1 to 4");
    blocks += (header.width * h / header.most_h / 8) * (header.height * v / header.most_v / 8);
  }
  if (static_cast<uint64_t>(blocks) / 4 > left)
    fail(Status::format, "[image] JPEG of ", header.width, " x ", header.height, " pixels in ", left,
         " bytes, which cannot hold them; expected a whole file");
}

PictureHeader read_frame(Bytes bytes, size_t at, size_t length, int marker, int orientation) {
  const uint8_t* const frame = bytes.data() + at;  // precision, height, width, components
  PictureHeader header;
  header.format = PictureFormat::jpeg;
  header.orientation = orientation;
  if (length < 6) fail(Status::format, "[image] JPEG frame of ", length, " bytes; expected at least 6");
  header.bits = frame[0];
  header.height = big16(frame + 1);
  header.width = big16(frame + 3);
  header.components = frame[5];
  if (header.components < 1 || header.components > 4 ||
      length < 6 + 3 * static_cast<size_t>(header.components))
    fail(Status::format, "[image] JPEG frame with ", header.components, " components in ", length,
         " bytes; expected 1 to 4");
  header.channels = header.components == 1 ? 1 : 3;
  for (int i = 0; i < header.components; ++i) {
    header.most_h = std::max(header.most_h, frame[7 + 3 * i] >> 4);
    header.most_v = std::max(header.most_v, frame[7 + 3 * i] & 15);
  }
  if (header.width > 0 && header.height > 0 && (marker == 0xc0 || marker == 0xc1))
    check_promise(header, frame, bytes.size() - at);
  return header;
}

}  // namespace

int read_orientation(Bytes tiff) {
  if (tiff.size() < 8) return 1;
  const bool little = tiff[0] == 'I';
  const auto at16 = [&](size_t at) { return little ? little16(tiff.data() + at) : big16(tiff.data() + at); };
  const auto at32 = [&](size_t at) { return little ? little32(tiff.data() + at) : big32(tiff.data() + at); };
  if (std::memcmp(tiff.data(), little ? "II*\0" : "MM\0*", 4) != 0) return 1;
  const size_t first = at32(4);
  if (first + 2 > tiff.size()) return 1;
  const size_t entries = at16(first);
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = first + 2 + 12 * i;
    if (entry + 12 > tiff.size()) return 1;
    if (at16(entry) != 0x112) continue;
    const uint32_t value = at16(entry + 8);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

PictureHeader read_jpeg_header(Bytes bytes) {
  size_t at = 2;
  int orientation = 1;
  while (at < bytes.size()) {
    if (bytes[at] != 0xff) {
      ++at;  // decoders skip such bytes, too, and warn
      continue;
    }
    while (at < bytes.size() && bytes[at] == 0xff) ++at;
    if (at >= bytes.size()) break;
    const int marker = bytes[at++];
    if (marker == 0 || marker == 1 || (marker >= 0xd0 && marker <= 0xd8)) continue;  // without a length
    if (marker == 0xd9 || marker == 0xda)
      fail(Status::format, "[image] JPEG has no frame before its ", marker == 0xd9 ? "end" : "pixels");
    if (at + 2 > bytes.size()) break;
    const size_t length = big16(bytes.data() + at);
    if (length < 2)
      fail(Status::format, "[image] JPEG marker ", marker, " of length ", length, "; expected at least 2");
    if (at + length > bytes.size()) break;
    if (is_frame(marker)) return read_frame(bytes, at + 2, length - 2, marker, orientation);
    if (marker == 0xe1 && length > 8 && std::memcmp(bytes.data() + at + 2, "Exif\0\0", 6) == 0)
      orientation = read_orientation(bytes.subspan(at + 8, length - 8));
    at += length;
  }
  fail(Status::format, "[image] JPEG ends inside its header, after ", bytes.size(), " bytes");
}

}  // namespace mixgrad::io
