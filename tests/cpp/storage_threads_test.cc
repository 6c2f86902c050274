// Blocks that change threads, threads that end, and fork.
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "base/error.h"
#include "check.h"
#include "storage/block.h"
#include "storage/statistics.h"

#if defined(__unix__)
#define MIXGRAD_TESTS_FORK 1
#include <sys/wait.h>
#include <unistd.h>
#else
#define MIXGRAD_TESTS_FORK 0
#endif

using mixgrad::Device;
using mixgrad::storage::allocate;
using mixgrad::storage::Block;
using mixgrad::storage::Buffer;
using mixgrad::storage::empty_cache;
using mixgrad::storage::memory_info;
using mixgrad::storage::release;

namespace {

// Outlives the caches of its thread when it is made before them.
struct LateBuffer {
  Buffer buffer;
  ~LateBuffer() {
    buffer = Buffer();
    for (std::size_t bytes : {100, 100000}) release(allocate(Device::cpu(3002), bytes));
  }
};

}  // namespace

TEST(storage_release_on_another_thread) {
  const Device device = Device::cpu(3000);
  constexpr int kSlots = 64, kBlocks = 20000;
  std::vector<std::atomic<Block*>> slots(kSlots);
  for (auto& slot : slots) slot.store(nullptr);
  std::atomic<int> received{0};
  std::vector<std::thread> threads;
  for (int producer = 0; producer < 2; ++producer) {
    threads.emplace_back([&, producer] {
      for (int i = 0; i < kBlocks; ++i) {
        const std::size_t bytes = static_cast<std::size_t>(i * 37 % 2000 + 1) * (i % 50 == 0 ? 100 : 1);
        auto* block = new Block(allocate(device, bytes));
        std::memset(block->data, producer + 1, bytes);
        auto& slot = slots[static_cast<std::size_t>((i * 2 + producer) % kSlots)];
        Block* empty = nullptr;
        while (!slot.compare_exchange_weak(empty, block, std::memory_order_acq_rel)) {
          empty = nullptr;
          std::this_thread::yield();
        }
      }
    });
  }
  std::atomic<bool> whole{true};
  for (int consumer = 0; consumer < 2; ++consumer) {
    threads.emplace_back([&] {
      while (received.load() < 2 * kBlocks) {
        for (auto& slot : slots) {
          Block* block = slot.exchange(nullptr, std::memory_order_acq_rel);
          if (!block) continue;
          const auto* data = static_cast<const char*>(block->data);
          if (data[0] != data[block->bytes - 1]) whole = false;
          release(*block);
          delete block;
          ++received;
        }
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(whole.load());
  auto info = memory_info(device);
  CHECK_EQ(info.in_use, std::size_t{0});
  CHECK_EQ(info.live_blocks, std::size_t{0});
  CHECK_EQ(info.allocations, std::uint64_t{2 * kBlocks});
  // The threads have ended and took nothing with them.
  empty_cache(device);
  CHECK_EQ(memory_info(device).reserved, std::size_t{0});
}

TEST(storage_statistics_while_threads_work) {
  const Device device = Device::cpu(3001);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      std::vector<Block> held;
      while (!stop.load()) {
        for (int j = 0; j < 200; ++j) held.push_back(allocate(device, 1000));
        for (const Block& block : held) release(block);
        held.clear();
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    const auto info = memory_info(device);
    CHECK(info.in_use <= 2 * 200 * 1024 && info.peak <= 2 * 200 * 1024 + 2 * 65536);
    if (i % 10 == 0) mixgrad::storage::reset_peak(device);
    if (i % 50 == 0) mixgrad::storage::trim(device, 0);
    std::this_thread::yield();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(memory_info(device).in_use, std::size_t{0});
  empty_cache(device);
  CHECK_EQ(memory_info(device).reserved, std::size_t{0});
}

// Threads that run out of room at the same moment each ask for an arena, and only one of those is needed.
TEST(storage_gives_back_arenas_that_threads_asked_for_at_once) {
  const Device device = Device::cpu(3003);
  constexpr int kThreads = 4;
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        ++ready;
        while (ready.load() < kThreads) std::this_thread::yield();
        const Block block = allocate(device, std::size_t{1} << 20);
        release(block);
      });
    }
    for (std::thread& thread : threads) thread.join();
    empty_cache(device);
    CHECK_EQ(memory_info(device).reserved, std::size_t{0});
  }
}

TEST(storage_blocks_outlive_a_threads_caches) {
  const Device device = Device::cpu(3002);
  std::thread([&] {
    thread_local LateBuffer late;
    late.buffer = Buffer(device, 100);
  }).join();
  const auto info = memory_info(device);
  CHECK_EQ(info.live_blocks, std::size_t{0});
  CHECK_EQ(info.in_use, std::size_t{0});
  CHECK_EQ(info.allocations, std::uint64_t{3});
  empty_cache(device);
  CHECK_EQ(memory_info(device).reserved, std::size_t{0});
}

#if MIXGRAD_TESTS_FORK
TEST(storage_works_in_a_forked_child) {
  const Device device = Device::cpu(3003);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (std::size_t n = 1; !stop.load(); n = n * 7 % 300007) release(allocate(device, n));
    });
  }
  Buffer kept(device, 5000);
  std::memset(kept.data(), 9, 5000);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      bool good = static_cast<char*>(kept.data())[4999] == 9;
      for (std::size_t n = 1; n < 500000; n += n / 2 + 1) {
        const Block block = allocate(device, n);
        good = good && block.data && block.data != kept.data();
        std::memset(block.data, 1, n);
        release(block);
      }
      good = good && static_cast<char*>(kept.data())[0] == 9;
      empty_cache(device);
      _exit(good ? 0 : 1);
    }
    int state = 1;
    waitpid(child, &state, 0);
    CHECK(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}
#endif
