#include "io/record_batch.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"

namespace mixgrad::io {
namespace {

constexpr size_t kBlock = 32;  // records that one thread reads one after another into one piece of memory
constexpr uint64_t kLong = 1 << 20, kMostIdle = 64 << 20;

}  // namespace

ReusedMemory BatchMemory::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.empty()) return {};
  ReusedMemory memory = std::move(idle_.back());
  idle_.pop_back();
  idle_bytes_ -= memory.capacity();
  return memory;
}

void BatchMemory::give(ReusedMemory memory) {
  if (memory.capacity() == 0) return;  // it would be taken in place of some that is there
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_bytes_ + memory.capacity() > kMostIdle) return;
  idle_bytes_ += memory.capacity();
  idle_.push_back(std::move(memory));
}

RecordBatch::~RecordBatch() {
  for (ReusedMemory& block : blocks_) memory_->give(std::move(block));
}

RecordBatch::RecordBatch(const SourceRef& source, Span<const uint64_t> offsets, Damage damage,
                         const std::string& who, const RecordChecksums* checksums,
                         std::shared_ptr<BatchMemory> memory, Skipped* skipped)
    : memory_(std::move(memory)), items_(offsets.size()), blocks_((offsets.size() + kBlock - 1) / kBlock) {
  std::vector<std::string> wrong(offsets.size());
  const TeamScope team(blocks_.size() > 1);
  parallel_for(static_cast<int64_t>(blocks_.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      read_block(source, offsets, static_cast<size_t>(i), who, checksums, wrong);
  });
  for (const std::string& message : wrong) {
    if (message.empty()) continue;
    if (damage == Damage::raise) throw Error(Status::format, message);
    if (skipped->records++ == 0) skipped->first = message;
  }
}

void RecordBatch::read_block(const SourceRef& source, Span<const uint64_t> offsets, size_t block,
                             const std::string& who, const RecordChecksums* checksums,
                             std::vector<std::string>& wrong) {
  RecordReader reader(source, {0, source->bytes()}, Damage::raise, who);
  reader.set_checksums(checksums);
  ReusedMemory& memory = blocks_[block] = memory_->take();
  uint64_t used = 0;
  const size_t end = std::min(offsets.size(), (block + 1) * kBlock);
  for (size_t i = block * kBlock; i < end; ++i) {
    try {
      const Record record = reader.read_at(offsets[i]);
      if (record.bytes > 0) {
        // The others are probably as long; records of many megabytes take what they need.
        const uint64_t others = used == 0 && record.bytes < kLong ? record.bytes * (end - i - 1) : 0;
        std::memcpy(memory.reserve(used + record.bytes + others, used) + used, record.data.data(),
                    record.bytes);
      }
      items_[i] = {used, record.bytes, true};
      used += record.bytes;
    } catch (const Error& error) {
      if (error.status() != Status::format) throw;
      wrong[i] = error.message();
    }
  }
}

Span<const char> RecordBatch::at(size_t index) const {
  const Item& item = items_[index];
  return {blocks_[index / kBlock].data() + item.begin, item.bytes};
}

}  // namespace mixgrad::io
