// The memory behind arrays: one Var and one block, taken when the first task writes it.
#pragma once

#include <atomic>
#include <memory>

#include "base/fork_mutex.h"
#include "engine/engine.h"
#include "op/op.h"
#include "storage/block.h"

namespace mixgrad {

// How an array keeps its elements; the numbers are those of .params files.
enum class Storage : uint8_t { dense = 0, row_sparse = 1, csr = 2 };
struct SparseParts;  // array/sparse.h

// data() and ensure() belong to tasks that name the chunk, or to a caller that waited for it.
class Chunk : public engine::Var {
 public:
  static Ref<Chunk> make(Device device, size_t bytes) { return Ref<Chunk>::adopt(new Chunk(device, bytes)); }
  // Takes over a block, and gives it back where there is no memory for the chunk.
  static Ref<Chunk> wrap(const storage::Block& block);
  // The same for a chunk of the block's device and size that has no memory and that nobody else uses yet.
  void hold(const storage::Block& block) noexcept;

  Device device() const { return device_; }
  size_t bytes() const { return bytes_; }
  void* data() const { return block_.data; }
  // Takes the memory if that has not happened yet. Throws Status::out_of_memory. `stream`: of the task, if its work goes to one.
  void ensure(Stream* stream = nullptr) {
    if (settled()) return;
    if (elsewhere_) return bring_back(true);
    block_ = storage::allocate(device_, bytes_, stream);
    settled_.store(true, std::memory_order_release);
  }
  // The same for tasks that only read and may meet others that do: memory that was never written is taken by the one that comes
  // first.
  void ensure_for_reading() {
    if (!settled()) bring_back(true);
  }
  // Only what was there once comes back.
  void recall() {
    if (elsewhere_ && !settled()) bring_back(true);
  }
  bool was_never_written() const { return !elsewhere_ && !settled(); }

  // Values that need not lie in memory. Who made the chunk says so, before anybody else uses it; the first that then asks for the
  // memory by one of the functions above gets it for good, while readers of parameters borrow it and let go.
  // They are written by `source`, as number 0, once they are needed.
  void make_later(std::shared_ptr<const ValueSource> source) {
    elsewhere().source = std::move(source), elsewhere_->missing = true;
  }
  // The values may become those that a reader has instead, up to rounding.
  void allow_rounding() { elsewhere().rounds = true; }
  // The memory with its values until give_back(); any number of tasks that read may do so at once.
  const void* borrow();
  void give_back();
  // A task that reads has the values in a form of its own, from which `source` writes them as number `which`; null: it cannot. The
  // memory goes back to the system if the values can be had again, were never written here, and nobody has their address.
  void let_go(std::shared_ptr<const ValueSource> source, size_t which);

  // When the chunk goes, its pages go back to the system rather than to the next one of its size.
  void set_rarely_needed() { rarely_needed_ = true; }

  // What a sparse array stores at this moment, in place of memory here (array/sparse.h); null: the array is dense. From any thread:
  // who reads parts twice keeps the pointer, for another thread may set others.
  virtual std::shared_ptr<const SparseParts> parts() const { return nullptr; }
  virtual void set_parts(std::shared_ptr<const SparseParts>) {}

  // A number that no other chunk of this process has or had.
  uint64_t number();
  static uint64_t next_number();

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

 protected:
  Chunk(Device device, size_t bytes) : device_(device), bytes_(bytes), settled_(bytes == 0) {}
  ~Chunk() override;

 private:
  // Where values are that may be missing from the memory. Guarded by lock_, as the memory then is.
  struct Elsewhere {
    std::shared_ptr<const ValueSource> source;  // null: nowhere
    size_t which = 0;
    int borrowers = 0;
    bool missing = false;  // from the memory
    bool rounds = false, stays = false;
  };

  void bring_back(bool for_good);
  void release_after_streams() noexcept;
  bool settled() const { return settled_.load(std::memory_order_acquire); }
  Elsewhere& elsewhere() {
    if (!elsewhere_) elsewhere_ = std::make_unique<Elsewhere>();
    settled_.store(false, std::memory_order_relaxed);
    return *elsewhere_;
  }

  storage::Block block_;
  Device device_;
  size_t bytes_;
  std::unique_ptr<Elsewhere> elsewhere_;  // null: the values are in the memory
  ObjectMutex lock_;
  std::atomic<bool> settled_;  // the memory is there, and so are its values for good
  bool rarely_needed_ = false;
  std::atomic<uint64_t> number_{0};  // 0: nobody asked
  std::atomic<bool> shared_{false}, exposed_{false}, recorded_view_{false}, linked_owner_{false};
};

}  // namespace mixgrad
