#include "storage/pool.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <new>

#include "base/error.h"
#include "storage/failure_rules.h"
#include "storage/poison.h"

#if defined(__unix__) || defined(__APPLE__)
#define MIXGRAD_HAS_FORK 1
#include <pthread.h>
#else
#define MIXGRAD_HAS_FORK 0
#endif

namespace mixgrad::storage {

// All pools by device. Never destroyed, so that blocks may be released while the process ends.
struct PoolTable {
  std::mutex mutex;
  std::map<Device, Pool*> pools;  // a fork locks them in this order, whatever came when
  std::size_t growth_step = kNeverGrown;

  static PoolTable& get() {
    alignas(PoolTable) static unsigned char room[sizeof(PoolTable)];  // a fork may be the first to ask
    static PoolTable* const table = ::new (static_cast<void*>(room)) PoolTable;
    return *table;
  }

  void lock_all() {
    mutex.lock();
    for (auto& entry : pools) entry.second->mutex_.lock();
  }
  void unlock_all() {
    for (auto& entry : pools) entry.second->mutex_.unlock();
    mutex.unlock();
  }
};

namespace {

#if MIXGRAD_HAS_FORK
// The child has the forking thread only. With all locks held across the fork it finds whole lists and free locks; what
// other threads had cached stays idle in the child. Installed while the library is loaded: the hook installed first runs
// last before a fork, after the engine's, which ends threads that still give memory back.
[[maybe_unused]] const int pool_fork_hooks =
    pthread_atfork([] { PoolTable::get().lock_all(); }, [] { PoolTable::get().unlock_all(); },
                   [] { PoolTable::get().unlock_all(); });
#endif

using PoolLock = std::unique_lock<std::mutex>;

// A block may exceed the request by 1/8.
std::size_t most_for(std::size_t capacity) { return capacity + capacity / 8; }

// So near to a limit memory may be refused, though there is some: arenas are taken whole, blocks are rounded.
constexpr std::size_t kScarceBytes = std::size_t{16} << 20;

std::string bytes_text(std::size_t bytes) {
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  int unit = -1;
  while (value >= 1024 && unit < 5) value /= 1024, ++unit;
  if (unit < 0) return text(bytes, " bytes");
  const double rounded = std::round(value * 10) / 10;
  return text(bytes, " bytes (", rounded, " ", units[unit], ")");
}

std::int64_t load_relaxed(const std::atomic<std::int64_t>& number) {
  return number.load(std::memory_order_relaxed);
}

}  // namespace

Pool& Pool::of(Device device) {
  PoolTable& table = PoolTable::get();
  std::lock_guard<std::mutex> lock(table.mutex);
  Pool*& pool = table.pools[device];
  if (pool) return *pool;
  try {
    pool = new Pool(device);
    const std::lock_guard<std::mutex> inner(pool->mutex_);
    pool->watch_growth_locked(table.growth_step);
  } catch (...) {
    table.pools.erase(device);
    throw;
  }
  return *pool;
}

Pool* Pool::find(Device device) {
  PoolTable& table = PoolTable::get();
  std::lock_guard<std::mutex> lock(table.mutex);
  const auto found = table.pools.find(device);
  return found == table.pools.end() ? nullptr : found->second;
}

Pool::Pool(Device device) : device_(device), api_(device_api(device)) {
  for (int i = 0; i < kSizeClasses; ++i)
    slabs_[static_cast<std::size_t>(i)].set_block_bytes(size_of_class(i));
  const std::size_t all = std::numeric_limits<std::size_t>::max();
  const std::size_t total = api_.total_memory(device);
  limits_ = {total ? total / 4 : std::size_t{1} << 30, all};
}

int Pool::take_small(int size_class, void** out, int want, const char** refusal) {
  SlabList& slabs = slabs_[static_cast<std::size_t>(size_class)];
  void* memory = nullptr;
  bool asked_system = false;
  for (;;) {
    {
      PoolLock lock(mutex_);
      if (!memory) {
        if (const int taken = slabs.take(out, want)) return taken;
        memory = idle_.take(kSlabBytes, kSlabBytes).data;
      }
      if (memory) {
        misses_ += asked_system;
        unpoison(memory, kSlabBytes);
        slabs.add(memory);
        return slabs.take(out, want);
      }
    }
    bool fresh = false;
    memory = new_pages(kSlabBytes, kSlabBytes, &fresh, &asked_system, refusal);
    if (!memory) return 0;
  }
}

void Pool::give_small(int size_class, void* const* blocks, int count) noexcept {
  SlabList& slabs = slabs_[static_cast<std::size_t>(size_class)];
  PoolLock lock(mutex_);
  for (int i = 0; i < count; ++i) {
    if (void* slab = slabs.give(blocks[i])) {
      give_idle(slab, kSlabBytes, lock);
      if (!lock.owns_lock()) lock.lock();
    }
  }
}

void* Pool::take_whole(std::size_t bytes, Stream* stream, ThreadCounters* mine, std::size_t* capacity,
                       bool* fresh, const char** refusal) {
  if (bytes > kLargestRequest) {
    *refusal = "no machine has so much";
    return nullptr;
  }
  // What is not pooled keeps its exact size, which other processes will be told.
  std::size_t size = poolable() ? round_to_pages(bytes) : bytes;
  void* data = nullptr;
  const auto count = [&](bool asked_system) {
    misses_ += asked_system;
    publish_locked(mine);
    ++allocations_;
    add_in_use(static_cast<std::int64_t>(size));
  };
  if (poolable()) {
    PoolLock lock(mutex_);
    if (!leaving_.empty()) settle_leaving(lock);
    if (stream) data = take_leaving(&size, stream);
    if (data) {
      count(false);
    } else if (const IdleBlocks::Entry entry = idle_.take(size, most_for(size)); entry.data) {
      data = entry.data;
      size = entry.capacity;
      count(false);
    }
  }
  if (!data) {
    bool asked_system = false;
    // Slabs and user blocks of their size take each other's place, so both have the slab's alignment.
    data = new_pages(size, size == kSlabBytes ? kSlabBytes : 0, fresh, &asked_system, refusal);
    if (!data) return nullptr;
    PoolLock lock(mutex_);
    count(asked_system);
  }
  poison(data, size);
  unpoison(data, bytes);
  *capacity = size;
  return data;
}

void Pool::give_whole(void* data, std::size_t capacity, Span<const Event> events,
                      ThreadCounters* mine) noexcept {
  PoolLock lock(mutex_);
  publish_locked(mine);
  ++releases_;
  add_in_use(-static_cast<std::int64_t>(capacity));
  Leaving block{data, capacity, {}};
  std::size_t count = 0;
  for (const Event& event : events) {
    if (!event.complete()) block.events[count++] = event;
  }
  if (count > 0) {
    try {
      leaving_.push_back(block);
      return;
    } catch (const std::bad_alloc&) {
      lock.unlock();
      for (const Event& event : block.events) event.wait();
      lock.lock();
    }
  }
  give_idle(data, capacity, lock);
}

void Pool::settle_leaving(PoolLock& lock) noexcept {
  for (std::size_t i = 0; i < leaving_.size();) {
    const Leaving block = leaving_[i];
    const bool over = std::all_of(std::begin(block.events), std::end(block.events),
                                  [](const Event& event) { return event.complete(); });
    if (!over) {
      ++i;
      continue;
    }
    leaving_[i] = leaving_.back();
    leaving_.pop_back();
    give_idle(block.data, block.capacity, lock);
    if (!lock.owns_lock()) {  // others may have changed the list
      lock.lock();
      i = 0;
    }
  }
}

void* Pool::take_leaving(std::size_t* size, const Stream* stream) {
  const std::size_t most = most_for(*size);
  std::size_t best = leaving_.size();
  for (std::size_t i = 0; i < leaving_.size(); ++i) {
    const Leaving& block = leaving_[i];
    if (block.capacity < *size || block.capacity > most) continue;
    const bool free =
        std::all_of(std::begin(block.events), std::end(block.events),
                    [stream](const Event& event) { return event.stream == stream || event.complete(); });
    if (free && (best == leaving_.size() || block.capacity < leaving_[best].capacity)) best = i;
  }
  if (best == leaving_.size()) return nullptr;
  const Leaving found = leaving_[best];
  leaving_[best] = leaving_.back();
  leaving_.pop_back();
  *size = found.capacity;
  return found.data;
}

void Pool::wait_for_leaving() noexcept {
  PoolLock lock(mutex_);
  while (!leaving_.empty()) {
    const Leaving block = leaving_.back();
    lock.unlock();
    for (const Event& event : block.events) event.wait();
    lock.lock();
    settle_leaving(lock);
  }
}

// Keeps the block, or gives it and the oldest others back, for which it unlocks.
void Pool::give_idle(void* data, std::size_t capacity, PoolLock& lock) noexcept {
  poison(data, capacity);
  bool kept = poolable() && capacity <= limits_.idle_bytes;
  try {
    if (kept) idle_.put(data, capacity);
  } catch (const std::bad_alloc&) {
    kept = false;
  }
  if (kept && idle_.bytes() <= limits_.idle_bytes) return;
  const std::size_t keep = limits_.idle_bytes;
  lock.unlock();
  if (!kept) free_pages(data, capacity);
  if (kept) evict(keep);
}

void Pool::evict(std::size_t keep) noexcept {
  for (;;) {
    IdleBlocks::Entry entry;
    {
      PoolLock lock(mutex_);
      if (idle_.bytes() <= keep) return;
      entry = idle_.take_oldest();
    }
    free_pages(entry.data, entry.capacity);
  }
}

void* Pool::new_pages(std::size_t bytes, std::size_t alignment, bool* fresh, bool* asked_system,
                      const char** refusal) {
  *fresh = true;
  if (bytes >= kRunLimit || !poolable()) {
    *asked_system = true;
    return from_system(bytes, alignment, refusal);
  }
  {
    PoolLock lock(mutex_);
    if (void* data = arenas_.take(bytes, alignment, fresh)) return data;
  }
  *asked_system = true;
  void* memory = from_system(kArenaBytes, kArenaBytes, refusal);
  if (!memory) return nullptr;
  void* data = nullptr;
  try {
    PoolLock lock(mutex_);
    // Another thread may have made room meanwhile: an arena that nobody takes from would never be given back.
    data = arenas_.take(bytes, alignment, fresh);
    if (!data) {
      arenas_.add(memory);
      return arenas_.take(bytes, alignment, fresh);
    }
  } catch (const std::bad_alloc&) {
    *refusal = "the system refused";
  }
  to_system(memory, kArenaBytes);
  return data;
}

void Pool::free_pages(void* data, std::size_t bytes) noexcept {
  if (bytes >= kRunLimit || !poolable()) return to_system(data, bytes);
  void* arena;
  {
    PoolLock lock(mutex_);
    arena = arenas_.give(data, bytes);
  }
  if (arena) to_system(arena, kArenaBytes);
}

void* Pool::from_system(std::size_t bytes, std::size_t alignment, const char** refusal) {
  {
    PoolLock lock(mutex_);
    if (bytes > limits_.total_bytes || reserved_ > limits_.total_bytes - bytes) {
      *refusal = "set_limits allows no more";
      return nullptr;
    }
    reserved_ += bytes;
  }
  void* data = refuse_system_request() ? nullptr : api_.allocate(device_, bytes, alignment);
  if (data) return data;
  *refusal = "the system refused";
  PoolLock lock(mutex_);
  reserved_ -= bytes;
  return nullptr;
}

void Pool::to_system(void* data, std::size_t bytes) noexcept {
  unpoison(data, bytes);
  api_.release(data, bytes);
  PoolLock lock(mutex_);
  reserved_ -= bytes;
}

void Pool::out_of_memory(std::size_t bytes, const char* reason) {
  const MemoryInfo now = info();
  const Limits bounds = limits();
  const std::size_t total = api_.total_memory(device_);
  std::string limit;
  if (bounds.total_bytes != std::numeric_limits<std::size_t>::max()) {
    limit = text("; limit ", bytes_text(bounds.total_bytes));
  }
  if (total) limit += text("; the machine has ", bytes_text(total));
  fail(Status::out_of_memory, "[storage] ", device_.name(), " has no room for ", bytes_text(bytes), ": ",
       reason, "; in use ", bytes_text(now.in_use), ", pooled ", bytes_text(now.pooled), limit);
}

void Pool::add_thread(ThreadCounters* counters) {
  PoolLock lock(mutex_);
  threads_.push_back(counters);
}

void Pool::remove_thread(ThreadCounters* counters) {
  PoolLock lock(mutex_);
  publish_locked(counters);
  allocations_ += counters->allocations.load(std::memory_order_relaxed);
  releases_ += counters->releases.load(std::memory_order_relaxed);
  threads_.erase(std::find(threads_.begin(), threads_.end(), counters));
}

void Pool::publish(ThreadCounters* mine) noexcept {
  PoolLock lock(mutex_);
  publish_locked(mine);
}

void Pool::publish_locked(ThreadCounters* mine) noexcept {
  if (!mine) return;
  peak_ = std::max(peak_, in_use_ + load_relaxed(mine->high));
  in_use_ += load_relaxed(mine->in_use);
  if (in_use_ > alarm_) watched_bytes.store(0, std::memory_order_relaxed);
  mine->in_use.store(0, std::memory_order_relaxed);
  mine->high.store(0, std::memory_order_relaxed);
}

void Pool::add_in_use(std::int64_t bytes) noexcept {
  in_use_ += bytes;
  peak_ = std::max(peak_, in_use_);
  if (in_use_ > alarm_) watched_bytes.store(0, std::memory_order_relaxed);
}

void Pool::count_small(std::int64_t bytes) noexcept {
  PoolLock lock(mutex_);
  ++(bytes > 0 ? allocations_ : releases_);
  add_in_use(bytes);
}

void Pool::count_external(std::int64_t bytes) noexcept {
  PoolLock lock(mutex_);
  external_ += bytes;
}

MemoryInfo Pool::info() {
  PoolLock lock(mutex_);
  std::int64_t in_use = in_use_, high = std::numeric_limits<std::int64_t>::min() / 2;
  std::uint64_t allocations = allocations_, releases = releases_;
  for (const ThreadCounters* thread : threads_) {
    in_use += load_relaxed(thread->in_use);
    high = std::max(high, load_relaxed(thread->high));
    releases += thread->releases.load(std::memory_order_relaxed);
    allocations += thread->allocations.load(std::memory_order_relaxed);
  }
  in_use = std::max<std::int64_t>(in_use, 0);
  MemoryInfo info;
  info.in_use = static_cast<std::size_t>(in_use);
  info.peak = static_cast<std::size_t>(std::max({peak_, in_use, in_use_ + high}));
  info.reserved = reserved_;
  info.pooled = reserved_ - std::min(reserved_, info.in_use);
  info.external = static_cast<std::size_t>(external_);
  info.live_blocks = static_cast<std::size_t>(allocations - std::min(releases, allocations));
  info.allocations = allocations;
  info.cache_hits = allocations - std::min(misses_, allocations);
  return info;
}

void Pool::reset_peak() {
  PoolLock lock(mutex_);
  peak_ = in_use_;
  for (ThreadCounters* thread : threads_) {
    const std::int64_t in_use = load_relaxed(thread->in_use);
    thread->high.store(in_use, std::memory_order_relaxed);
    peak_ += in_use;
  }
}

Limits Pool::limits() {
  PoolLock lock(mutex_);
  return limits_;
}

void Pool::set_limits(const Limits& limits) {
  {
    PoolLock lock(mutex_);
    limits_ = limits;
    set_alarm_locked();
    settle_leaving(lock);
  }
  evict(limits.idle_bytes);
}

std::int64_t Pool::in_use_locked() const {
  std::int64_t in_use = in_use_;
  for (const ThreadCounters* thread : threads_) in_use += load_relaxed(thread->in_use);
  return std::max<std::int64_t>(in_use, 0);
}

std::size_t Pool::most_locked() const {
  const std::size_t total = api_.total_memory(device_);
  return total ? std::min(total, limits_.total_bytes) : limits_.total_bytes;
}

Pressure Pool::pressure(std::size_t bytes) {
  const std::int64_t promised = std::max<std::int64_t>(promised_.load(std::memory_order_relaxed), 0);
  PoolLock lock(mutex_);
  const std::size_t most = most_locked(), coming = static_cast<std::size_t>(promised) + std::min(bytes, most);
  const std::size_t held = static_cast<std::size_t>(in_use_locked()) + coming;
  const std::size_t near_most = most - std::min(most, kScarceBytes + coming / 8);
  return {held > grown_at_, held > near_most, held > most};
}

void Pool::watch_growth(std::size_t step) {
  PoolTable& table = PoolTable::get();
  {
    const std::lock_guard<std::mutex> lock(table.mutex);
    table.growth_step = step;
    for (auto& entry : table.pools) {
      const std::lock_guard<std::mutex> inner(entry.second->mutex_);
      entry.second->watch_growth_locked(step);
    }
  }
  end_alarms();
}

void Pool::end_alarms() {
  PoolTable& table = PoolTable::get();
  const std::lock_guard<std::mutex> lock(table.mutex);
  bool alarmed = false;
  for (auto& entry : table.pools) {
    const std::lock_guard<std::mutex> inner(entry.second->mutex_);
    alarmed |= entry.second->in_use_ > entry.second->alarm_;
  }
  const std::size_t watched = alarmed ? 0 : kWatchedBytes;
  watched_bytes.store(table.growth_step == kNeverGrown ? kNeverGrown : watched, std::memory_order_relaxed);
}

void Pool::watch_growth_locked(std::size_t step) {
  grown_at_ = kNeverGrown;
  if (step != kNeverGrown) {
    const std::size_t in_use = static_cast<std::size_t>(in_use_locked()), most = most_locked();
    grown_at_ = in_use + std::max(step, std::min(in_use, most - std::min(most, in_use)) / 2);
  }
  set_alarm_locked();
}

void Pool::set_alarm_locked() {
  constexpr std::size_t kNever = std::numeric_limits<std::int64_t>::max();
  const std::size_t most = most_locked(), scarce = most - std::min(most, kScarceBytes);
  const bool watched = grown_at_ != kNeverGrown;
  alarm_ = static_cast<std::int64_t>(watched ? std::min({grown_at_, scarce, kNever}) : kNever);
}

void Pool::trim(std::size_t keep) noexcept {
  epoch_.fetch_add(1, std::memory_order_relaxed);
  {
    PoolLock lock(mutex_);
    settle_leaving(lock);
  }
  evict(keep);
}

}  // namespace mixgrad::storage
