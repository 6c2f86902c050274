#include "io/batch_work.h"

#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "engine/caller.h"
#include "io/decoder.h"

namespace mixgrad::io {
namespace {

// Whole rows move to the front, and the places behind them repeat these.
void close_gaps(BatchWork& work, const BatchMaker& maker) {
  const size_t bytes = maker.row_bytes();
  const size_t label_bytes = static_cast<size_t>(maker.label_width()) * sizeof(float);
  const auto copy = [&](size_t from, size_t to) {
    if (from == to) return;
    std::memcpy(row_of(work.data, to, bytes), row_of(work.data, from, bytes), bytes);
    std::memcpy(row_of(work.labels, to, label_bytes), row_of(work.labels, from, label_bytes), label_bytes);
    work.ids[to] = work.ids[from];
  };
  size_t whole = 0;
  const size_t own = work.ids.size() - work.pad;
  size_t lost = 0;  // of the examples that are not there only to fill the batch
  for (size_t row = 0; row < work.count; ++row) {
    if (!work.bad[row]) {
      copy(row, whole++);
    } else if (row < own) {
      ++lost;
    }
  }
  for (size_t row = whole; row < work.count && whole > 0; ++row)
    copy(row - whole < whole ? row - whole : 0, row);
  work.pad += lost;  // where that is all of the batch nobody gets it
}

// Several tasks of a batch begin at once; the first one takes the memory, unless the reader had to. False where there is none.
bool finds_memory(BatchWork& work, const std::string& who) {
  const std::lock_guard<std::mutex> guard(work.mutex);
  if (work.unread_rows.count() > 0) return false;
  try {
    work.take_memory();
    return true;
  } catch (const Error& error) {
    work.unread_rows.add(0, error);
  } catch (const std::bad_alloc&) {
    work.unread_rows.add(0, Error(Status::out_of_memory, "[" + who + "] no memory for a batch"));
  }
  return false;
}

}  // namespace

void BatchDamage::add(size_t place, const Error& error) {
  ++count_;
  kept_.emplace(place, error);
  if (kept_.size() > most) kept_.erase(std::prev(kept_.end()));
}

std::optional<Error> BatchDamage::tell() {
  if (told_ == kept_.size()) return std::nullopt;
  const Error& error = std::next(kept_.begin(), static_cast<std::ptrdiff_t>(told_++))->second;
  const size_t others = count_ - kept_.size();
  if (told_ < kept_.size() || others == 0) return error;
  return Error(error.status(), text(error.message(), "; ", others, " more of this batch are damaged"));
}

char* row_of(const Ref<Chunk>& chunk, size_t row, size_t bytes) {
  return static_cast<char*>(chunk->data()) + row * bytes;
}

void make_rows(BatchWork& work, const BatchMaker& maker, const std::string& source, const std::string& who) {
  if (work.none || work.unread || work.given_up.load(std::memory_order_relaxed) || !finds_memory(work, who))
    return;
  const size_t label_bytes = static_cast<size_t>(maker.label_width()) * sizeof(float);
  for (;;) {
    const size_t row = work.next_row.fetch_add(1, std::memory_order_relaxed);
    if (row >= work.raw.size() || work.given_up.load(std::memory_order_relaxed)) return;
    const RawSample& sample = work.raw[row];
    try {
      const ImageHeader header =
          parse_image_header(work.raw.data(row), who.c_str(), source.c_str(), sample.offset);
      try {
        maker.make(sample, header, row_of(work.data, row, maker.row_bytes()),
                   reinterpret_cast<float*>(row_of(work.labels, row, label_bytes)));
      } catch (const Error& error) {
        throw placed(error, text("'", source, "' at ", sample.offset, ", record ", header.id));
      }
    } catch (const Error& error) {
      work.note(row, error);
    } catch (const std::bad_alloc&) {
      work.note(row, Error(Status::out_of_memory, "[" + who + "] no memory for a picture"));
    }
  }
}

void read_rows(BatchWork& work, size_t bytes, ByteSource& source, RowReader& reader) {
  if (work.none || work.unread) return;
  // A disk may take its time: others of the lane go on.
  const engine::ProgramScope scope;
  for (;;) {
    const size_t next = work.next_row.fetch_add(1, std::memory_order_relaxed);
    if (next >= work.left.size() || work.given_up.load(std::memory_order_relaxed)) break;
    const RawRow& row = work.left[next];
    reader.reading.store(row.offset, std::memory_order_relaxed);
    try {
      source.read(row.offset, row_of(work.data, row.row, bytes), bytes);
    } catch (const Error& error) {
      const std::lock_guard<std::mutex> guard(work.mutex);
      // Of several the first one is told: all rows before one that was taken have been taken, too.
      work.unread_rows.add(next, error);
      break;
    }
  }
  reader.reading.store(RowReader::idle, std::memory_order_relaxed);
}

void finish_rows(BatchWork& work, const BatchMaker& maker) {
  struct Done {
    BatchWork& work;
    ~Done() {
      work.data = work.labels = Ref<Chunk>();
      work.set(&BatchWork::finished);
    }
  } done{work};
  if (const std::optional<Error> error = work.unread_rows.tell())
    work.unread = std::make_unique<Error>(*error);
  if (work.none || work.unread || work.bad_rows.count() == 0) return;
  if (!work.given_up.load(std::memory_order_relaxed)) close_gaps(work, maker);
}

}  // namespace mixgrad::io
