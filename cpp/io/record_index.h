// Where the records of a file begin.
#pragma once

#include <string>
#include <vector>

#include "io/record_reader.h"

namespace mixgrad::io {

// Offsets in the order of the file, by one pass over the headers that leaves out what is between them. Damage as RecordReader takes it.
std::vector<uint64_t> scan_records(const SourceRef& source, RecordRange range, Damage damage, const char* who,
                                   Skipped* skipped);

struct IndexEntry {
  int64_t key;
  uint64_t offset;
};
// Content of an index file: lines of a whole number, a tab, an offset. Throws Status::format naming file and line.
std::vector<IndexEntry> parse_index(Span<const char> content, const char* who, const std::string& name);
std::vector<IndexEntry> read_index(const std::string& path, const char* who);

}  // namespace mixgrad::io
