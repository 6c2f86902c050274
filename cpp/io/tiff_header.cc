// The first directory of a TIFF file.
#include "base/error.h"
#include "io/byte_order.h"
#include "io/picture_header.h"

namespace mixgrad::io {

PictureHeader read_tiff_header(Bytes bytes) {
  if (bytes.size() < 8) fail(Status::format, "[image] TIFF ends inside its header");
  const bool little = bytes[0] == 'I';
  const auto at16 = [&](size_t at) {
    return little ? little16(bytes.data() + at) : big16(bytes.data() + at);
  };
  const auto at32 = [&](size_t at) {
    return little ? little32(bytes.data() + at) : big32(bytes.data() + at);
  };
  const size_t first = at32(4);
  if (first + 2 > bytes.size()) fail(Status::format, "[image] TIFF has its directory behind its end");
  const size_t entries = at16(first);
  PictureHeader header;
  header.format = PictureFormat::tiff;
  header.channels = 1;
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = first + 2 + 12 * i;
    if (entry + 12 > bytes.size()) fail(Status::format, "[image] TIFF ends inside its directory");
    const uint32_t tag = at16(entry), type = at16(entry + 2);
    const int64_t value = type == 3 ? at16(entry + 8) : at32(entry + 8);
    if (tag == 0x100) header.width = value;
    if (tag == 0x101) header.height = value;
    if (tag == 0x106 && value > 1) header.channels = 3;  // neither black nor white is the first colour
    if (tag == 0x112 && value >= 1 && value <= 8) header.orientation = static_cast<int>(value);
    if (tag == 0x115 && value == 4) header.channels = 4;
  }
  return header;
}

}  // namespace mixgrad::io
