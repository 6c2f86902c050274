// What stands between tasks and the program, for one batch: memory, records, and what is wrong with single ones.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "array/array.h"
#include "base/error.h"
#include "io/batch_maker.h"
#include "io/raw_rows.h"

namespace mixgrad::io {

class BatchTag final : public engine::Var {};
inline Ref<BatchTag> new_batch_tag() { return Ref<BatchTag>::adopt(new BatchTag); }

// Records and pictures of a batch that are left out, the first ones by what is wrong with them.
class BatchDamage {
 public:
  // Damage of later places than `most` others is counted only.
  void add(size_t place, const Error& error);
  size_t count() const { return count_; }
  // What was wrong first; empty where nothing was.
  std::string first() const { return kept_.empty() ? std::string() : kept_.begin()->second.message(); }
  // The next one that was not told yet; the last one that is kept speaks for those that are not.
  std::optional<Error> tell();

 private:
  static constexpr size_t most = 16;
  std::multimap<size_t, Error> kept_;
  size_t count_ = 0, told_ = 0;
};

// Where reading begins anew.
struct ReadFrom {
  SamplePlace place;
  bool at_end;  // the epoch has no more
  bool begins;  // the next batch is the first of its epoch
};

// Of an iterator's tasks that read rows, one at a time is one of these.
struct RowReader {
  static constexpr uint64_t idle = ~uint64_t{0};
  const Ref<BatchTag> tag = new_batch_tag();
  std::atomic<uint64_t> reading{idle};  // where the numbers of its row lie
};

struct BatchWork {
  Ref<BatchTag> read = new_batch_tag();
  std::vector<Ref<BatchTag>> parts;  // one per task that makes rows
  Ref<Chunk> data, labels;           // until it is finished
  ArrayRef data_array, label_array;
  RawRecords raw;
  std::optional<ReadFrom> from;  // in place of where the batch before ended
  std::atomic<size_t> next_row{0};
  std::atomic<bool> given_up{false};

  // Written by the task that reads, then constant.
  size_t count = 0, pad = 0;
  bool none = false;  // the epoch has no more
  std::unique_ptr<Error> unread;
  SamplePlace end;
  std::vector<uint64_t> ids;
  std::vector<RawRow> left;
  Skipped skipped;  // records, by this batch
  BatchDamage bad_records;

  // Of single rows, by tasks that make them.
  std::mutex mutex;
  std::condition_variable changed;
  bool read_done = false, finished = false;
  std::vector<char> bad;
  BatchDamage bad_rows;
  BatchDamage unread_rows;  // the first of these becomes `unread`

  void note(size_t row, const Error& error) {
    const std::lock_guard<std::mutex> guard(mutex);
    bad[row] = 1;
    bad_rows.add(row, error);
  }
  // Memory of the batch, by whoever needs it first: a batch that waits for its turn holds its records only.
  void take_memory() {
    data->ensure();
    labels->ensure();
  }
  void set(bool BatchWork::*flag) {
    const std::lock_guard<std::mutex> guard(mutex);
    this->*flag = true;
    changed.notify_all();
  }
};

char* row_of(const Ref<Chunk>& chunk, size_t row, size_t bytes);

// Rows of the batch, one after another, as long as there are some that no other task has taken.
void make_rows(BatchWork& work, const BatchMaker& maker, const std::string& source, const std::string& who);
// Those that were left, of so many bytes, straight from the source.
void read_rows(BatchWork& work, size_t bytes, ByteSource& source, RowReader& reader);
// Once all rows are made: those that are damaged are left out, and it is said that the batch is finished.
void finish_rows(BatchWork& work, const BatchMaker& maker);

}  // namespace mixgrad::io
