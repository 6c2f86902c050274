#include "io/record.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "io/read_window.h"

namespace mixgrad::io {

bool parse_part_header(const void* bytes, PartHeader* out) {
  uint32_t words[2];
  std::memcpy(words, bytes, sizeof words);
  if (words[0] != kRecordMagic) return false;
  const uint32_t role = words[1] >> 29, size = words[1] & kMostPartBytes;
  const bool joined = role == 5 || role == 6;
  if ((role > 3 && !joined) || (joined && size % 4 != 0)) return false;
  *out = {static_cast<PartRole>(role), size};
  return true;
}

uint64_t find_record(ByteSource& source, uint64_t offset, uint64_t end) {
  ReadWindow window{SourceRef(&source)};
  window.set_end(end);
  const uint64_t size = source.bytes();
  for (uint64_t at = (offset + 3) / 4 * 4; at < end && size - at >= kPartHeaderBytes;) {
    const uint64_t piece = std::min<uint64_t>(window.most_piece() / 4, size - at);
    const char* const data = window.get(at, std::min<uint64_t>(piece, std::max(end - at, kPartHeaderBytes)));
    const uint64_t have = std::min<uint64_t>(piece, std::max(end - at, kPartHeaderBytes));
    uint64_t i = 0;
    for (; i + kPartHeaderBytes <= have; i += 4) {
      uint32_t word;
      std::memcpy(&word, data + i, sizeof word);
      if (word != kRecordMagic) continue;
      PartHeader part;
      if (at + i < end && parse_part_header(data + i, &part) && part.begins() &&
          part.stored() <= size - at - i)
        return at + i;
    }
    at += i;
  }
  return end;
}

RecordRange part_of(ByteSource& source, int64_t index, int64_t count, const char* who) {
  if (count < 1 || index < 0 || index >= count) {
    fail(Status::invalid_argument, "[", who, "] part ", index, " of ", count,
         "; expected a part from 0 to the number of parts less one");
  }
  const uint64_t size = source.bytes(), parts = static_cast<uint64_t>(count);
  const uint64_t step = (size / parts + (size % parts > 0) + 3) / 4 * 4;
  const auto cut = [&](uint64_t number) -> uint64_t {
    if (number == 0) return 0;
    if (step == 0 || number > size / step) return size;
    return find_record(source, step * number, size);
  };
  return {cut(static_cast<uint64_t>(index)), cut(static_cast<uint64_t>(index) + 1)};
}

}  // namespace mixgrad::io
