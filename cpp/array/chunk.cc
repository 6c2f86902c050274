#include "array/chunk.h"

#include <mutex>
#include <utility>

#include "base/error.h"
#include "device/cpu.h"

namespace mixgrad {
namespace {

constexpr size_t kLeastLetGo = 8192;  // of less than two pages none is sure to become free

}  // namespace

Ref<Chunk> Chunk::wrap(const storage::Block& block) {
  storage::Buffer owned(block);
  Ref<Chunk> chunk = make(block.device, block.bytes);
  chunk->hold(owned.detach());
  return chunk;
}

void Chunk::hold(const storage::Block& block) noexcept {
  block_ = block;
  settled_.store(true, std::memory_order_relaxed);
  set_shared();
}

Chunk::~Chunk() {
  if (used_by_streams()) {
    release_after_streams();
    return;
  }
  if (rarely_needed_ && !block_.owner) forget_pages(block_.data, block_.data ? bytes_ : 0);
  storage::release(block_);
}

// Pages that are rarely needed are not forgotten: a stream may still read them.
void Chunk::release_after_streams() noexcept {
  Event events[kMostEvents];
  storage::release(block_, {events, stream_events(events)});
}

void Chunk::bring_back(bool for_good) {
  std::shared_ptr<const ValueSource> done;  // freed after the lock: others may hang on it
  const std::lock_guard<ObjectMutex> lock(lock_);
  if (!block_.data && bytes_ > 0) block_ = storage::allocate(device_, bytes_);
  if (elsewhere_) {
    if (elsewhere_->missing) elsewhere_->source->write(elsewhere_->which, block_.data);
    elsewhere_->missing = false;
    if (!for_good) {
      ++elsewhere_->borrowers;
      return;
    }
    elsewhere_->stays = true;
    done.swap(elsewhere_->source);
  }
  settled_.store(true, std::memory_order_release);
}

const void* Chunk::borrow() {
  if (elsewhere_ || !settled()) bring_back(false);
  return block_.data;
}

void Chunk::give_back() {
  if (!elsewhere_) return;
  const std::lock_guard<ObjectMutex> lock(lock_);
  --elsewhere_->borrowers;
}

void Chunk::let_go(std::shared_ptr<const ValueSource> source, size_t which) {
  if (push_version() != 0 || exposed()) return;
  if (!elsewhere_) {
    if (block_.owner) block_.owner->forget();
    return;
  }
  const std::lock_guard<ObjectMutex> lock(lock_);
  Elsewhere& e = *elsewhere_;
  if (e.stays || e.borrowers > 0 || bytes_ < kLeastLetGo) return;
  if (e.rounds && source) e.source.swap(source), e.which = which;
  // The address stays, as do the pages at the ends that other memory shares.
  if (e.missing || !e.source) return;
  e.missing = true;  // before the pages go: a child forked between the two finds its way
  e.missing = forget_pages(block_.data, bytes_);
}

uint64_t Chunk::next_number() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

uint64_t Chunk::number() {
  uint64_t number = number_.load(std::memory_order_relaxed);
  if (number == 0) {
    const uint64_t mine = next_number();
    if (number_.compare_exchange_strong(number, mine, std::memory_order_relaxed)) number = mine;
  }
  return number;
}

void Chunk::take_block(Chunk& from) {
  std::swap(block_, from.block_);
  const bool settled = settled_.load(std::memory_order_relaxed);
  settled_.store(from.settled_.load(std::memory_order_relaxed), std::memory_order_release);
  from.settled_.store(settled, std::memory_order_relaxed);
}

}  // namespace mixgrad
