#include "io/batch_reader.h"

#include <cstring>
#include <new>
#include <utility>

#include "engine/caller.h"
#include "io/raw_rows.h"

namespace mixgrad::io {

BatchReader::BatchReader(std::unique_ptr<SampleOrder> order, std::shared_ptr<const BatchMaker> maker,
                         const BatchOptions& options, const char* who)
    : order_(std::move(order)),
      maker_(std::move(maker)),
      options_(options),
      who_(who),
      next_{order_->start(0), false, true} {}

void BatchReader::read(BatchWork& work) {
  if (work.from) {
    next_ = *work.from;
    halted_ = false;
  }
  work.end = next_.place;
  work.none = halted_ || next_.at_end || work.given_up.load(std::memory_order_relaxed);
  if (work.none) return;
  const Skipped before = skipped();
  const ReadFrom from = next_;
  try {
    // A disk or another machine may take its time: others of the lane go on.
    const engine::ProgramScope scope;
    read_batch(work);
  } catch (const Error& error) {
    work.unread = std::make_unique<Error>(error);
  } catch (const std::bad_alloc&) {
    work.unread = std::make_unique<Error>(Status::out_of_memory, "[" + who_ + "] no memory for a batch");
  }
  if (work.unread) {
    next_ = from;
    halted_ = true;
  }
  work.end = next_.place;
  const Skipped after = skipped();
  work.skipped = {after.records - before.records, after.bytes - before.bytes, after.first};
}

// Records that were left out so far.
Skipped BatchReader::skipped() const {
  Skipped all = order_->skipped();
  if (all.records == 0) all.first = unfit_.first;
  all.records += unfit_.records;
  all.bytes += unfit_.bytes;
  return all;
}

void BatchReader::note_damage(BatchWork& work, const Error& error, uint64_t bytes) {
  if (unfit_.records++ == 0) unfit_.first = error.message();
  unfit_.bytes += bytes;
  if (options_.damaged == BatchOptions::Damaged::raise) work.bad_records.add(work.bad_records.count(), error);
}

// Adds examples behind those that the batch has, until it is full or the epoch ends.
void BatchReader::fill(BatchWork& work, SamplePlace* from) {
  while (!work.given_up.load(std::memory_order_relaxed)) {
    try {
      if (maker_->raw()) {
        read_raw_rows(
            *order_, *maker_, from, batch(), row_of(work.data, 0, maker_->row_bytes()),
            reinterpret_cast<float*>(row_of(work.labels, 0, label_bytes())), work.ids.data(), &work.count,
            &work.left, &work.raw,
            [&](const Error& error, uint64_t bytes) { note_damage(work, error, bytes); }, who_.c_str());
      } else {
        order_->read(from, batch() - work.count, &work.raw);
        work.count = work.raw.size();
      }
      return;
    } catch (const Error& error) {
      if (error.status() != Status::format) throw;
      if (!maker_->raw()) work.count = work.raw.size();
      note_damage(work, error, 0);
    }
  }
}

void BatchReader::read_batch(BatchWork& work) {
  work.ids.assign(batch(), 0);
  work.raw.use(idle_.take());
  if (maker_->raw()) work.take_memory();
  SamplePlace& place = next_.place;
  fill(work, &place);
  // All of the epoch went into batches of the one before, which are larger than the file: it is read once more.
  if (work.count == 0 && next_.begins && place.sample > 0) {
    place = order_->start(place.epoch);
    fill(work, &place);
  }
  next_.begins = false;
  if (work.count == 0) {
    work.none = next_.at_end = true;
    return;
  }
  if (work.count < batch()) {
    next_.at_end = true;
    work.pad = batch() - work.count;
    work.take_memory();  // before records are read for it, again and again if they are few
    if (options_.round_batch) wrap(work);
  }
  for (size_t i = 0; i < work.raw.size() && !maker_->raw(); ++i) {
    const Span<const char> record = work.raw.data(i);
    if (record.size() >= ImageHeader::kBytes) std::memcpy(&work.ids[i], record.data() + 8, sizeof(uint64_t));
  }
  clear_rest(work);
}

// The batch is filled from the next epoch, which begins behind these examples.
void BatchReader::wrap(BatchWork& work) {
  const uint64_t epoch = next_.place.epoch + 1;
  next_.place = order_->start(epoch);
  while (work.count < batch() && !work.given_up.load(std::memory_order_relaxed)) {
    const size_t before = work.count;
    fill(work, &next_.place);
    if (work.count == before) next_.place = order_->start(epoch);
  }
}

void BatchReader::clear_rest(BatchWork& work) {
  if (work.count >= batch()) return;
  const size_t rest = batch() - work.count;
  std::memset(row_of(work.data, work.count, maker_->row_bytes()), 0, rest * maker_->row_bytes());
  std::memset(row_of(work.labels, work.count, label_bytes()), 0, rest * label_bytes());
}

}  // namespace mixgrad::io
