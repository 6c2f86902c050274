// Batches of a record file, made ahead by tasks of the engine: one reads records, several decode and augment, one finishes.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "array/array.h"
#include "io/batch_maker.h"
#include "io/raw_rows.h"
#include "io/sample_order.h"

namespace mixgrad::io {

struct PlacedBatch {
  ArrayRef data, labels;
  size_t pad = 0;             // examples at the end that only fill the batch
  std::vector<uint64_t> ids;  // numbers of the records
};

// From where batches go on: the epoch that the program is in, and the place of the next example, which may be in the next epoch
// already.
struct BatchPlace {
  uint64_t epoch = 0;
  SamplePlace next;
  bool taken = false;  // some batch of the epoch was given out
};

// What stands between tasks and the program, for one batch.
struct BatchWork;

// Belongs to one thread at a time. What a batch holds follows from options, epoch and place alone.
class Batches {
 public:
  Batches(std::unique_ptr<SampleOrder> order, std::unique_ptr<BatchMaker> maker, const BatchOptions& options,
          const char* who);
  ~Batches();
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  // The next batch; false at the end of the epoch. Waits until its records are read, not for the arrays; with
  // BatchOptions::Damaged::skip for these, too, since what is left out decides how many examples there are. Throws what is wrong
  // with a record, after which the next call goes on behind it; Status::io where a read takes longer than stall_seconds;
  // Status::stopped when the wait was interrupted.
  bool next(PlacedBatch* out);
  // The next epoch, or this one again from where it began if nothing was taken of it.
  void reset();
  BatchPlace place() const;
  void set_place(const BatchPlace& place);
  // Records and pictures that were left out, of batches that were given out.
  const Skipped& skipped() const { return skipped_; }

 private:
  void push_batch();
  void take(const std::shared_ptr<BatchWork>& work);
  void forget_ahead();
  void wait(BatchWork& work, bool finished);

  struct Reader;
  const std::shared_ptr<Reader> reader_;
  const std::shared_ptr<const BatchMaker> maker_;
  const BatchOptions options_;
  const std::string who_;
  std::deque<std::shared_ptr<BatchWork>> ahead_, given_;  // not given out yet; given out and not finished yet
  uint64_t epoch_ = 0;
  SamplePlace begin_, next_;  // where the epoch began; behind what was given out
  bool taken_ = false;        // something of the epoch was given out
  Skipped skipped_;
  Skipped seen_records_;  // what the order had left out when the last batch was given out
};

}  // namespace mixgrad::io
