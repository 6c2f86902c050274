// In which order an epoch takes the records of a file, and reading them in it. The order follows from the seed and the number of the
// epoch.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "io/read_window.h"
#include "io/record_reader.h"
#include "kernels/random/random.h"

namespace mixgrad::io {

// Where reading goes on. Numbers that an order has no use for stay 0.
struct SamplePlace {
  uint64_t epoch = 0;
  uint64_t sample = 0;  // of the epoch: how many were read before
  uint64_t offset = 0;  // in the file, of records in their order
  uint64_t chunk = 0, inside = 0;
};

// A record in memory, and which sample it is.
struct RawSample {
  uint64_t epoch, sample, offset;
  uint64_t begin, bytes;  // in the memory
};

// The records of a batch. Memory is used again.
class RawRecords {
 public:
  void clear() {
    samples_.clear();
    used_ = 0;
  }
  // Memory that other records had, before any of these is added; and the reverse, once nobody needs these.
  void use(ReusedMemory memory) { memory_ = std::move(memory); }
  ReusedMemory give_up() {
    clear();
    return std::move(memory_);
  }
  char* add(const SamplePlace& place, uint64_t offset, uint64_t bytes);
  // Memory behind the records for bytes of a file, in which further records are then found where they lie.
  char* begin_piece(uint64_t bytes) { return memory_.reserve(used_ + bytes, used_) + used_; }
  void add_found(const SamplePlace& place, uint64_t offset, uint64_t begin, uint64_t bytes) {
    samples_.push_back({place.epoch, place.sample, offset, used_ + begin, bytes});
  }
  void end_piece(uint64_t bytes) { used_ += bytes; }
  size_t size() const { return samples_.size(); }
  const RawSample& operator[](size_t i) const { return samples_[i]; }
  Span<const char> data(size_t i) const { return {memory_.data() + samples_[i].begin, samples_[i].bytes}; }

 private:
  ReusedMemory memory_;
  uint64_t used_ = 0;
  std::vector<RawSample> samples_;
};

class SampleOrder {
 public:
  virtual ~SampleOrder() = default;
  // Where an epoch begins.
  virtual SamplePlace start(uint64_t epoch) const;
  // Whether reading may go on there: a place of another file or of another order is none of this one.
  virtual bool has(const SamplePlace& place) const = 0;
  // Adds up to `count` records from `place` on, which moves behind them; fewer at the end of the epoch, without going on. Throws
  // Status::format for a damaged record, with the place behind it, unless these are skipped.
  virtual size_t read(SamplePlace* place, size_t count, RawRecords* out) = 0;
  // Where the next `count` records lie, if each takes `stored` bytes in the file; fewer at the end of what is known. The place
  // moves when they are taken.
  virtual std::vector<uint64_t> guess(const SamplePlace& place, size_t count, uint64_t stored);
  virtual void take(SamplePlace* place, size_t count, uint64_t stored);

  const Skipped& skipped() const { return skipped_; }
  const SourceRef& source() const { return source_; }
  // Of the record that is being read, for who wonders why it takes so long. Any thread.
  uint64_t reading() const { return reading_.load(std::memory_order_relaxed); }
  void note_reading(uint64_t offset) { reading_.store(offset, std::memory_order_relaxed); }

 protected:
  SampleOrder(SourceRef source, Damage damage, std::string who)
      : source_(std::move(source)), damage_(damage), who_(std::move(who)) {}
  void note_damage(const std::string& what, uint64_t bytes);

  const SourceRef source_;
  const Damage damage_;
  const std::string who_;
  Skipped skipped_;
  std::atomic<uint64_t> reading_{0};
};

// Objects belong to one thread at a time.
std::unique_ptr<SampleOrder> file_order(SourceRef source, RecordRange range, Damage damage,
                                        const std::string& who);
// Records at these offsets; with a shuffle in another order each epoch.
std::unique_ptr<SampleOrder> index_order(SourceRef source, std::vector<uint64_t> offsets, bool shuffle,
                                         uint64_t seed, Damage damage, const std::string& who);
// Pieces of the range of about `chunk_bytes` in another order each epoch, and within each its records.
std::unique_ptr<SampleOrder> chunk_order(SourceRef source, RecordRange range, uint64_t chunk_bytes,
                                         uint64_t seed, Damage damage, const std::string& who);

// A permutation of the numbers below `size`, the same for the same key.
std::vector<uint32_t> permutation(const RandomKey& key, size_t size);

}  // namespace mixgrad::io
