// Reading the records of batches, one batch after another.
#pragma once

#include <memory>
#include <string>

#include "io/batch_work.h"
#include "io/record_batch.h"

namespace mixgrad::io {

// What tasks that read share; one of them at a time.
class BatchReader {
 public:
  BatchReader(std::unique_ptr<SampleOrder> order, std::shared_ptr<const BatchMaker> maker,
              const BatchOptions& options, const char* who);

  // The records of the next batch. Damaged ones are left out and noted, or counted, as the options say. Where a source cannot be
  // read the work says so, and nothing is read until a work says from where.
  void read(BatchWork& work);
  // The records of a batch whose rows are made have done their work. Any thread.
  void forget_records(BatchWork& work) { idle_.give(work.raw.give_up()); }

  // For all threads: what does not change, and what is read at the moment.
  const SampleOrder& order() const { return *order_; }
  const std::string& who() const { return who_; }
  engine::Var* var() const { return var_.get(); }

 private:
  size_t batch() const { return static_cast<size_t>(options_.batch_size); }
  size_t label_bytes() const { return static_cast<size_t>(maker_->label_width()) * sizeof(float); }
  Skipped skipped() const;
  void note_damage(BatchWork& work, const Error& error, uint64_t bytes);
  void read_batch(BatchWork& work);
  void fill(BatchWork& work, SamplePlace* from);
  void wrap(BatchWork& work);
  void clear_rest(BatchWork& work);

  const std::unique_ptr<SampleOrder> order_;
  const std::shared_ptr<const BatchMaker> maker_;
  const BatchOptions options_;
  const std::string who_;
  const Ref<BatchTag> var_ = new_batch_tag();
  BatchMemory idle_;  // of records
  ReadFrom next_;
  bool halted_ = false;
  Skipped unfit_;  // what the order did not leave out itself
};

}  // namespace mixgrad::io
