// What MXNet's tools put before a picture in its record: labels and a number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/span.h"

namespace mixgrad::io {

// In the record: flag (uint32), label (float32), id and id2 (uint64), little-endian, then `flag` labels of float32 where flag is
// above 0, then the picture.
struct ImageHeader {
  static constexpr size_t kBytes = 24;

  uint32_t flag = 0;
  float label = 0;  // where flag is 0
  uint64_t id = 0, id2 = 0;
  Span<const char> label_bytes;  // of the `flag` labels
  Span<const char> picture;

  size_t num_labels() const { return flag > 0 ? flag : 1; }
  float label_at(size_t index) const;
};

// Borrows the record. Throws Status::format where it is shorter than its header says; `name` and `offset` say whose record it is.
ImageHeader parse_image_header(Span<const char> record, const char* who, const char* name, uint64_t offset);

}  // namespace mixgrad::io
