#include "io/record_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace mixgrad::io {
namespace {

constexpr size_t kBufferBytes = 128 * 1024;

class FileRecordSink final : public RecordSink {
 public:
  FileRecordSink(const std::string& path, const char* who) : file_(path, who) {}
  void write(const void* data, uint64_t bytes) override { file_.write(data, bytes); }
  void commit() override { file_.commit(); }

 private:
  FileWriter file_;
};

// The first magic word at a multiple of 4 bytes from `begin` on; the data's size where there is none.
size_t find_magic(Span<const char> data, size_t begin) {
  const size_t words = data.size() / 4 * 4;
  for (size_t i = begin; i < words; i += 4) {
    uint32_t word;
    std::memcpy(&word, data.data() + i, sizeof word);
    if (word == kRecordMagic) return i;
  }
  return data.size();
}

}  // namespace

std::unique_ptr<RecordSink> record_file(const std::string& path, const char* who) {
  return std::make_unique<FileRecordSink>(path, who);
}

RecordWriter::RecordWriter(std::unique_ptr<RecordSink> sink, std::string who, uint32_t most_part)
    : sink_(std::move(sink)), who_(std::move(who)), most_part_(most_part) {}

uint64_t RecordWriter::write(Span<const char> data) {
  if (state_ != State::open) {
    fail(Status::io, "[", who_, "] ",
         state_ == State::failed ? "an earlier record could not be written" : "the file is complete",
         "; no record can follow");
  }
  const uint64_t offset = tell();
  size_t begin = 0;
  bool first = true;
  for (;;) {
    const size_t magic = find_magic(data, begin);
    for (; magic - begin > most_part_; first = false) {
      const size_t joined = most_part_ / 4 * 4;
      put_part(first ? PartRole::first_joined : PartRole::middle_joined, data.subspan(begin, joined));
      begin += joined;
    }
    const Span<const char> rest = data.subspan(begin, magic - begin);
    if (magic == data.size()) {
      put_part(first ? PartRole::whole : PartRole::last, rest);
      break;
    }
    put_part(first ? PartRole::first : PartRole::middle, rest);
    first = false;
    begin = magic + sizeof kRecordMagic;
  }
  if (keeps_checksums_) checksums_.add(offset, data);
  return offset;
}

void RecordWriter::put_part(PartRole role, Span<const char> data) {
  const uint32_t header[2] = {kRecordMagic,
                              static_cast<uint32_t>(role) << 29 | static_cast<uint32_t>(data.size())};
  put(reinterpret_cast<const char*>(header), sizeof header);
  put(data.data(), data.size());
  put("\0\0\0", (4 - data.size() % 4) % 4);
}

void RecordWriter::put(const char* data, uint64_t bytes) {
  if (bytes == 0) return;
  if (buffer_.size() + bytes > kBufferBytes) flush();
  if (bytes > kBufferBytes)
    give(data, bytes);
  else
    buffer_.insert(buffer_.end(), data, data + bytes);
}

void RecordWriter::give(const char* data, uint64_t bytes) {
  const State before = std::exchange(state_, State::failed);
  sink_->write(data, bytes);
  state_ = before;
  written_ += bytes;
}

void RecordWriter::flush() {
  if (buffer_.empty() || state_ != State::open) return;
  give(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void RecordWriter::commit() {
  if (state_ != State::open) {
    fail(Status::io, "[", who_, "] ",
         state_ == State::failed ? "a record could not be written; the file is not put in its place"
                                 : "the file is complete already");
  }
  flush();
  state_ = State::failed;
  sink_->commit();
  state_ = State::committed;
}

}  // namespace mixgrad::io
