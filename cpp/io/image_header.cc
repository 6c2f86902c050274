#include "io/image_header.h"

#include <cstring>

#include "base/error.h"

namespace mixgrad::io {

float ImageHeader::label_at(size_t index) const {
  if (flag == 0) return label;
  float value;
  std::memcpy(&value, label_bytes.data() + index * sizeof value, sizeof value);
  return value;
}

ImageHeader parse_image_header(Span<const char> record, const char* who, const char* name, uint64_t offset) {
  ImageHeader header;
  if (record.size() < ImageHeader::kBytes) {
    fail(Status::format, "[", who, "] the record at ", offset, " of '", name, "' has ", record.size(),
         " bytes; expected at least the ", ImageHeader::kBytes, " of a picture's header");
  }
  std::memcpy(&header.flag, record.data(), 4);
  std::memcpy(&header.label, record.data() + 4, 4);
  std::memcpy(&header.id, record.data() + 8, 8);
  std::memcpy(&header.id2, record.data() + 16, 8);
  const size_t left = record.size() - ImageHeader::kBytes;
  if (header.flag > left / sizeof(float)) {
    fail(Status::format, "[", who, "] the record at ", offset, " of '", name, "' says that it has ",
         header.flag, " labels, but only ", left, " bytes follow its header");
  }
  const size_t labels = header.flag * sizeof(float);
  header.label_bytes = record.subspan(ImageHeader::kBytes, labels);
  header.picture = record.subspan(ImageHeader::kBytes + labels, left - labels);
  return header;
}

}  // namespace mixgrad::io
