#include "kvstore/distributed/record_file.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/checksum.h"
#include "base/error.h"
#include "base/file_opener.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace mixgrad::kvstore {
namespace {

struct RecordSizes {
  uint32_t kind = 0, fields = 0;
  uint64_t payload = 0;
};
static_assert(sizeof(RecordSizes) == 16, "it is written as it is");

// What a disk writes whole or not at all.
constexpr uint64_t kSector = 512;
constexpr size_t kScanned = 64 * 1024;

uint64_t body_checksum(const FileRecord& record) {
  Checksum sum;
  sum.add(record.fields.data(), record.fields.size());
  if (record.payload.bytes > 0) sum.add(record.payload.data, record.payload.bytes);
  return sum.value();
}

std::FILE* opened_for_reading(const std::string& path, uint64_t* bytes) {
#if defined(__unix__) || defined(__APPLE__)
  OpenedFile file(path, "kvstore server");
  *bytes = file.bytes();
  const int descriptor = file.release();
  std::FILE* const stream = fdopen(descriptor, "rb");
  if (!stream) close(descriptor);
#else
  std::FILE* const stream = nullptr;
#endif
  if (!stream) fail(Status::io, "[kvstore server] cannot read ", path);
  return stream;
}

}  // namespace

std::string record_head(const FileRecord& record) {
  const RecordSizes sizes{static_cast<uint32_t>(record.kind), static_cast<uint32_t>(record.fields.size()),
                          record.payload.bytes};
  const uint64_t sum = checksum_of(&sizes, sizeof sizes);
  std::string head(reinterpret_cast<const char*>(&sizes), sizeof sizes);
  head.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return head + record.fields;
}

std::string record_tail(const FileRecord& record) {
  const uint64_t sum = body_checksum(record);
  return std::string(reinterpret_cast<const char*>(&sum), sizeof sum);
}

RecordReader::RecordReader(const std::string& path)
    : path_(path), file_(opened_for_reading(path, &bytes_), &std::fclose) {}

void RecordReader::damaged(const std::string& what) const {
  fail(Status::format, "[kvstore server] ", path_, " is damaged at byte ", at_, ": ", what,
       "; expected what a server wrote. Move its folder away to begin without it");
}

bool RecordReader::read(void* to, uint64_t bytes) {
  return bytes == 0 || std::fread(to, 1, bytes, file_.get()) == bytes;
}

// A system may write down a file's new length before the bytes; when the machine ends between, they are zeros. Whether that became of the
// record at at_, which is wrong: zeros up to the file's end, that begin with the record, with a sector inside of it, or with
// its last checksum.
bool RecordReader::ends_with_zeros(uint64_t record_end) {
  if (std::fseek(file_.get(), static_cast<long>(at_), SEEK_SET) != 0) return false;
  std::vector<char> chunk(kScanned);
  uint64_t zeros = at_;  // where they begin
  for (uint64_t at = at_; at < bytes_;) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(chunk.size(), bytes_ - at));
    if (!read(chunk.data(), count)) return false;
    for (size_t i = 0; i < count; ++i) {
      if (chunk[i] != 0) zeros = at + i + 1;
    }
    at += count;
  }
  const uint64_t sector = (record_end - 1) / kSector * kSector;
  is_cut_ = is_zeroed_ = zeros <= std::max(sector, record_end - kRecordTail);
  return is_cut_;
}

bool RecordReader::next(FileRecord& record) {
  const uint64_t left = bytes_ - at_;
  if (left == 0 || is_cut_) return false;
  char head[kRecordHead];
  if (left < kRecordHead) {
    is_cut_ = true;
    return false;
  }
  if (!read(head, sizeof head)) damaged("it cannot be read");
  RecordSizes sizes;
  uint64_t sum = 0;
  std::memcpy(&sizes, head, sizeof sizes);
  std::memcpy(&sum, head + sizeof sizes, sizeof sum);
  if (sum != checksum_of(&sizes, sizeof sizes)) {
    if (ends_with_zeros(at_ + kRecordHead)) return false;
    damaged("the head of a record has another checksum");
  }
  if (sizes.kind < static_cast<uint32_t>(RecordKind::start) ||
      sizes.kind > static_cast<uint32_t>(RecordKind::view))
    damaged(text("a record of kind ", sizes.kind));
  if (left - kRecordHead < kRecordTail || sizes.fields > left - kRecordHead - kRecordTail ||
      sizes.payload > left - kRecordHead - kRecordTail - sizes.fields) {
    is_cut_ = true;
    return false;
  }
  record.kind = static_cast<RecordKind>(sizes.kind);
  record.fields.resize(sizes.fields);
  const std::shared_ptr<uint64_t[]> words(new uint64_t[sizes.payload / sizeof(uint64_t) + 1]);
  if (!read(record.fields.data(), sizes.fields) || !read(words.get(), sizes.payload) ||
      !read(&sum, sizeof sum))
    damaged("it cannot be read");
  record.payload = net::Payload(words.get(), sizes.payload, words);
  const uint64_t end = at_ + kRecordHead + sizes.fields + sizes.payload + kRecordTail;
  if (sum != body_checksum(record)) {
    if (ends_with_zeros(end)) return false;
    damaged("a record has another checksum");
  }
  at_ = end;
  return true;
}

}  // namespace mixgrad::kvstore
