// Files of records, each with checksums: what a server keeps on disk.
//
// A record is a head (kind, bytes of fields, bytes of payload, checksum of these), fields as messages have them, a payload, and the
// checksum of both. The head is checked by itself, so that a length is believed before it is used.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "net/message.h"

namespace mixgrad::kvstore {

enum class RecordKind : uint32_t {
  start = 1,  // of a file: whose it is
  ledger,     // of a slot, as payload
  part,       // of a slot's state
  end,        // of a state
  step,       // that was logged
  view,       // that is followed
};

struct FileRecord {
  RecordKind kind = RecordKind::start;
  std::string fields;
  net::Payload payload;
};

constexpr size_t kRecordHead = 24, kRecordTail = 8;

// The bytes before and behind a payload.
std::string record_head(const FileRecord& record);
std::string record_tail(const FileRecord& record);

// Reads a file from its beginning.
class RecordReader {
 public:
  // Throws Status::io where it cannot be opened.
  explicit RecordReader(const std::string& path);

  // False at the end. A record that was not written to its end, because its process ended, ends the file, too: then it is cut. So is one
  // of which the file has only zeros up to its end, because its machine ended: then it is zeroed as well. Throws Status::format,
  // naming the file and the place, where bytes are not what was written.
  bool next(FileRecord& record);
  bool is_cut() const { return is_cut_; }
  bool is_zeroed() const { return is_zeroed_; }
  const std::string& path() const { return path_; }
  uint64_t at() const { return at_; }  // behind the last record
  // Throws as next() does.
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  bool read(void* to, uint64_t bytes);
  bool ends_with_zeros(uint64_t record_end);

  const std::string path_;
  uint64_t bytes_ = 0, at_ = 0;  // bytes_ is found as file_ is opened
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  bool is_cut_ = false, is_zeroed_ = false;
};

}  // namespace mixgrad::kvstore
