// Failures on demand: the program under test must survive each of its allocations failing.
#include <vector>

#include "base/error.h"
#include "check.h"
#include "storage/block.h"
#include "storage/failure.h"
#include "storage/statistics.h"

using mixgrad::Device;
using mixgrad::Error;
using mixgrad::Status;
using mixgrad::storage::allocate;
using mixgrad::storage::Block;
using mixgrad::storage::Buffer;
using mixgrad::storage::memory_info;
using mixgrad::storage::release;

namespace {

const Device kFailureDevice = Device::cpu(2000);

// Ends every rule with the test, also when a check throws.
struct Quiet {
  ~Quiet() { mixgrad::storage::fail_never(); }
};

// Holds some blocks of all kinds at a time.
void failure_program() {
  Buffer a(kFailureDevice, 10), b(kFailureDevice, 5000);
  for (int i = 0; i < 4; ++i) Buffer c(kFailureDevice, 50000u << i);
  Buffer d(mixgrad::storage::allocate_zeroed(kFailureDevice, 3000000));
  Buffer nothing(kFailureDevice, 0);
}

}  // namespace

TEST(storage_fails_at_every_step) {
  const Quiet quiet;
  mixgrad::storage::fail_after(1 << 30);
  failure_program();
  const std::int64_t steps = mixgrad::storage::failure_steps();
  CHECK_EQ(steps, std::int64_t{7});
  for (std::int64_t step = 1; step <= steps; ++step) {
    mixgrad::storage::fail_after(step);
    CHECK_THROWS(failure_program(), out_of_memory, "fail_after");
    CHECK_EQ(mixgrad::storage::failure_steps(), step);
    CHECK_EQ(memory_info(kFailureDevice).live_blocks, std::size_t{0});
    CHECK_EQ(memory_info(kFailureDevice).in_use, std::size_t{0});
    failure_program();  // the rule held once
  }
  mixgrad::storage::fail_after(steps + 1);
  failure_program();
}

TEST(storage_fails_every_third) {
  const Quiet quiet;
  mixgrad::storage::fail_every(3);
  int failed = 0;
  for (int i = 0; i < 30; ++i) {
    try {
      release(allocate(kFailureDevice, 100));
    } catch (const Error& error) {
      CHECK(error.status() == Status::out_of_memory);
      ++failed;
    }
  }
  CHECK_EQ(failed, 10);
  mixgrad::storage::fail_never();
  for (int i = 0; i < 30; ++i) release(allocate(kFailureDevice, 100));
}

TEST(storage_fails_over_a_sum) {
  const Quiet quiet;
  mixgrad::storage::fail_over(10000);
  Buffer held(kFailureDevice, 8192);
  CHECK_THROWS(allocate(kFailureDevice, 2000), out_of_memory, "fail_over");
  CHECK_THROWS(allocate(kFailureDevice, 1 << 20), out_of_memory, "in use 8192 bytes");
  release(allocate(kFailureDevice, 1500));
  held = Buffer();
  mixgrad::storage::fail_over(0);
  release(allocate(kFailureDevice, 1 << 20));
}

TEST(storage_empties_caches_when_the_system_refuses) {
  const Quiet quiet;
  const Device device = Device::cpu(2001);
  const std::size_t size = std::size_t{4} << 20;
  release(allocate(device, size));
  CHECK_EQ(memory_info(device).pooled, size);
  mixgrad::storage::fail_system(1);
  const Block block = allocate(device, 4 * size);  // refused once, then served
  CHECK_EQ(memory_info(device).pooled, std::size_t{0});
  CHECK_EQ(memory_info(device).reserved, 4 * size);
  mixgrad::storage::fail_system(2);
  CHECK_THROWS(allocate(device, 2 * size), out_of_memory, "the system refused");
  CHECK_EQ(memory_info(device).reserved, 4 * size);
  mixgrad::storage::fail_system(2);
  CHECK_THROWS(allocate(device, 10), out_of_memory, "no room for 10 bytes");
  release(block);
  const Block reused = allocate(device, 4 * size);
  CHECK_EQ(memory_info(device).allocations, std::uint64_t{3});
  release(reused);
  mixgrad::storage::empty_cache(device);
}

TEST(storage_small_blocks_make_room_for_large_ones) {
  const Quiet quiet;
  const Device device = Device::cpu(2002);
  std::vector<Block> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(allocate(device, 1024));
  for (const Block& block : blocks) release(block);
  mixgrad::storage::fail_system(1);
  const Block large = allocate(device, std::size_t{3} << 20);
  CHECK_EQ(memory_info(device).pooled, std::size_t{0});
  release(large);
}
