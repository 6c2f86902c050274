#include "net/shared_arena.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <vector>

#include "base/fork_mutex.h"
#include "device/shared_memory.h"
#include "net/own_process.h"

namespace mixgrad::net {
namespace {

// Segments grow with what there is, so that a process has few descriptors of them; a block of more than half has its own.
constexpr size_t kSmallestSegment = size_t{16} << 20, kLargestSegment = size_t{256} << 20;
constexpr size_t kSegmentPart = 8;
constexpr size_t kSteps = 8;  // sizes for each doubling
constexpr size_t kFirstSize = 4096;

// Blocks of one process. In a forked child it gives none: the memory is the parent's, too.
class SharedArena {
 public:
  void* take(size_t bytes) {
    if (!process_.here() || bytes > PTRDIFF_MAX / 2) return nullptr;
    const size_t size = rounded(bytes);
    const std::lock_guard<ForkMutex> lock(mutex_);
    std::vector<void*>& idle = idle_[size];
    if (!idle.empty()) {
      void* const data = idle.back();
      idle.pop_back();
      return data;
    }
    if (size > left_) {
      const size_t segment = std::clamp(created_ / kSegmentPart, kSmallestSegment, kLargestSegment);
      if (size > segment / 2) return create(size);
      next_ = create(segment);
      left_ = next_ ? segment : 0;
      if (!next_) return nullptr;
    }
    void* const data = next_;
    next_ += size;
    left_ -= size;
    return data;
  }

  void give_back(void* data, size_t bytes) noexcept {
    if (!process_.here()) return;
    const std::lock_guard<ForkMutex> lock(mutex_);
    try {
      idle_[rounded(bytes)].push_back(data);
    } catch (const std::bad_alloc&) {  // lost to this process, which has no memory
    }
  }

  bool owns(const void* segment) {
    const std::lock_guard<ForkMutex> lock(mutex_);
    return segments_.count(segment) > 0;
  }

 private:
  static size_t rounded(size_t bytes) {
    size_t step = kFirstSize;
    while (step * kSteps < bytes) step *= 2;
    return (bytes + step - 1) / step * step;
  }
  char* create(size_t bytes) {
    try {
      void* const start = shared_memory_available() ? shared_create(bytes) : nullptr;
      if (start) segments_.insert(start);
      if (start) created_ += bytes;
      return static_cast<char*>(start);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

  const OwnProcess process_;
  ForkMutex mutex_;
  std::set<const void*> segments_;
  std::map<size_t, std::vector<void*>> idle_;  // by size
  char* next_ = nullptr;
  size_t left_ = 0, created_ = 0;
};

SharedArena& shared_arena() {
  static auto* const arena = new SharedArena;  // blocks may be given back after the end of main()
  return *arena;
}

}  // namespace

storage::Block shared_block(size_t bytes) {
  void* const data = bytes > 0 ? shared_arena().take(bytes) : nullptr;
  if (!data) return {};
  try {
    return storage::wrap(Device::cpu(), data, bytes,
                         [data, bytes] { shared_arena().give_back(data, bytes); });
  } catch (...) {
    shared_arena().give_back(data, bytes);
    throw;
  }
}

bool is_arena_segment(const void* start) { return shared_arena().owns(start); }

}  // namespace mixgrad::net
