// Memory without pools: each block is the system's again when it is released.
#include <cstdlib>
#include <cstring>

#include "base/build.h"
#include "base/error.h"
#include "device/cpu.h"
#include "storage/block.h"
#include "storage/owned_block.h"
#include "storage/pressure.h"

#if !MIXGRAD_QUEUES
namespace mixgrad::storage {
namespace {

constexpr std::size_t kAligned = 64;
// Blocks of at least so many bytes are pages of their own, the others pieces of the heap.
constexpr std::size_t kOwnPages = std::size_t{64} << 10;

}  // namespace

Block allocate(Device device, std::size_t bytes, Stream*) {
  expect_device(device);
  void* data = nullptr;
  if (bytes >= kOwnPages) {
    data = take_pages(bytes, 0);
  } else if (bytes > 0) {
    data = std::aligned_alloc(kAligned, (bytes + kAligned - 1) / kAligned * kAligned);
  }
  if (bytes > 0 && !data) {
    const struct {
      Device device;
      std::string str() const { return device.name(); }
    } asked{device};  // named in the message's memory, not before
    fail(Status::out_of_memory, "[storage] ", asked, " has no room for ", bytes,
         " bytes: the system refused");
  }
  return {data, bytes, bytes, device, nullptr};
}

Block allocate_zeroed(Device device, std::size_t bytes) {
  const Block block = allocate(device, bytes);
  if (bytes > 0 && !(bytes >= kOwnPages && kZeroPages)) std::memset(block.data, 0, bytes);
  return block;
}

void release(const Block& block) noexcept {
  if (block.owner) return release_owned(block);
  if (!block.data) return;
  if (block.bytes >= kOwnPages) return give_pages(block.data, block.bytes);
  std::free(block.data);
}

void release(const Block& block, Span<const Event>) noexcept { release(block); }

void count_external(Device, std::int64_t) {}

std::size_t promise(Device, std::size_t) { return 0; }
void keep_promise(Device, std::size_t) {}

}  // namespace mixgrad::storage
#endif
