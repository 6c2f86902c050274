// Sizes, alignment, reuse, statistics, limits and errors of the pool, from one thread.
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "check.h"
#include "storage/block.h"
#include "storage/poison.h"
#include "storage/size_class.h"
#include "storage/statistics.h"

using mixgrad::Device;
using mixgrad::storage::allocate;
using mixgrad::storage::Block;
using mixgrad::storage::Buffer;
using mixgrad::storage::empty_cache;
using mixgrad::storage::memory_info;
using mixgrad::storage::MemoryInfo;
using mixgrad::storage::release;

namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

// A device no other test uses, so that its numbers start at zero.
Device own_device() {
  static int next = 1000;
  return Device::cpu(next++);
}

void check_sum(const MemoryInfo& info) { CHECK_EQ(info.reserved, info.in_use + info.pooled); }

}  // namespace

TEST(storage_size_classes_waste_at_most_an_eighth) {
  using mixgrad::storage::size_class_of;
  using mixgrad::storage::size_of_class;
  int before = 0;
  for (std::size_t bytes = 1; bytes <= mixgrad::storage::kSmallLimit; ++bytes) {
    const int size_class = size_class_of(bytes);
    const std::size_t size = size_of_class(size_class);
    if (size_class != before && size_class != before + 1) CHECK(!"classes follow each other");
    before = size_class;
    if (size < bytes || size % 64 != 0) CHECK(!"a class holds its requests");
    if (bytes > 512 && (size - bytes) * 8 > bytes) CHECK(!"waste is at most 1/8");
    if (size_class_of(size) != size_class) CHECK(!"a class's own size is of the class");
  }
  CHECK_EQ(before, mixgrad::storage::kSizeClasses - 1);
}

TEST(storage_blocks_are_aligned_and_whole) {
  const Device device = own_device();
  std::vector<Block> blocks;
  for (std::size_t bytes = 1; bytes < 64 * kMebibyte; bytes += bytes / 3 + 1) {
    const Block block = allocate(device, bytes);
    CHECK_EQ(block.bytes, bytes);
    CHECK(block.capacity >= bytes);
    if (bytes > 32768) CHECK((block.capacity - bytes) * 8 <= bytes);
    CHECK_EQ(reinterpret_cast<std::uintptr_t>(block.data) % 64, std::uintptr_t{0});
    std::memset(block.data, 0x5a, bytes);
    blocks.push_back(block);
  }
  check_sum(memory_info(device));
  for (const Block& block : blocks) release(block);
  CHECK_EQ(memory_info(device).in_use, std::size_t{0});
  empty_cache(device);
  CHECK_EQ(memory_info(device).reserved, std::size_t{0});
}

TEST(storage_blocks_are_reused) {
  const Device device = own_device();
  for (std::size_t bytes : {std::size_t{100}, std::size_t{5000}, std::size_t{100000}, 16 * kMebibyte}) {
    const Block first = allocate(device, bytes);
    release(first);
    const Block second = allocate(device, bytes);
    CHECK(first.data == second.data);
    release(second);
  }
  // A little less is served by the same block, a lot less is not.
  const Block big = allocate(device, 16 * kMebibyte);
  release(big);
  const Block less = allocate(device, 15 * kMebibyte);
  CHECK(less.data == big.data);
  CHECK_EQ(less.capacity, 16 * kMebibyte);
  release(less);
  const Block half = allocate(device, 8 * kMebibyte);
  CHECK(half.data != big.data);
  release(half);
  empty_cache(device);
}

TEST(storage_zero_bytes) {
  const Device device = own_device();
  const Block block = allocate(device, 0);
  CHECK(block.data == nullptr && block.bytes == 0 && block.capacity == 0);
  CHECK(block.device == device);
  release(block);
  release(Block());
  CHECK_EQ(memory_info(device).allocations, std::uint64_t{0});
  CHECK(mixgrad::storage::allocate_zeroed(device, 0).data == nullptr);
}

TEST(storage_zeroed) {
  const Device device = own_device();
  for (std::size_t bytes : {std::size_t{1}, std::size_t{1000}, std::size_t{40000}, 2 * kMebibyte}) {
    for (int round = 0; round < 3; ++round) {
      const Block block = mixgrad::storage::allocate_zeroed(device, bytes);
      const auto* data = static_cast<const unsigned char*>(block.data);
      bool zero = true;
      for (std::size_t i = 0; i < bytes; ++i) zero = zero && data[i] == 0;
      CHECK(zero);
      std::memset(block.data, 0xff, bytes);
      release(block);
      if (round == 1) empty_cache(device);
    }
  }
}

TEST(storage_statistics_are_exact) {
  const Device device = own_device();
  const Device other = own_device();
  MemoryInfo info = memory_info(device);
  CHECK(info.in_use == 0 && info.peak == 0 && info.reserved == 0 && info.allocations == 0);
  const Block a = allocate(device, 100), b = allocate(device, 1000), c = allocate(device, 100000);
  const std::size_t sum = 128 + 1024 + 102400;
  info = memory_info(device);
  CHECK_EQ(info.in_use, sum);
  CHECK_EQ(info.peak, sum);
  CHECK_EQ(info.live_blocks, std::size_t{3});
  CHECK_EQ(info.allocations, std::uint64_t{3});
  CHECK_EQ(info.cache_hits, std::uint64_t{2});  // the first one brought an arena
  check_sum(info);
  release(c);
  const Block d = allocate(device, 200);
  info = memory_info(device);
  CHECK_EQ(info.in_use, std::size_t{128 + 1024 + 256});
  CHECK_EQ(info.peak, sum);
  mixgrad::storage::reset_peak(device);
  CHECK_EQ(memory_info(device).peak, std::size_t{128 + 1024 + 256});
  release(a);
  CHECK_EQ(memory_info(device).peak, std::size_t{128 + 1024 + 256});
  mixgrad::storage::reset_peak(device);
  CHECK_EQ(memory_info(device).peak, std::size_t{1024 + 256});
  release(b);
  release(d);
  info = memory_info(device);
  CHECK_EQ(info.in_use, std::size_t{0});
  CHECK_EQ(info.live_blocks, std::size_t{0});
  CHECK_EQ(info.allocations, std::uint64_t{4});
  CHECK_EQ(memory_info(other).allocations, std::uint64_t{0});
}

TEST(storage_peak_of_many_small_blocks) {
  const Device device = own_device();
  std::vector<Block> blocks;
  for (int i = 0; i < 5000; ++i) blocks.push_back(allocate(device, 640));
  for (const Block& block : blocks) release(block);
  CHECK_EQ(memory_info(device).peak, std::size_t{5000 * 640});
  const Block block = allocate(device, 640);
  CHECK_EQ(memory_info(device).peak, std::size_t{5000 * 640});
  CHECK_EQ(memory_info(device).in_use, std::size_t{640});
  release(block);
}

TEST(storage_trim_and_limits) {
  const Device device = own_device();
  std::vector<Block> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(allocate(device, 4 * kMebibyte));
  for (const Block& block : blocks) release(block);
  CHECK_EQ(memory_info(device).pooled, 32 * kMebibyte);
  CHECK_EQ(mixgrad::storage::trim(device, 20 * kMebibyte), 12 * kMebibyte);
  CHECK_EQ(memory_info(device).pooled, 20 * kMebibyte);
  const auto start = mixgrad::storage::limits(device);
  mixgrad::storage::set_limits(device, {8 * kMebibyte, start.total_bytes});
  CHECK_EQ(memory_info(device).pooled, 8 * kMebibyte);
  release(allocate(device, 6 * kMebibyte));  // the oldest go, the new one stays
  CHECK_EQ(memory_info(device).pooled, 6 * kMebibyte);
  release(allocate(device, 10 * kMebibyte));  // larger than all that may be idle
  CHECK_EQ(memory_info(device).pooled, 6 * kMebibyte);
  mixgrad::storage::set_limits(device, {start.idle_bytes, 16 * kMebibyte});
  const Block held = allocate(device, 6 * kMebibyte);
  release(allocate(device, 4 * kMebibyte));
  release(allocate(device, 9 * kMebibyte));  // fits once the idle block has gone
  CHECK_THROWS(allocate(device, 11 * kMebibyte), out_of_memory, "set_limits allows no more");
  CHECK_THROWS(allocate(device, 11 * kMebibyte), out_of_memory, "limit 16777216 bytes (16 MiB)");
  release(held);
  empty_cache(device);
  CHECK_EQ(memory_info(device).reserved, std::size_t{0});
}

TEST(storage_trim_gives_all_small_blocks_back) {
  const Device device = own_device();
  std::vector<Block> blocks;
  for (int i = 0; i < 20000; ++i) blocks.push_back(allocate(device, static_cast<std::size_t>(i) % 3000 + 1));
  CHECK(memory_info(device).reserved > 20 * kMebibyte);
  for (const Block& block : blocks) release(block);
  CHECK(empty_cache(device) > 20 * kMebibyte);
  CHECK_EQ(memory_info(device).reserved, std::size_t{0});
}

TEST(storage_out_of_memory_is_an_error) {
  const Device device = own_device();
  const std::string expected = device.name() + " has no room for";
  const Block held = allocate(device, 1000);
  const std::size_t all = std::numeric_limits<std::size_t>::max();
  for (std::size_t bytes : {std::size_t{1} << 60, all, all - 4095, all / 2, all / 4, all / 4 + 1}) {
    CHECK_THROWS(allocate(device, bytes), out_of_memory, expected.c_str());
    CHECK_THROWS(mixgrad::storage::allocate_zeroed(device, bytes), out_of_memory, "in use 1024 bytes");
  }
  CHECK_THROWS(allocate(device, std::size_t{1} << 60), out_of_memory, "1152921504606846976 bytes (1 EiB)");
  CHECK_EQ(memory_info(device).in_use, std::size_t{1024});
  check_sum(memory_info(device));
  release(held);
}

TEST(storage_absent_devices) {
  CHECK_THROWS(allocate(Device::gpu(0), 10), unsupported, "gpu(0)");
  CHECK_THROWS(allocate(Device::gpu(0), 0), unsupported, "gpu(0)");
  CHECK_THROWS(memory_info(Device::gpu(1)), unsupported, "gpu(1)");
  CHECK_THROWS(allocate(Device::cpu(-1), 10), invalid_argument, "cpu(-1)");
}

TEST(storage_wraps_memory_owned_elsewhere) {
  const Device device = own_device();
  int released = 0;
  char bytes[100];
  const Block block = mixgrad::storage::wrap(device, bytes, sizeof bytes, [&] { ++released; });
  CHECK(block.data == bytes && block.bytes == 100);
  CHECK_EQ(memory_info(device).external, std::size_t{100});
  CHECK_EQ(memory_info(device).in_use, std::size_t{0});
  CHECK_EQ(released, 0);
  release(block);
  CHECK_EQ(released, 1);
  CHECK_EQ(memory_info(device).external, std::size_t{0});
  release(mixgrad::storage::wrap(device, nullptr, 0, [&] { ++released; }));
  CHECK_EQ(released, 2);
  CHECK_THROWS(mixgrad::storage::wrap(device, nullptr, 5, {}), invalid_argument, "5 bytes");
}

TEST(storage_buffer_owns_its_block) {
  const Device device = own_device();
  {
    Buffer first(device, 100);
    Buffer second = std::move(first);
    CHECK(first.data() == nullptr && second.data() != nullptr);
    Buffer third(device, 200);
    third = std::move(second);
    CHECK_EQ(third.bytes(), std::size_t{100});
    release(Buffer(device, 300).detach());
  }
  CHECK_EQ(memory_info(device).live_blocks, std::size_t{0});
}

#if MIXGRAD_ASAN
TEST(storage_idle_memory_is_poisoned) {
  const Device device = own_device();
  for (std::size_t bytes : {std::size_t{100}, std::size_t{5000}, std::size_t{100001}, 3 * kMebibyte + 5}) {
    const Block block = allocate(device, bytes);
    auto* data = static_cast<char*>(block.data);
    CHECK(!__asan_region_is_poisoned(data, bytes));
    CHECK(__asan_address_is_poisoned(data + bytes));
    release(block);
    CHECK(__asan_address_is_poisoned(data));
    CHECK(__asan_address_is_poisoned(data + bytes - 1));
    release(allocate(device, bytes));
    CHECK(__asan_address_is_poisoned(data));
  }
}
#endif
