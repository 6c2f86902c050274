#include "io/record_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"

namespace mixgrad::io {
namespace {

// What is read at once where a reader begins, and at least where it jumps.
constexpr uint64_t kFirstPiece = 64 * 1024, kLeastPiece = 4 * 1024, kHeaderPiece = 512;

}  // namespace

RecordReader::RecordReader(SourceRef source, RecordRange range, Damage damage, std::string who)
    : source_(std::move(source)),
      range_(range),
      damage_(damage),
      who_(std::move(who)),
      position_(range.begin),
      window_(source_) {
  window_.set_end(range.end);
  window_.set_first_piece(kFirstPiece);
}

bool RecordReader::next(Record* out) { return advance(out, Need::data); }

bool RecordReader::next_place(Record* out) {
  window_.set_first_piece(kHeaderPiece);
  return advance(out, Need::place);
}

bool RecordReader::advance(Record* out, Need need) {
  while (position_ < range_.end) {
    const std::string wrong = take(out, need);
    if (wrong.empty()) {
      position_ = out->end;
      return true;
    }
    const uint64_t damaged = position_;
    position_ = find_record(*source_, damaged + 4, range_.end);
    if (damage_ == Damage::raise)
      fail(Status::format, "[", who_, "] '", source_->name(), "' is damaged at ", damaged, ": ", wrong);
    if (skipped_.records == 0) skipped_.first = text("at ", damaged, ": ", wrong);
    ++skipped_.records;
    skipped_.bytes += position_ - damaged;
  }
  return false;
}

Record RecordReader::read_at(uint64_t offset) {
  seek(offset);
  Record out;
  const std::string wrong = take(&out, places_ ? Need::data : Need::data_alone);
  if (!wrong.empty())
    fail(Status::format, "[", who_, "] no record at ", offset, " of '", source_->name(), "': ", wrong);
  position_ = out.end;
  last_read_ = out.end - out.offset + kPartHeaderBytes;
  return out;
}

// Most records of a file are about as long as others, so one read brings a record that is jumped to, and what tells that it is whole.
void RecordReader::seek(uint64_t offset) {
  position_ = offset;
  window_.set_first_piece(std::clamp(last_read_, kLeastPiece, window_.most_piece()));
}

std::string RecordReader::take(Record* out, Need need) {
  const uint64_t size = source_->bytes(), left = size - std::min(size, position_);
  if (left < kPartHeaderBytes)
    return text(left, " bytes are left; expected a header of ", kPartHeaderBytes, " bytes");
  PartHeader part;
  if (!parse_part_header(window_.get(position_, kPartHeaderBytes), &part)) return "no header of a record";
  if (!part.begins()) return "a part from the middle of a record";
  *out = Record();
  out->offset = position_;
  if (part.ends() && part.stored() > left)
    return text("a record of ", part.bytes, " bytes, but ", left - kPartHeaderBytes, " are left");
  const std::string wrong = part.ends() ? take_whole(part, out, need) : take_parts(part, out, need);
  if (!wrong.empty() || !checksums_ || need == Need::place) return wrong;
  return checksums_->check(out->offset, out->data);
}

std::string RecordReader::take_whole(const PartHeader& part, Record* out, Need need) {
  out->end = position_ + part.stored();
  out->bytes = part.bytes;
  if (need != Need::data_alone) {
    const std::string wrong = check_following(position_, out->end);
    if (!wrong.empty()) return text("a record of ", part.bytes, " bytes, ", wrong);
  }
  if (need == Need::place) return "";
  if (part.stored() <= window_.most_piece()) {
    out->data = {window_.get(position_, part.stored()) + kPartHeaderBytes, part.bytes};
    return "";
  }
  char* const joined = joined_.reserve(part.bytes);
  window_.copy(position_ + kPartHeaderBytes, joined, part.bytes);
  out->data = {joined, part.bytes};
  return "";
}

std::string RecordReader::take_parts(PartHeader part, Record* out, Need need) {
  const uint64_t size = source_->bytes();
  std::vector<uint64_t> followed;
  std::string wrong;
  for (uint64_t at = position_;;) {
    if (part.stored() > size - at) {
      wrong = text("a part of ", part.bytes, " bytes at ", at, ", but ", size - at - kPartHeaderBytes,
                   " are left");
      break;
    }
    const uint64_t end = at + part.stored();
    PartHeader following = part;
    if (!part.ends() &&
        (broken_parts_.count(end) || !parse_next(at, end, &following) || following.begins())) {
      wrong = text("a record of several parts, whose rest is missing at ", end);
      break;
    }
    if (part.ends() && need != Need::data_alone) {
      wrong = check_following(at, end);
      if (!wrong.empty())
        return text("a record of several parts, the last one of ", part.bytes, " bytes, ", wrong);
    }
    const uint64_t more = part.bytes + (part.is_before_magic() ? sizeof kRecordMagic : 0);
    if (need != Need::place) {
      char* const to = joined_.reserve(out->bytes + more, out->bytes) + out->bytes;
      window_.copy(at + kPartHeaderBytes, to, part.bytes);
      if (part.is_before_magic()) std::memcpy(to + part.bytes, &kRecordMagic, sizeof kRecordMagic);
    }
    out->bytes += more;
    if (part.ends()) {
      out->end = end;
      if (need != Need::place) out->data = {joined_.data(), out->bytes};
      return "";
    }
    followed.push_back(end);
    part = following;
    at = end;
  }
  broken_parts_.insert(followed.begin(), followed.end());
  return wrong;
}

// Behind a record another one begins, or the file ends, maybe in the middle of a header. Where that is not so, the number of bytes
// or what follows is damaged, and nobody knows which; a record that may have lost its end is not given.
std::string RecordReader::check_following(uint64_t begin, uint64_t end) {
  const uint64_t left = source_->bytes() - end;
  if (end >= range_.end || left == 0) return "";
  PartHeader following;
  if (left >= kPartHeaderBytes) {
    if (parse_next(begin, end, &following) && following.begins()) return "";
  } else {
    char rest[kPartHeaderBytes];
    source_->read(end, rest, left);
    if (std::memcmp(rest, &kRecordMagic, std::min<uint64_t>(left, sizeof kRecordMagic)) == 0) return "";
  }
  if (places_ && std::find(places_->begin(), places_->end(), end) != places_->end()) return "";
  const uint64_t inside = find_record(*source_, begin + 4, end);
  return inside < end ? text("but another one begins inside of it, at ", inside)
                      : text("but none begins behind it, at ", end);
}

bool RecordReader::parse_next(uint64_t begin, uint64_t at, PartHeader* out) {
  if (source_->bytes() - at < kPartHeaderBytes) return false;
  const uint64_t bytes = at - begin + kPartHeaderBytes;
  if (bytes <= window_.most_piece()) return parse_part_header(window_.get(begin, bytes) + (at - begin), out);
  // Where much lies between, the window stays: its bytes come first.
  char header[kPartHeaderBytes];
  source_->read(at, header, sizeof header);
  return parse_part_header(header, out);
}

}  // namespace mixgrad::io
