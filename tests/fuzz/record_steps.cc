#include "record_steps.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/image_header.h"
#include "io/record_batch.h"
#include "io/record_index.h"
#include "io/record_reader.h"

namespace fuzz {
namespace {

using namespace mixgrad;
using namespace mixgrad::io;

constexpr char kWho[] = "fuzz";

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "record_steps: this does not hold: %s\n", what);
  std::abort();
}

void demand_message(const Error& error) {
  demand(error.message().rfind("[fuzz] ", 0) == 0, "a message begins with who failed");
}

// So that every byte is read.
uint64_t sum_of(Span<const char> data) {
  uint64_t sum = 0;
  for (const char byte : data) sum = sum * 31 + static_cast<unsigned char>(byte);
  return sum;
}

void read_picture(Span<const char> data, uint64_t offset) {
  try {
    const ImageHeader header = parse_image_header(data, kWho, "file", offset);
    for (size_t i = 0; i < header.num_labels() && i < 64; ++i) static_cast<void>(header.label_at(i));
    static_cast<void>(sum_of(header.picture));
  } catch (const Error& error) {
    demand_message(error);
  }
}

struct Found {
  std::vector<uint64_t> offsets, sums;
  uint64_t covered = 0;
  uint64_t damaged = 0;
};

Found read_over_damage(const SourceRef& source, RecordRange range) {
  Found found;
  RecordReader reader(source, range, Damage::skip, kWho);
  Record record;
  uint64_t last = range.begin;
  while (reader.next(&record)) {
    demand(record.offset >= last && record.end > record.offset, "records come in order");
    demand(record.data.size() == record.bytes, "a record's size is that of its data");
    last = record.end;
    found.offsets.push_back(record.offset);
    found.sums.push_back(sum_of(record.data));
    found.covered += record.end - record.offset;
    read_picture(record.data, record.offset);
  }
  found.damaged = reader.skipped().records;
  if (last <= range.end)
    demand(found.covered + reader.skipped().bytes == range.end - range.begin,
           "records and gaps cover the file");
  demand(reader.skipped().first.empty() == (found.damaged == 0), "damage is named");
  return found;
}

void read_with_errors(const SourceRef& source, const Found& expected) {
  RecordReader reader(source, {0, source->bytes()}, Damage::raise, kWho);
  Record record;
  size_t records = 0, errors = 0;
  for (bool more = true; more;) {
    try {
      more = reader.next(&record);
      records += more;
    } catch (const Error& error) {
      demand_message(error);
      demand(error.status() == Status::format, "damage is a fault of the format");
      ++errors;
    }
  }
  demand(records == expected.offsets.size() && errors == expected.damaged,
         "errors are where damage is skipped");
}

void read_parts(const SourceRef& source, const Found& whole, bool is_whole) {
  const int64_t count = 2 + static_cast<int64_t>(source->bytes() / 4 % 16);
  std::vector<uint64_t> offsets;
  for (int64_t i = 0; i < count; ++i) {
    const Found part = read_over_damage(source, part_of(*source, i, count, kWho));
    offsets.insert(offsets.end(), part.offsets.begin(), part.offsets.end());
  }
  if (is_whole) demand(offsets == whole.offsets, "parts give each record once");
}

void read_at_offsets(const SourceRef& source, const Found& whole) {
  std::vector<uint64_t> offsets = whole.offsets;
  // Where none may be. Few, because errors take long under sanitizers.
  for (const uint64_t at : {source->bytes() / 3 | 1, source->bytes() / 2 / 4 * 4}) offsets.push_back(at);
  offsets.push_back(source->bytes());
  offsets.push_back(UINT64_MAX - 3);
  Skipped skipped;
  const RecordBatch batch(source, offsets, Damage::skip, kWho, nullptr, std::make_shared<BatchMemory>(),
                          &skipped);
  for (size_t i = 0; i < batch.size(); ++i) {
    const uint64_t sum = batch.has(i) ? sum_of(batch.at(i)) : 0;
    if (i < whole.offsets.size())
      demand(batch.has(i) && sum == whole.sums[i], "records at offsets are those in order");
  }
}

}  // namespace

void read_everything(const void* data, size_t bytes, bool is_whole) {
  // Of its own size, so that a byte too many is found.
  const std::unique_ptr<char[]> copy(new char[bytes]);
  if (bytes > 0) std::memcpy(copy.get(), data, bytes);
  const SourceRef source = memory_source(copy.get(), bytes, "file", kWho);
  const Found whole = read_over_damage(source, {0, bytes});
  read_with_errors(source, whole);
  demand(!is_whole || whole.damaged == 0, "what a writer made is whole");
  read_parts(source, whole, is_whole);
  read_at_offsets(source, whole);
  Skipped skipped;
  demand(scan_records(source, {0, bytes}, Damage::skip, kWho, &skipped) == whole.offsets,
         "a scan finds the records");
  const Span<const char> content(copy.get(), bytes);
  try {
    static_cast<void>(parse_index(content, kWho, "index"));
  } catch (const Error& error) {
    demand_message(error);
  }
  try {
    static_cast<void>(RecordChecksums::parse(content, kWho, "sums"));
  } catch (const Error& error) {
    demand_message(error);
  }
}

}  // namespace fuzz
