// Memory without pools: each block is the system's again when it is released.
#include <cstdlib>
#include <cstring>

#include "base/build.h"
#include "base/error.h"
#include "device/cpu.h"
#include "slim/attempt.h"
#include "storage/block.h"
#include "storage/owned_block.h"

#if !MIXGRAD_QUEUES
namespace mixgrad::storage {
namespace {

constexpr std::size_t kAligned = 64;
// Blocks of at least so many bytes are pages of their own, the others pieces of the heap.
constexpr std::size_t kOwnPages = std::size_t{64} << 10;

// Where there are no exceptions a call holds blocks too; what it needs for that lies before them.
constexpr std::size_t kHeldBefore = kThrows ? 0 : kAligned;
static_assert(kThrows || sizeof(slim::HeldOtherwise) <= kHeldBefore);

void* hold_block(void* room, std::size_t bytes) {
  if (kThrows || !room) return room;
  auto* const held = new (room) slim::HeldOtherwise;
  held->bytes = bytes;
  held->give_back = [](slim::HeldOtherwise* mine) noexcept {
    mine->bytes >= kOwnPages ? give_pages(mine, mine->bytes) : std::free(mine);
  };
  slim::Attempt::hold(held);
  return static_cast<char*>(room) + kHeldBefore;
}

}  // namespace

Block allocate(Device device, std::size_t bytes) {
  expect_device(device);
  void* data = nullptr;
  const std::size_t room = bytes + kHeldBefore;  // half of what can be addressed at most (check_extents)
  if (room >= kOwnPages) {
    data = hold_block(take_pages(room, 0), room);
  } else if (bytes > 0) {
    data = hold_block(std::aligned_alloc(kAligned, (room + kAligned - 1) / kAligned * kAligned), room);
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
  if (bytes > 0 && !(bytes + kHeldBefore >= kOwnPages && kZeroPages)) std::memset(block.data, 0, bytes);
  return block;
}

void release(const Block& block) noexcept {
  if (block.owner) return release_owned(block);
  if (!block.data) return;
  if constexpr (!kThrows) {
    auto* const held = reinterpret_cast<slim::HeldOtherwise*>(static_cast<char*>(block.data) - kHeldBefore);
    slim::Attempt::let_go(held);
    return held->give_back(held);
  }
  if (block.bytes >= kOwnPages) return give_pages(block.data, block.bytes);
  std::free(block.data);
}

void count_external(Device, std::int64_t) {}

}  // namespace mixgrad::storage
#endif
