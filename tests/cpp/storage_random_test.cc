// Random programs against a model that knows every live block: no overlap, no lost byte, exact sums.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "base/error.h"
#include "check.h"
#include "storage/block.h"
#include "storage/failure.h"
#include "storage/statistics.h"

using mixgrad::Device;
using mixgrad::storage::Block;

namespace {

struct Shadow {
  Block block;
  unsigned char pattern;
};

bool filled_with(const Block& block, unsigned char pattern) {
  const auto* data = static_cast<const unsigned char*>(block.data);
  return block.bytes == 0 || (data[0] == pattern && std::memcmp(data, data + 1, block.bytes - 1) == 0);
}

// Mostly small, sometimes large, now and then huge or nothing.
std::size_t random_size(std::mt19937& random) {
  const auto kind = random() % 100;
  if (kind < 2) return 0;
  if (kind < 70) return random() % 2048 + 1;
  if (kind < 90) return random() % 40000 + 1;
  if (kind < 99) return random() % 600000 + 1;
  return random() % 20000000 + 1;
}

void run_random_program(unsigned seed, int steps) {
  const Device device = Device::cpu(static_cast<int>(4000 + seed));
  std::mt19937 random(seed);
  std::vector<Shadow> live;
  std::map<const char*, const char*> ranges;  // begin to end of live blocks, by capacity
  std::size_t in_use = 0, peak = 0;
  std::uint64_t allocations = 0;
  bool good = true;
  const auto drop = [&](std::size_t i) {
    const Shadow shadow = live[i];
    live[i] = live.back();
    live.pop_back();
    good = good && filled_with(shadow.block, shadow.pattern);
    in_use -= shadow.block.capacity;
    if (shadow.block.data) ranges.erase(static_cast<const char*>(shadow.block.data));
    mixgrad::storage::release(shadow.block);
  };
  for (int step = 0; step < steps && good; ++step) {
    const auto what = random() % 1000;
    if (what < 520 && live.size() < 400) {
      const std::size_t bytes = random_size(random);
      if (random() % 40 == 0) mixgrad::storage::fail_system(random() % 3);
      Block block;
      try {
        block = mixgrad::storage::allocate(device, bytes);
      } catch (const mixgrad::Error& error) {
        good = good && error.status() == mixgrad::Status::out_of_memory;
        mixgrad::storage::fail_never();
        continue;
      }
      mixgrad::storage::fail_never();
      const auto pattern = static_cast<unsigned char>(random());
      if (bytes) {
        std::memset(block.data, pattern, bytes);
        const char* begin = static_cast<const char*>(block.data);
        const char* end = begin + block.capacity;
        const auto next = ranges.lower_bound(begin);
        good = good && (next == ranges.end() || next->first >= end);
        good = good && (next == ranges.begin() || std::prev(next)->second <= begin);
        ranges[begin] = end;
        ++allocations;
      }
      in_use += block.capacity;
      peak = std::max(peak, in_use);
      live.push_back({block, pattern});
    } else if (what < 995) {
      if (!live.empty()) drop(random() % live.size());
    } else if (what < 998) {
      mixgrad::storage::trim(device, random() % 4000000);
    } else {
      while (!live.empty()) drop(random() % live.size());
    }
    const auto info = mixgrad::storage::memory_info(device);
    good = good && info.in_use == in_use && info.peak == peak && info.allocations == allocations;
    good = good && info.live_blocks == ranges.size() && info.reserved == info.in_use + info.pooled;
  }
  CHECK(good);
  while (!live.empty()) drop(live.size() - 1);
  mixgrad::storage::empty_cache(device);
  CHECK_EQ(mixgrad::storage::memory_info(device).reserved, std::size_t{0});
}

}  // namespace

TEST(storage_random_programs) {
  for (unsigned seed = 0; seed < 6; ++seed) run_random_program(seed, 4000);
}
