// The fast path: each thread keeps a stack of free blocks per size class and device.
#include <algorithm>
#include <cstring>
#include <new>

#include "base/build.h"
#include "base/fresh_memory.h"
#include "storage/block.h"
#include "storage/failure_rules.h"
#include "storage/guard.h"
#include "storage/owned_block.h"
#include "storage/poison.h"
#include "storage/pool.h"

namespace mixgrad::storage {
namespace {

constexpr int kMagazineBlocks = 64;
constexpr std::size_t kMagazineBytes = std::size_t{64} << 10;
// A thread's bytes in use become visible to the peak of the device in steps of this size.
constexpr std::int64_t kPublishBytes = std::int64_t{64} << 10;
constexpr std::uint64_t kNoDevice = ~std::uint64_t{0};

struct Magazine {
  int count = 0;
  int capacity = 0;
  void* blocks[kMagazineBlocks];
};

// What one thread caches of one pool. Only that thread touches it, but for the counters.
struct alignas(64) ThreadCache {
  std::uint64_t key = kNoDevice;
  std::uint64_t epoch = 0;
  ThreadCounters counters;
  Pool* pool = nullptr;
  ThreadCache* next = nullptr;  // the thread's cache for another device
  Magazine magazines[kSizeClasses];

  void count_allocation(std::size_t bytes) {
    const std::int64_t in_use = add(counters.in_use, static_cast<std::int64_t>(bytes));
    add(counters.allocations, std::uint64_t{1});
    if (in_use > counters.high.load(std::memory_order_relaxed)) {
      counters.high.store(in_use, std::memory_order_relaxed);
      if (in_use >= kPublishBytes) pool->publish(&counters);
    }
  }
  void count_release(std::size_t bytes) {
    const std::int64_t in_use = add(counters.in_use, -static_cast<std::int64_t>(bytes));
    add(counters.releases, std::uint64_t{1});
    if (in_use <= -kPublishBytes) pool->publish(&counters);
  }

 private:
  // One writer: a plain load and store suffice.
  template <class T>
  static T add(std::atomic<T>& number, T value) {
    const T sum = number.load(std::memory_order_relaxed) + value;
    number.store(sum, std::memory_order_relaxed);
    return sum;
  }
};

// Matches no device, so that the fast path needs no test for null.
ThreadCache no_cache;

thread_local ThreadCache* recent_cache = &no_cache;  // of the device this thread used last

void empty_magazines(ThreadCache* cache) noexcept {
  for (int i = 0; i < kSizeClasses; ++i) {
    Magazine& magazine = cache->magazines[i];
    if (magazine.count == 0) continue;
    cache->pool->give_small(i, magazine.blocks, magazine.count);
    magazine.count = 0;
  }
}

thread_local bool thread_ending = false;

// The thread's caches; at its end they go back to the pools, and later blocks pass by them.
struct CacheList {
  ThreadCache* first = nullptr;

  ~CacheList() {
    thread_ending = true;
    recent_cache = &no_cache;
    while (ThreadCache* cache = first) {
      first = cache->next;
      empty_magazines(cache);
      cache->pool->remove_thread(&cache->counters);
      delete cache;
    }
  }
};

thread_local CacheList cache_list;

// The thread's cache for `pool`, made at first use and then the recent one. Null for a thread that is ending,
// for pools that keep nothing idle, and when there is no memory for it.
ThreadCache* cache_for(Pool& pool) noexcept {
  if (thread_ending || !pool.has_slabs()) return nullptr;
  CacheList& list = cache_list;
  ThreadCache* cache = list.first;
  while (cache && cache->pool != &pool) cache = cache->next;
  if (!cache) {
    cache = new (std::nothrow) ThreadCache;
    if (!cache) return nullptr;
    cache->pool = &pool;
    cache->key = pool.device().key();
    cache->epoch = pool.epoch();
    for (int i = 0; i < kSizeClasses; ++i) {
      const std::size_t fitting = kMagazineBytes / size_of_class(i);
      cache->magazines[i].capacity = static_cast<int>(std::clamp<std::size_t>(fitting, 4, kMagazineBlocks));
    }
    try {
      pool.add_thread(&cache->counters);
    } catch (const std::bad_alloc&) {
      delete cache;
      return nullptr;
    }
    cache->next = list.first;
    list.first = cache;
  }
  if (cache->epoch != pool.epoch()) {
    cache->epoch = pool.epoch();
    empty_magazines(cache);
  }
  recent_cache = cache;
  return cache;
}

Block allocate_small(Pool& pool, std::size_t bytes, const char** refusal) {
  const int size_class = size_class_of(bytes);
  const std::size_t capacity = size_of_class(size_class);
  ThreadCache* cache = cache_for(pool);
  void* data = nullptr;
  if (cache) {
    Magazine& magazine = cache->magazines[size_class];
    if (magazine.count == 0) {
      magazine.count = pool.take_small(size_class, magazine.blocks, magazine.capacity / 2, refusal);
      if (magazine.count == 0) return {};
    }
    data = magazine.blocks[--magazine.count];
    cache->count_allocation(capacity);
  } else {
    if (pool.take_small(size_class, &data, 1, refusal) == 0) return {};
    pool.count_small(static_cast<std::int64_t>(capacity));
  }
  unpoison(data, bytes);
  return {data, bytes, capacity, pool.device(), nullptr};
}

Block allocate_whole(Pool& pool, std::size_t bytes, Stream* stream, bool* fresh, const char** refusal) {
  ThreadCache* cache = cache_for(pool);
  Block block{nullptr, bytes, 0, pool.device(), nullptr};
  block.data =
      pool.take_whole(bytes, stream, cache ? &cache->counters : nullptr, &block.capacity, fresh, refusal);
  return block;
}

void release_small(Pool& pool, const Block& block) noexcept {
  const int size_class = size_class_of(block.capacity);
  expect_owned(block.data);
  poison(block.data, block.capacity);
  ThreadCache* cache = cache_for(pool);
  if (!cache) {
    pool.give_small(size_class, &block.data, 1);
    pool.count_small(-static_cast<std::int64_t>(block.capacity));
    return;
  }
  Magazine& magazine = cache->magazines[size_class];
  if (magazine.count == magazine.capacity) {
    // The older half goes; the later blocks are the ones still in the processor's caches.
    const int half = magazine.capacity / 2;
    pool.give_small(size_class, magazine.blocks, half);
    magazine.count -= half;
    std::memmove(magazine.blocks, magazine.blocks + half,
                 static_cast<std::size_t>(magazine.count) * sizeof(void*));
  }
  magazine.blocks[magazine.count++] = block.data;
  cache->count_release(block.capacity);
}

// Everything the inline paths below leave over. `fresh` as in Pool::take_whole.
Block allocate_slow(Device device, std::size_t bytes, Stream* stream, bool* fresh) {
  const bool recent = recent_cache->key == device.key();
  if (bytes == 0) {
    if (!recent) device_api(device);  // throws where there is no such device
    return {nullptr, 0, 0, device, nullptr};
  }
  Pool& pool = recent ? *recent_cache->pool : Pool::of(device);
  const bool small = pool.has_slabs() && bytes <= kSmallLimit;
  const char* refusal = nullptr;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Block block =
        small ? allocate_small(pool, bytes, &refusal) : allocate_whole(pool, bytes, stream, fresh, &refusal);
    if (block.data) return block;
    // Idle memory cannot help a request that exceeds all there is.
    const std::size_t total = pool.api().total_memory(device);
    if (total && bytes > total) break;
    if (attempt == 0) {
      pool.wait_for_leaving();
      empty_cache(device);
    }
  }
  pool.out_of_memory(bytes, refusal);
}

void release_slow(const Block& block, Span<const Event> events) noexcept {
  if (!block.data) return;
  Pool* pool = recent_cache->key == block.device.key() ? recent_cache->pool : Pool::find(block.device);
  if (!pool) return;
  if (pool->has_slabs() && block.capacity <= kSmallLimit) return release_small(*pool, block);
  if (block.bytes && block.device.is_host()) expect_owned(block.data);
  ThreadCache* cache = cache_for(*pool);
  pool->give_whole(block.data, block.capacity, events, cache ? &cache->counters : nullptr);
}

inline Block allocate_block(Device device, std::size_t bytes, Stream* stream, bool* fresh) {
  if ((kTraining || !kCompact) && bytes != 0 && failures_armed.load(std::memory_order_relaxed))
    check_failure_rules(device, bytes);
  ThreadCache* cache = recent_cache;
  if (bytes - 1 < kSmallLimit && cache->key == device.key()) {
    const int size_class = size_class_of(bytes);
    Magazine& magazine = cache->magazines[size_class];
    if (magazine.count > 0) {
      void* data = magazine.blocks[--magazine.count];
      const std::size_t capacity = size_of_class(size_class);
      cache->count_allocation(capacity);
      unpoison(data, bytes);
      return {data, bytes, capacity, device, nullptr};
    }
  }
  return allocate_slow(device, bytes, stream, fresh);
}

}  // namespace

Block allocate(Device device, std::size_t bytes, Stream* stream) {
  bool fresh = false;
  if (fills_fresh() && bytes != 0 && device.kind == DeviceKind::cpu)
    return guard_block(Buffer(allocate_block(device, bytes + 2 * kGuardBytes, stream, &fresh)), bytes);
  return allocate_block(device, bytes, stream, &fresh);
}

Block allocate_zeroed(Device device, std::size_t bytes) {
  bool fresh = false;
  const Block block = allocate_block(device, bytes, nullptr, &fresh);
  if (!block.data) return block;
  if (!fresh || !device_api(device).fresh_is_zero()) std::memset(block.data, 0, bytes);
  return block;
}

void release(const Block& block) noexcept {
  if (block.owner) return release_owned(block);
  ThreadCache* cache = recent_cache;
  if (block.capacity - 1 < kSmallLimit && cache->key == block.device.key()) {
    const int size_class = size_class_of(block.capacity);
    Magazine& magazine = cache->magazines[size_class];
    if (magazine.count < magazine.capacity) {
      expect_owned(block.data);
      poison(block.data, block.capacity);
      magazine.blocks[magazine.count++] = block.data;
      cache->count_release(block.capacity);
      return;
    }
  }
  release_slow(block, {});
}

void release(const Block& block, Span<const Event> events) noexcept {
  if (events.empty()) return release(block);
  if (!block.owner && block.data && !block.device.is_host()) return release_slow(block, events);
  for (const Event& event : events) event.wait();
  release(block);
}

void count_external(Device device, std::int64_t bytes) { Pool::of(device).count_external(bytes); }

std::size_t trim(Device device, std::size_t keep) {
  Pool* pool = Pool::find(device);
  if (!pool) {
    device_api(device);
    return 0;
  }
  const std::size_t before = pool->info().reserved;
  pool->trim(keep);
  cache_for(*pool);  // empties this thread's cache, because the epoch is new; slabs it held up are idle now
  pool->trim(keep);
  const std::size_t after = pool->info().reserved;
  return before - std::min(before, after);
}

}  // namespace mixgrad::storage
