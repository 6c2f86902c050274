// The memory of one device: slabs for small blocks, mappings for large ones, and the numbers about both.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "base/span.h"
#include "device/api.h"
#include "storage/arena.h"
#include "storage/idle.h"
#include "storage/pressure.h"
#include "storage/size_class.h"
#include "storage/slab.h"
#include "storage/statistics.h"

namespace mixgrad::storage {

// One thread's numbers about one pool. Only that thread writes (plain moves, no locked instruction), except
// that reset_peak may set `high`; any thread reads.
struct ThreadCounters {
  std::atomic<std::int64_t> in_use{
      0};  // not yet published; negative where a thread releases what others allocated
  std::atomic<std::int64_t> high{0};  // largest in_use since the last publication
  std::atomic<std::uint64_t> allocations{0};
  std::atomic<std::uint64_t> releases{0};
};

// Memory that was given back while streams used it.
struct Leaving {
  static constexpr std::size_t kMostEvents = 5;
  void* data;
  std::size_t capacity;
  Event events[kMostEvents];
};

// A step for Pool::watch_growth: there is no collector.
constexpr std::size_t kNeverGrown = ~std::size_t{0};

// Lives until the process ends. Every function may be called from any thread.
class Pool {
 public:
  // The pool of `device`, made at first use; throws what device_api throws.
  static Pool& of(Device device);
  // The same, null when it was never used.
  static Pool* find(Device device);
  explicit Pool(Device device);

  Device device() const { return device_; }
  DeviceApi& api() const { return api_; }
  bool poolable() const { return api_.poolable(); }
  // Whether small blocks are cut out of slabs, which keep their books in the memory itself.
  bool has_slabs() const { return poolable() && device_.is_host(); }
  // Changes when idle memory was asked back; threads that see a new value empty their caches.
  std::uint64_t epoch() const { return epoch_.load(std::memory_order_relaxed); }

  // 1 to `want` free blocks of a size class into `out`; 0 when there is no memory, then `refusal` says why.
  int take_small(int size_class, void** out, int want, const char** refusal);
  void give_small(int size_class, void* const* blocks, int count) noexcept;
  // A mapping of round_to_pages(bytes) bytes or at most 1/8 more; null when there is no memory, then
  // `refusal` says why. `mine`: the calling thread's counters, or null. `fresh`: true when it comes straight
  // from the system. `stream`: uses it first, so it may still be at work on it.
  void* take_whole(std::size_t bytes, Stream* stream, ThreadCounters* mine, std::size_t* capacity,
                   bool* fresh, const char** refusal);
  // What streams may still be doing with the memory is over before another stream, or the system, has it.
  void give_whole(void* data, std::size_t capacity, Span<const Event> events, ThreadCounters* mine) noexcept;
  // Waits for the streams that use memory given back.
  void wait_for_leaving() noexcept;

  void add_thread(ThreadCounters* counters);
  // Keeps the numbers of a thread that ends.
  void remove_thread(ThreadCounters* counters);
  // Moves a thread's in_use and high into the pool's.
  void publish(ThreadCounters* mine) noexcept;
  // Counts one small block for a thread that has no counters (it is ending).
  void count_small(std::int64_t bytes) noexcept;
  void count_external(std::int64_t bytes) noexcept;

  MemoryInfo info();
  void reset_peak();
  Limits limits();
  void set_limits(const Limits& limits);
  // Frees idle memory down to `keep` bytes and starts a new epoch.
  void trim(std::size_t keep) noexcept;
  Pressure pressure(std::size_t bytes);
  void promise(std::int64_t bytes) { promised_.fetch_add(bytes, std::memory_order_relaxed); }
  // For all pools, also those made later: each has grown when it holds `step` more than now, or half more if there is room
  // for that.
  static void watch_growth(std::size_t step);
  // Calls that make little are watched no more, unless a pool is still beyond its alarm.
  static void end_alarms();
  [[noreturn]] void out_of_memory(std::size_t bytes, const char* reason);

 private:
  friend struct PoolTable;

  // Pages that were not idle: from an arena or from the system. `asked_system`: whether it came to that.
  void* new_pages(std::size_t bytes, std::size_t alignment, bool* fresh, bool* asked_system,
                  const char** refusal);
  void free_pages(void* data, std::size_t bytes) noexcept;
  void* from_system(std::size_t bytes, std::size_t alignment, const char** refusal);
  void to_system(void* data, std::size_t bytes) noexcept;
  // Frees the oldest idle blocks until at most `keep` bytes of them stay.
  void evict(std::size_t keep) noexcept;
  // Makes idle what streams are done with.
  void settle_leaving(std::unique_lock<std::mutex>& lock) noexcept;
  // The best fit that only `stream` uses, or null.
  void* take_leaving(std::size_t* size, const Stream* stream);
  void give_idle(void* data, std::size_t capacity, std::unique_lock<std::mutex>& lock) noexcept;
  void publish_locked(ThreadCounters* mine) noexcept;
  void add_in_use(std::int64_t bytes) noexcept;
  std::int64_t in_use_locked() const;
  std::size_t most_locked() const;  // that the device or its limit allows; all ones when neither is known
  void watch_growth_locked(std::size_t step);
  void set_alarm_locked();

  const Device device_;
  DeviceApi& api_;
  std::atomic<std::uint64_t> epoch_{0};

  std::mutex mutex_;  // covers all below; no system call runs under it
  std::array<SlabList, kSizeClasses> slabs_;
  IdleBlocks idle_;
  std::vector<Leaving> leaving_;
  ArenaList arenas_;
  Limits limits_;
  std::vector<ThreadCounters*> threads_;
  std::int64_t in_use_ = 0;  // published
  std::int64_t peak_ = 0;
  std::size_t reserved_ = 0;
  std::int64_t external_ = 0;
  std::uint64_t allocations_ = 0;  // by no living thread's counters
  std::uint64_t releases_ = 0;
  std::uint64_t misses_ = 0;            // allocations the system was asked for
  std::size_t grown_at_ = kNeverGrown;  // bytes in use and promised beyond which the collector is due
  std::int64_t alarm_ =
      std::numeric_limits<std::int64_t>::max();  // bytes in use beyond which every call asks pressure()
  std::atomic<std::int64_t> promised_{0};        // not under mutex_
};

}  // namespace mixgrad::storage
