// Checksums of the records of a file, which lie in a file beside it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/span.h"

namespace mixgrad::io {

// Content of the side file: "MGRECSUM", the number of records, for each its offset and the Checksum (base/checksum.h) of its data,
// then the Checksum of all that; numbers are uint64, little-endian.
class RecordChecksums {
 public:
  void add(uint64_t offset, Span<const char> data);
  std::vector<char> content() const;
  // Throws Status::format where it is not whole; `name` is what messages call it.
  static RecordChecksums parse(Span<const char> content, const char* who, const std::string& name);

  // What is wrong with a record that was read; "" where nothing is.
  std::string check(uint64_t offset, Span<const char> data) const;

 private:
  std::vector<uint64_t> offsets_, sums_;
  std::unordered_map<uint64_t, uint64_t> by_offset_;  // of parsed content
};

}  // namespace mixgrad::io
