#include "kernels/scratch.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdlib>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/fresh_memory.h"
#include "base/per_thread.h"

namespace mixgrad {
namespace {

constexpr size_t kScratchHugePage = size_t{2} << 20;  // blocks this large ask the system for such pages
constexpr int kIdleBlocks = 6;
// A thread keeps no more than that in all. Memory given back costs a fault per page when it is taken again, on a virtual
// machine whose host has taken the pages several microseconds each.
constexpr size_t kIdleBytes = size_t{128} << 20;

// Blocks of one thread that no call uses now.
class IdleScratch {
 public:
  ~IdleScratch() {
    for (const Block& block : blocks_) std::free(block.data);
  }
  // The smallest block that is large enough and not far larger; null: none.
  void* take(size_t bytes, size_t* capacity) {
    Block* best = nullptr;
    for (Block& block : blocks_) {
      if (block.data && block.capacity >= bytes && (!best || block.capacity < best->capacity)) best = &block;
    }
    if (!best) return nullptr;
    const Block taken = std::exchange(*best, Block());
    total_ -= taken.capacity;
    *capacity = taken.capacity;
    return taken.data;
  }
  void give(void* data, size_t capacity) {
    Block* place = &blocks_[0];
    for (Block& block : blocks_) {
      if (block.capacity < place->capacity) place = &block;
    }
    // The smallest idle block makes room, or the new one goes if it is smaller still.
    if (place->capacity > capacity || total_ - place->capacity + capacity > kIdleBytes) {
      std::free(data);
      return;
    }
    std::free(place->data);
    total_ += capacity - place->capacity;
    *place = {data, capacity};
  }

 private:
  struct Block {
    void* data = nullptr;
    size_t capacity = 0;
  };
  Block blocks_[kIdleBlocks];
  size_t total_ = 0;
};

IdleScratch& idle_scratch() { return per_thread<IdleScratch>(); }

}  // namespace

size_t Scratch::bytes_of(int64_t count, size_t each) {
  // A quarter of what can be addressed: rounding up to pages cannot overflow.
  constexpr size_t kMost = std::numeric_limits<size_t>::max() / 4;
  if (count < 0 || static_cast<uint64_t>(count) > kMost / each) {
    fail(Status::out_of_memory, "[scratch] no memory for ", count, " elements of ", each,
         " bytes of working space");
  }
  return static_cast<size_t>(count) * each;
}

Scratch::Scratch(size_t bytes, Workspace* from) : from_(from) {
  if (bytes == 0) return;
  if (from) {
    data_ = from->take(bytes);
    return;
  }
  data_ = idle_scratch().take(bytes, &capacity_);
  if (!data_) take_new(bytes);
  fill_fresh(data_, bytes);
}

void Scratch::take_new(size_t bytes) {
  const size_t page = bytes >= kScratchHugePage ? kScratchHugePage : 4096;
  capacity_ = (bytes + page - 1) / page * page;
  data_ = std::aligned_alloc(page, capacity_);
  if (!data_) fail(Status::out_of_memory, "[scratch] no memory for ", bytes, " bytes of working space");
#if defined(__linux__)
  if (page == kScratchHugePage) madvise(data_, capacity_, MADV_HUGEPAGE);
#endif
}

Scratch::Scratch(Scratch&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)),
      from_(other.from_) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  std::swap(from_, other.from_);
  return *this;
}

Scratch::~Scratch() {
  if (!data_) return;
  from_ ? from_->give(data_) : idle_scratch().give(data_, capacity_);
}

}  // namespace mixgrad
