// A piece of device memory, and who gives it back.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "base/span.h"
#include "device/device.h"
#include "device/stream.h"

namespace mixgrad::storage {

// Keeps memory that is not the pool's alive; destroying it lets go.
class BlockOwner {
 public:
  virtual ~BlockOwner() = default;
  // The bytes are not needed for a while: memory that can be had again without loss may go back to the system.
  virtual void forget() {}
};

// A plain value: copying it copies no memory and takes no reference. Exactly one copy goes to release().
struct Block {
  void* data = nullptr;         // 64-byte aligned when it came from allocate; null for 0 bytes
  std::size_t bytes = 0;        // as asked for
  std::size_t capacity = 0;     // what the block occupies, >= bytes; only `bytes` of it may be touched
  Device device;                // whose statistics count it
  BlockOwner* owner = nullptr;  // null: the pool of `device`
};

// Device memory of `bytes` bytes, at least 64-byte aligned, contents undefined. 0 bytes give a null pointer.
// Throws Error(out_of_memory) after idle memory was given back and the system refused again,
// Error(unsupported) for a device this build or machine lacks. Any thread; never waits for device work.
// `stream`: of the device; it alone uses the memory first, and the memory may be what its earlier work still uses.
Block allocate(Device device, std::size_t bytes, Stream* stream = nullptr);
// The same of the host, every byte 0; fresh pages are not touched.
Block allocate_zeroed(Device device, std::size_t bytes);
// Gives the memory back; any thread. The block must not be used after it.
void release(const Block& block) noexcept;
// The same while streams may be at work on it until these events, at most five.
void release(const Block& block, Span<const Event> events) noexcept;

// Memory owned elsewhere (a DLPack tensor, a NumPy buffer, a mapped file). `on_release` runs once, inside
// release(), on whichever thread calls it, and must not throw. Any alignment. `on_forget` does what BlockOwner::forget
// promises.
Block wrap(Device device, void* data, std::size_t bytes, std::function<void()> on_release,
           std::function<void()> on_forget = {});

// Shared memory (device kind cpu_shared): the name another process attaches by, and attaching.
std::string shared_name(const Block& block);
Block attach_shared(const std::string& name);

// Owns one block. Moves, does not copy.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device device, std::size_t bytes) : block_(allocate(device, bytes)) {}
  explicit Buffer(const Block& block) : block_(block) {}
  Buffer(Buffer&& other) noexcept : block_(std::exchange(other.block_, Block())) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(block_); }

  const Block& block() const { return block_; }
  void* data() const { return block_.data; }
  std::size_t bytes() const { return block_.bytes; }
  // Gives the block to the caller.
  Block detach() { return std::exchange(block_, Block()); }

 private:
  Block block_;
};

}  // namespace mixgrad::storage
