// Batches of a record file, made ahead by tasks of the engine: one reads records, several decode and augment, one finishes.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "io/batch_reader.h"

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

// Belongs to one thread at a time. What a batch holds follows from options, epoch and place alone.
class Batches {
 public:
  Batches(std::unique_ptr<SampleOrder> order, std::unique_ptr<BatchMaker> maker, const BatchOptions& options,
          const char* who);
  ~Batches();
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  // The next batch, once its rows are made; false at the end of the epoch. Throws what is wrong with a record or a picture of it,
  // one after another: then the next call goes on, at last with the batch, which lacks them. Throws Status::io where the source
  // cannot be read, or gives nothing for stall_seconds, and Status::stopped when the wait was interrupted: then nothing is lost,
  // and the next call tries again.
  bool next(PlacedBatch* out);
  // The next epoch, or this one again from where it began if nothing was taken of it. Waits for nothing.
  void reset();
  // Before a batch whose damage was thrown it is still that of the batch.
  BatchPlace place() const;
  void set_place(const BatchPlace& place);
  // Records and pictures that were left out, of batches that were given out.
  const Skipped& skipped() const { return skipped_; }

 private:
  void push_batch();
  void take(const std::shared_ptr<BatchWork>& work);
  void go_to(const ReadFrom& from);
  void wait(BatchWork& work, bool finished);
  std::optional<uint64_t> reading_row() const;

  std::shared_ptr<BatchReader> reader_;
  const std::shared_ptr<const BatchMaker> maker_;
  const BatchOptions options_;
  const std::string who_;
  std::deque<std::shared_ptr<BatchWork>> ahead_;  // not given out yet
  // Of raw records: each of the tasks that read rows holds one, so that no more run at once, of all batches, although a task that
  // reads leaves its place in the lane.
  std::vector<std::shared_ptr<RowReader>> row_readers_;
  std::optional<ReadFrom> from_;  // for the next batch that is read
  uint64_t epoch_ = 0;
  SamplePlace begin_, next_;  // where the epoch began; behind what was given out
  bool taken_ = false;        // something of the epoch was given out
  Skipped skipped_;
};

}  // namespace mixgrad::io
