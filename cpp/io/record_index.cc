#include "io/record_index.h"

#include <cstring>

#include "base/error.h"
#include "io/byte_source.h"
#include "io/number.h"

namespace mixgrad::io {

std::vector<uint64_t> scan_records(const SourceRef& source, RecordRange range, Damage damage, const char* who,
                                   Skipped* skipped) {
  std::vector<uint64_t> offsets;
  RecordReader reader(source, range, damage, who);
  Record record;
  while (reader.next_place(&record)) offsets.push_back(record.offset);
  if (skipped) *skipped = reader.skipped();
  return offsets;
}

std::vector<IndexEntry> read_index(const std::string& path, const char* who) {
  const SourceRef source = open_source(path, who);
  std::vector<char> content(source->bytes());
  source->read(0, content.data(), content.size());
  return parse_index({content.data(), content.size()}, who, path);
}

std::vector<IndexEntry> parse_index(Span<const char> content, const char* who, const std::string& name) {
  std::vector<IndexEntry> entries;
  const char* p = content.data();
  const char* const end = p + content.size();
  for (int64_t line = 1; p < end; ++line) {
    const void* const found = std::memchr(p, '\n', static_cast<size_t>(end - p));
    const char* const stop = found ? static_cast<const char*>(found) : end;
    const char* last = stop > p && stop[-1] == '\r' ? stop - 1 : stop;
    IndexEntry entry{};
    int64_t offset = -1;
    const char* const tab = read_integer(p, last, &entry.key);
    const char* const after =
        tab && tab < last && *tab == '\t' ? read_integer(tab + 1, last, &offset) : nullptr;
    if (after != last || offset < 0) {
      fail(Status::format, "[", who, "] '", name, "' line ", line,
           ": expected a whole number, a tab and the offset of a record");
    }
    entry.offset = static_cast<uint64_t>(offset);
    entries.push_back(entry);
    p = stop < end ? stop + 1 : stop;
  }
  return entries;
}

}  // namespace mixgrad::io
