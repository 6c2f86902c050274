// The memory behind arrays: one Var and one block, taken when the first task writes it.
#pragma once

#include <atomic>

#include "engine/engine.h"
#include "storage/block.h"

namespace mixgrad {

// data() and ensure() belong to tasks that name the chunk, or to a caller that waited for it.
class Chunk final : public engine::Var {
 public:
  static Ref<Chunk> make(Device device, size_t bytes) { return Ref<Chunk>::adopt(new Chunk(device, bytes)); }
  // Takes over a block.
  static Ref<Chunk> wrap(const storage::Block& block);

  Device device() const { return device_; }
  size_t bytes() const { return bytes_; }
  void* data() const { return block_.data; }
  // Takes the memory if that has not happened yet. Throws Status::out_of_memory.
  void ensure() {
    if (!block_.data && bytes_ > 0) block_ = storage::allocate(device_, bytes_);
  }
  // The same for tasks that only read and may meet others that do: memory that was never written is taken by whoever comes
  // first.
  void ensure_for_reading();
  // Values that were never written here, and whose address nobody has, need not stay in memory until they are read again.
  void forget_values() {
    if (block_.owner && push_version() == 0 && !exposed()) block_.owner->forget();
  }
  // Gives this chunk the memory of `from`, which nobody will use again.
  void take_block(Chunk& from);

  // True once a second array looks at this memory; it stays true.
  bool shared() const { return shared_.load(std::memory_order_relaxed); }
  void set_shared() { shared_.store(true, std::memory_order_relaxed); }
  // True once the address was given out, so that others may write without the engine knowing; it stays true.
  bool exposed() const { return exposed_.load(std::memory_order_relaxed); }
  void set_exposed() { exposed_.store(true, std::memory_order_relaxed); }
  // True once a view of this memory was recorded on a gradient tape; in-place writes are then refused while recording.
  bool has_recorded_view() const { return recorded_view_.load(std::memory_order_relaxed); }
  void set_recorded_view() { recorded_view_.store(true, std::memory_order_relaxed); }
  // True once a view without history was made of a value on the tape; recorded writes through it are then refused.
  bool has_linked_owner() const { return linked_owner_.load(std::memory_order_relaxed); }
  void set_linked_owner() { linked_owner_.store(true, std::memory_order_relaxed); }

 private:
  Chunk(Device device, size_t bytes) : device_(device), bytes_(bytes) {}
  ~Chunk() override { storage::release(block_); }

  storage::Block block_;
  Device device_;
  size_t bytes_;
  std::atomic<bool> shared_{false}, exposed_{false}, recorded_view_{false}, linked_owner_{false};
};

}  // namespace mixgrad
