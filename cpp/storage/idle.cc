#include "storage/idle.h"

#include <algorithm>

namespace mixgrad::storage {
namespace {

// Of a bucket at most this many entries are looked at, so that a request takes bounded time.
constexpr std::size_t kIdleProbes = 64;

std::size_t idle_bucket(std::size_t capacity) {
  const int power = 63 - __builtin_clzll(capacity);
  return static_cast<std::size_t>(power) * 8 + (capacity >> (power - 3) & 7);
}

}  // namespace

IdleBlocks::Entry IdleBlocks::take(std::size_t capacity, std::size_t most) {
  std::size_t best_bucket = 0, best_index = 0, best = 0;
  for (std::size_t bucket = idle_bucket(capacity); bucket <= idle_bucket(most); ++bucket) {
    const std::vector<Entry>& entries = buckets_[bucket];
    const std::size_t stop = entries.size() - std::min(entries.size(), kIdleProbes);
    for (std::size_t i = entries.size(); i-- > stop;) {
      const std::size_t size = entries[i].capacity;
      if (size == capacity) return remove(bucket, i);
      if (size > capacity && size <= most && (best == 0 || size < best)) {
        best = size;
        best_bucket = bucket;
        best_index = i;
      }
    }
    if (best) break;  // later buckets hold larger blocks only
  }
  return best ? remove(best_bucket, best_index) : Entry();
}

void IdleBlocks::put(void* data, std::size_t capacity) {
  buckets_[idle_bucket(capacity)].push_back({data, capacity, clock_++});
  bytes_ += capacity;
}

IdleBlocks::Entry IdleBlocks::take_oldest() {
  std::size_t oldest = buckets_.size();
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    if (buckets_[bucket].empty()) continue;
    if (oldest == buckets_.size() || buckets_[bucket][0].age < buckets_[oldest][0].age) oldest = bucket;
  }
  return oldest < buckets_.size() ? remove(oldest, 0) : Entry();
}

IdleBlocks::Entry IdleBlocks::remove(std::size_t bucket, std::size_t index) {
  std::vector<Entry>& entries = buckets_[bucket];
  const Entry entry = entries[index];
  entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(index));
  bytes_ -= entry.capacity;
  return entry;
}

}  // namespace mixgrad::storage
