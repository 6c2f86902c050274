#include "io/record_checksums.h"

#include <cstring>

#include "base/checksum.h"
#include "base/error.h"

namespace mixgrad::io {
namespace {

constexpr char kMark[] = "MGRECSUM";
constexpr size_t kMarkBytes = 8, kPairBytes = 16, kFrameBytes = kMarkBytes + 16;

void append_word(std::vector<char>& out, uint64_t word) {
  const char* const bytes = reinterpret_cast<const char*>(&word);
  out.insert(out.end(), bytes, bytes + sizeof word);
}

uint64_t word_at(Span<const char> content, size_t offset) {
  uint64_t word;
  std::memcpy(&word, content.data() + offset, sizeof word);
  return word;
}

}  // namespace

void RecordChecksums::add(uint64_t offset, Span<const char> data) {
  offsets_.push_back(offset);
  sums_.push_back(checksum_of(data.data(), data.size()));
}

std::vector<char> RecordChecksums::content() const {
  std::vector<char> out(kMark, kMark + kMarkBytes);
  out.reserve(kFrameBytes + kPairBytes * offsets_.size());
  append_word(out, offsets_.size());
  for (size_t i = 0; i < offsets_.size(); ++i) {
    append_word(out, offsets_[i]);
    append_word(out, sums_[i]);
  }
  append_word(out, checksum_of(out.data(), out.size()));
  return out;
}

RecordChecksums RecordChecksums::parse(Span<const char> content, const char* who, const std::string& name) {
  const bool marked = content.size() >= kFrameBytes && std::memcmp(content.data(), kMark, kMarkBytes) == 0;
  const uint64_t records = marked ? word_at(content, kMarkBytes) : 0;
  if (!marked || (content.size() - kFrameBytes) % kPairBytes != 0 ||
      records != (content.size() - kFrameBytes) / kPairBytes ||
      word_at(content, content.size() - 8) != checksum_of(content.data(), content.size() - 8)) {
    fail(Status::format, "[", who, "] '", name, "' does not hold checksums of records, or is damaged");
  }
  RecordChecksums out;
  out.by_offset_.reserve(records);
  for (size_t i = 0; i < records; ++i) {
    const size_t at = kMarkBytes + 8 + i * kPairBytes;
    out.by_offset_[word_at(content, at)] = word_at(content, at + 8);
  }
  return out;
}

std::string RecordChecksums::check(uint64_t offset, Span<const char> data) const {
  const auto found = by_offset_.find(offset);
  if (found == by_offset_.end()) return "a record that the checksums do not know";
  if (found->second == checksum_of(data.data(), data.size())) return "";
  return text("a record of ", data.size(), " bytes that does not have its checksum");
}

}  // namespace mixgrad::io
