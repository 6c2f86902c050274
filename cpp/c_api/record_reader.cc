#include "io/record_reader.h"

#include <cstdlib>
#include <new>
#include <optional>

#include "c_api/sized.h"
#include "io/record_batch.h"
#include "io/record_index.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::io::ByteSource;
using mixgrad::io::Damage;
using mixgrad::io::Record;
using mixgrad::io::RecordBatch;
using mixgrad::io::RecordChecksums;
using mixgrad::io::RecordRange;
using mixgrad::io::RecordReader;
using mixgrad::io::Skipped;
using mixgrad::io::SourceRef;

namespace {

struct ReaderHandle {
  ReaderHandle(const SourceRef& from, const char* function, RecordRange part, Damage damaged)
      : who(function), damage(damaged), reader(from, part, damaged, function) {}

  const api::string who;
  const Damage damage;
  RecordReader reader;
  std::optional<RecordChecksums> checksums;
  const std::shared_ptr<mixgrad::io::BatchMemory> memory =
      std::make_shared<mixgrad::io::BatchMemory>();  // which batches may outlive
  Skipped beside;                                    // by scans and batches
};

ReaderHandle* unwrap_reader(mg_record_reader* reader, const char* function) {
  api::require(reader, function, "reader");
  return reinterpret_cast<ReaderHandle*>(reader);
}

mg_record_options options_from(const mg_record_options* options, const char* who) {
  if (!options) return {};
  const mg_record_options given =
      api::read_struct(options, "mg_record_options", &mg_record_options::size, "mg_record_reader_create");
  if (given.damaged != MG_DAMAGED_RAISE && given.damaged != MG_DAMAGED_SKIP) {
    mixgrad::fail(Status::invalid_argument, "[", who, "] damaged is ", given.damaged,
                  "; expected MG_DAMAGED_RAISE or MG_DAMAGED_SKIP");
  }
  if (given.checksums_bytes > 0) api::require(given.checksums, who, "checksums");
  return given;
}

void add_skipped(Skipped& sum, const Skipped& more) {
  if (sum.records == 0) sum.first = more.first;
  sum.records += more.records;
  sum.bytes += more.bytes;
}

// A record without bytes has an address all the same.
const void* address_of(mixgrad::Span<const char> data) { return data.data() ? data.data() : ""; }

}  // namespace

extern "C" {

mg_status mg_record_reader_create(mg_source* source, const char* who, const mg_record_options* options,
                                  mg_record_reader** out) {
  return api::guard([&] {
    api::require(who, "mg_record_reader_create", "who");
    api::require(source, who, "source");
    api::require(out, who, "out");
    const mg_record_options given = options_from(options, who);
    const SourceRef from(reinterpret_cast<ByteSource*>(source));
    const RecordRange range = given.num_parts == 0 && given.part_index == 0
                                  ? RecordRange{0, from->bytes()}
                                  : mixgrad::io::part_of(*from, given.part_index, given.num_parts, who);
    auto made = std::make_unique<ReaderHandle>(
        from, who, range, given.damaged == MG_DAMAGED_SKIP ? Damage::skip : Damage::raise);
    if (given.checksums) {
      made->checksums =
          RecordChecksums::parse({static_cast<const char*>(given.checksums), given.checksums_bytes}, who,
                                 "checksums of " + from->name());
      made->reader.set_checksums(&*made->checksums);
    }
    *out = reinterpret_cast<mg_record_reader*>(made.release());
  });
}

void mg_record_reader_destroy(mg_record_reader* reader) { delete reinterpret_cast<ReaderHandle*>(reader); }

mg_status mg_record_reader_next(mg_record_reader* reader, uint64_t* offset, const void** data,
                                size_t* bytes) {
  return api::guard([&] {
    ReaderHandle* const from = unwrap_reader(reader, "mg_record_reader_next");
    api::require(data, "mg_record_reader_next", "data");
    api::require(bytes, "mg_record_reader_next", "bytes");
    Record record;
    const bool there = from->reader.next(&record);
    *data = there ? address_of(record.data) : nullptr;
    *bytes = there ? record.data.size() : 0;
    if (offset && there) *offset = record.offset;
  });
}

mg_status mg_record_reader_read_at(mg_record_reader* reader, uint64_t offset, const void** data,
                                   size_t* bytes) {
  return api::guard([&] {
    ReaderHandle* const from = unwrap_reader(reader, "mg_record_reader_read_at");
    api::require(data, "mg_record_reader_read_at", "data");
    api::require(bytes, "mg_record_reader_read_at", "bytes");
    const Record record = from->reader.read_at(offset);
    *data = address_of(record.data);
    *bytes = record.data.size();
  });
}

mg_status mg_record_reader_seek(mg_record_reader* reader, uint64_t offset) {
  return api::guard([&] { unwrap_reader(reader, "mg_record_reader_seek")->reader.seek(offset); });
}

uint64_t mg_record_reader_tell(const mg_record_reader* reader) {
  return reader ? reinterpret_cast<const ReaderHandle*>(reader)->reader.tell() : 0;
}

mg_status mg_record_reader_get_skipped(const mg_record_reader* reader, mg_record_skipped* skipped) {
  return api::guard([&] {
    api::require(reader, "mg_record_reader_get_skipped", "reader");
    const ReaderHandle& from = *reinterpret_cast<const ReaderHandle*>(reader);
    const Skipped& own = from.reader.skipped();
    mg_record_skipped filled{};
    filled.records = own.records + from.beside.records;
    filled.bytes = own.bytes + from.beside.bytes;
    filled.first = own.records > 0 ? own.first.c_str() : from.beside.first.c_str();
    api::write_struct(skipped, filled, "mg_record_skipped", &mg_record_skipped::records,
                      "mg_record_reader_get_skipped");
  });
}

mg_status mg_record_reader_scan(mg_record_reader* reader, uint64_t** offsets, size_t* bytes) {
  return api::guard([&] {
    ReaderHandle* const from = unwrap_reader(reader, "mg_record_reader_scan");
    api::require(offsets, "mg_record_reader_scan", "offsets");
    api::require(bytes, "mg_record_reader_scan", "bytes");
    Skipped skipped;
    const api::vector<uint64_t> found =
        scan_records(from->reader.source(), from->reader.range(), from->damage, from->who.c_str(), &skipped);
    void* const copy = std::malloc(found.size() * sizeof(uint64_t) + 1);
    if (!copy) throw std::bad_alloc();
    if (!found.empty()) std::memcpy(copy, found.data(), found.size() * sizeof(uint64_t));
    add_skipped(from->beside, skipped);
    *offsets = static_cast<uint64_t*>(copy);
    *bytes = found.size() * sizeof(uint64_t);
  });
}

mg_status mg_record_reader_read_batch(mg_record_reader* reader, int32_t num_records, const uint64_t* offsets,
                                      mg_record_batch** out) {
  return api::guard([&] {
    ReaderHandle* const from = unwrap_reader(reader, "mg_record_reader_read_batch");
    if (num_records < 0) {
      mixgrad::fail(Status::invalid_argument, "[", from->who, "] ", num_records,
                    " records; expected at least 0");
    }
    if (num_records > 0) api::require(offsets, "mg_record_reader_read_batch", "offsets");
    api::require(out, "mg_record_reader_read_batch", "out");
    Skipped skipped;
    auto batch = std::make_unique<RecordBatch>(
        from->reader.source(), mixgrad::Span<const uint64_t>(offsets, static_cast<size_t>(num_records)),
        from->damage, from->who, from->checksums ? &*from->checksums : nullptr, from->memory, &skipped);
    add_skipped(from->beside, skipped);
    *out = reinterpret_cast<mg_record_batch*>(batch.release());
  });
}

mg_status mg_record_batch_get(const mg_record_batch* batch, int32_t index, const void** data, size_t* bytes) {
  return api::guard([&] {
    api::require(batch, "mg_record_batch_get", "batch");
    api::require(data, "mg_record_batch_get", "data");
    api::require(bytes, "mg_record_batch_get", "bytes");
    const RecordBatch& from = *reinterpret_cast<const RecordBatch*>(batch);
    if (index < 0 || static_cast<size_t>(index) >= from.size()) {
      mixgrad::fail(Status::index, "[mg_record_batch_get] record ", index, " of a batch of ", from.size());
    }
    const size_t at = static_cast<size_t>(index);
    const bool there = from.has(at);
    *bytes = there ? from.at(at).size() : 0;
    *data = there ? address_of(from.at(at)) : nullptr;
  });
}

void mg_record_batch_destroy(mg_record_batch* batch) { delete reinterpret_cast<RecordBatch*>(batch); }

}  // extern "C"
