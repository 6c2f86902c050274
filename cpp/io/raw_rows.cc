#include "io/raw_rows.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "io/decoder.h"

#if defined(__linux__)
#include <sys/uio.h>
#endif

namespace mixgrad::io {
namespace {

constexpr size_t kHeadBytes = kPartHeaderBytes + ImageHeader::kBytes;
constexpr size_t kMostRows = 256;  // of one call, with two pieces each
constexpr size_t kLongRawRow = 16 << 10;

// How a record of `row` bytes lies in the file.
uint64_t stored_bytes(size_t row) {
  return PartHeader{PartRole::whole, static_cast<uint32_t>(ImageHeader::kBytes + row)}.stored();
}

// Heads and rows of records at these offsets, which follow one another `stored` bytes apart. False: the source is no local file, or
// gave less.
bool read_run(ByteSource& source, uint64_t offset, size_t count, uint64_t stored, size_t row, char* heads,
              char* rows) {
#if defined(__linux__)
  const int descriptor = source.descriptor();
  if (descriptor < 0) return false;
  iovec pieces[3 * kMostRows];
  static thread_local char tail[4];  // zeros between records
  size_t used = 0, total = 0;
  for (size_t i = 0; i < count; ++i) {
    pieces[used++] = {heads + i * kHeadBytes, kHeadBytes};
    pieces[used++] = {rows + i * row, row};
    const size_t rest = static_cast<size_t>(stored) - kHeadBytes - row;
    if (rest > 0 && i + 1 < count) pieces[used++] = {tail, rest};
    total += kHeadBytes + row + (i + 1 < count ? rest : 0);
  }
  size_t first = 0;
  while (total > 0) {
    const ssize_t got =
        preadv(descriptor, pieces + first, static_cast<int>(used - first), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    total -= static_cast<size_t>(got);
    offset += static_cast<uint64_t>(got);
    // A part of the pieces may be full now.
    for (auto left = static_cast<size_t>(got); left > 0;) {
      if (left >= pieces[first].iov_len) {
        left -= pieces[first++].iov_len;
      } else {
        pieces[first].iov_base = static_cast<char*>(pieces[first].iov_base) + left;
        pieces[first].iov_len -= left;
        left = 0;
      }
    }
  }
  return true;
#else
  return false;
#endif
}

// Whether a head is that of a whole record of so many bytes with one label.
bool fits(const char* head, size_t row) {
  PartHeader part;
  uint32_t flag;
  std::memcpy(&flag, head + kPartHeaderBytes, sizeof flag);
  return parse_part_header(head, &part) && part.role == PartRole::whole &&
         part.bytes == ImageHeader::kBytes + row && flag == 0;
}

// Whether a record begins at `offset`, or the file ends there: else the one before it may have lost bytes.
bool begins_or_ends(ByteSource& source, uint64_t offset) {
  const uint64_t left = source.bytes() - offset;
  if (left < kPartHeaderBytes) return left == 0;
  char head[kPartHeaderBytes];
  source.read(offset, head, sizeof head);
  PartHeader part;
  return parse_part_header(head, &part) && part.begins();
}

}  // namespace

bool leaves_rows(const ByteSource& source, const BatchMaker& maker) {
  return maker.raw() && source.descriptor() >= 0 && maker.row_bytes() >= kLongRawRow;
}

void read_raw_rows(SampleOrder& order, const BatchMaker& maker, SamplePlace* place, size_t count, char* rows,
                   float* labels, uint64_t* ids, size_t* have, std::vector<RawRow>* left, RawRecords* room,
                   const UnfitRecord& unfit, const char* who) {
  size_t& taken = *have;
  const size_t row = maker.row_bytes(), width = static_cast<size_t>(maker.label_width());
  const uint64_t stored = row < kMostPartBytes - ImageHeader::kBytes ? stored_bytes(row) : 0;
  const bool leaves = leaves_rows(*order.source(), maker);
  std::vector<char> heads(kHeadBytes * std::min(count, kMostRows));
  while (taken < count) {
    size_t run = 0;
    if (stored > 0) {
      const std::vector<uint64_t> offsets = order.guess(*place, std::min(count - taken, kMostRows), stored);
      while (run < offsets.size() && (leaves || offsets[run] == offsets[0] + run * stored) &&
             offsets[run] + stored <= order.source()->bytes())
        ++run;
      if (run > 0) order.note_reading(offsets[0]);
      if (run > 0 && !leaves &&
          !read_run(*order.source(), offsets[0], run, stored, row, heads.data(), rows + taken * row))
        run = 0;
      size_t good = 0;
      for (; good < run; ++good) {
        char* const head = heads.data() + good * kHeadBytes;
        if (leaves) order.source()->read(offsets[good], head, kHeadBytes);
        if (!fits(head, row)) break;
      }
      const auto is_followed = [&](size_t i) {
        const uint64_t end = offsets[i] + stored;
        return (i + 1 < good && offsets[i + 1] == end) || begins_or_ends(*order.source(), end);
      };
      for (size_t i = 0; i < good; ++i)
        if (!is_followed(i)) good = i;
      for (size_t i = 0; i < good; ++i) {
        const char* const head = heads.data() + i * kHeadBytes;
        const ImageHeader header =
            parse_image_header({head + kPartHeaderBytes, ImageHeader::kBytes}, who, "", offsets[i]);
        try {
          maker.make_labels(header, labels + taken * width);
        } catch (const Error&) {
          good = i;  // below it is named, or left out and counted
          break;
        }
        if (leaves) left->push_back({offsets[i] + kHeadBytes, taken});
        ids[taken++] = header.id;
      }
      order.take(place, good, stored);
      if (good > 0 && good == run) continue;
    }
    // A record that is something else: in several parts, with more labels, of another size, or none.
    room->clear();
    if (order.read(place, 1, room) == 0) break;
    const RawSample& sample = (*room)[0];
    const std::string& name = order.source()->name();
    try {
      const ImageHeader header = parse_image_header(room->data(0), who, name.c_str(), sample.offset);
      try {
        maker.make(sample, header, rows + taken * row, labels + taken * width);
      } catch (const Error& error) {
        throw placed(error, text("'", name, "' at ", sample.offset, ", record ", header.id));
      }
      ids[taken++] = header.id;
    } catch (const Error& error) {
      unfit(error, sample.bytes);
    }
  }
}

}  // namespace mixgrad::io
