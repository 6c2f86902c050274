// MXNet's record files: how one record lies in its file.
//
// A record is one part or several, each a header of two 32-bit words, its bytes, and zeros up to a multiple of 4. The first word is
// kRecordMagic, the second holds a role (PartRole) in its upper 3 bits and the number of bytes in the others. Records lie one after
// another from the file's first byte on. Where a record holds the magic word at a multiple of 4 bytes, that word is left out
// and parts two of its parts; so at multiples of 4 of a file the word begins a header and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "io/byte_source.h"

namespace mixgrad::io {

inline constexpr uint32_t kRecordMagic = 0xced7230a;
inline constexpr uint64_t kPartHeaderBytes = 8;
inline constexpr uint32_t kMostPartBytes = (1u << 29) - 1;  // which the second word can say

// MXNet's are 0 to 3. It writes no part of more than kMostPartBytes; parts of a longer one are joined without the magic word. Their
// bytes are a multiple of 4, so that no second word is the magic word.
enum class PartRole : uint32_t {
  whole = 0,
  first = 1,  // the magic word follows, then the next part's bytes
  middle = 2,
  last = 3,
  first_joined = 5,  // the next part's bytes follow at once
  middle_joined = 6,
};

struct PartHeader {
  PartRole role;
  uint32_t bytes;

  bool begins() const {
    return role == PartRole::whole || role == PartRole::first || role == PartRole::first_joined;
  }
  bool ends() const { return role == PartRole::whole || role == PartRole::last; }
  bool is_before_magic() const { return role == PartRole::first || role == PartRole::middle; }
  // In the file, header and zeros included.
  uint64_t stored() const { return kPartHeaderBytes + (uint64_t{bytes} + 3) / 4 * 4; }
};
// False where these 8 bytes are no part's header.
bool parse_part_header(const void* bytes, PartHeader* out);

// The first place from `offset` (rounded up to a multiple of 4) to `end` at which a header begins a record; `end` where there is
// none.
uint64_t find_record(ByteSource& source, uint64_t offset, uint64_t end);

// Bytes of a file from the first header of a record to the first one behind.
struct RecordRange {
  uint64_t begin, end;
};
// Part `index` of `count`, cut as MXNet cuts: equal numbers of bytes, then forward to the next record. Together the parts hold each
// record once. Throws Status::invalid_argument for a part outside of the count.
RecordRange part_of(ByteSource& source, int64_t index, int64_t count, const char* who);

}  // namespace mixgrad::io
