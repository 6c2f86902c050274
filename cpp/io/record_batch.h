// Records at many offsets, read by several threads.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/record_checksums.h"
#include "io/record_reader.h"

namespace mixgrad::io {

// Memory of batches that are gone, for the next ones: fresh pages cost more than reading into them. Any thread.
class BatchMemory {
 public:
  ReusedMemory take();
  void give(ReusedMemory memory);

 private:
  std::mutex mutex_;
  std::vector<ReusedMemory> idle_;
  uint64_t idle_bytes_ = 0;
};

class RecordBatch {
 public:
  // Reads and waits; the team of threads takes part if it is free. With Damage::raise the first damaged record in the order of the
  // offsets is thrown, as RecordReader::read_at does; else it is not there, and counted in `skipped`. `checksums` may be null.
  RecordBatch(const SourceRef& source, Span<const uint64_t> offsets, Damage damage, const std::string& who,
              const RecordChecksums* checksums, std::shared_ptr<BatchMemory> memory, Skipped* skipped);
  ~RecordBatch();
  RecordBatch(const RecordBatch&) = delete;
  RecordBatch& operator=(const RecordBatch&) = delete;

  size_t size() const { return items_.size(); }
  // False where a damaged record was left out.
  bool has(size_t index) const { return items_[index].there; }
  Span<const char> at(size_t index) const;

 private:
  struct Item {
    uint64_t begin = 0, bytes = 0;  // in the memory of its block
    bool there = false;
  };
  void read_block(const SourceRef& source, Span<const uint64_t> offsets, size_t block, const std::string& who,
                  const RecordChecksums* checksums, std::vector<std::string>& wrong);

  const std::shared_ptr<BatchMemory> memory_;
  std::vector<Item> items_;
  std::vector<ReusedMemory> blocks_;
};

}  // namespace mixgrad::io
