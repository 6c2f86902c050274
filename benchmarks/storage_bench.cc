// The pool against malloc (the peer unless a line names another): pairs of allocation and release, and first
// touch and reuse of large blocks. Each line is the median of alternating rounds (pool, malloc, pool, malloc)
// with their interquartile range.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "storage/block.h"
#include "storage/statistics.h"

namespace {

using mixgrad::Device;
using mixgrad::storage::Block;

constexpr int kRounds = 15;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Spread {
  double median, low, high;
};

Spread spread(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() / 4], times[times.size() * 3 / 4]};
}

// Runs both in turn, the first round of each unmeasured. `count`: operations in one run.
void compare(const char* name, double count, const std::function<void()>& pool,
             const std::function<void()>& peer) {
  std::vector<double> ours, theirs;
  for (int round = 0; round <= kRounds; ++round) {
    const double a = seconds(pool), b = seconds(peer);
    if (round == 0) continue;
    ours.push_back(a / count * 1e9);
    theirs.push_back(b / count * 1e9);
  }
  const Spread a = spread(ours), b = spread(theirs);
  std::printf("%-44s pool %10.1f ns [%.1f, %.1f]   peer %10.1f ns [%.1f, %.1f]   ratio %.2f\n", name,
              a.median, a.low, a.high, b.median, b.low, b.high, b.median / a.median);
}

// Keeps the compiler from removing an allocation.
void keep(void* data) { asm volatile("" : : "g"(data) : "memory"); }

void touch(void* data, std::size_t bytes) {
  auto* bytes_of = static_cast<volatile char*>(data);
  for (std::size_t i = 0; i < bytes; i += 4096) bytes_of[i] = 1;
}

void pairs(std::size_t bytes, int count, int threads) {
  const auto run = [threads](const std::function<void()>& work) {
    if (threads == 1) return work();
    std::vector<std::thread> team;
    for (int i = 0; i < threads; ++i) team.emplace_back(work);
    for (std::thread& thread : team) thread.join();
  };
  char name[64];
  std::snprintf(name, sizeof name, "allocate+release %zu B, %d thread(s)", bytes, threads);
  compare(
      name, count,
      [&] {
        run([&] {
          for (int i = 0; i < count; ++i) {
            const Block block = mixgrad::storage::allocate(Device::cpu(), bytes);
            keep(block.data);
            mixgrad::storage::release(block);
          }
        });
      },
      [&] {
        run([&] {
          for (int i = 0; i < count; ++i) {
            void* data = std::malloc(bytes);
            keep(data);
            std::free(data);
          }
        });
      });
}

// Many live at once: what a graph of small arrays does.
void burst(std::size_t bytes, int live, int rounds) {
  std::vector<Block> blocks(static_cast<std::size_t>(live));
  std::vector<void*> pointers(static_cast<std::size_t>(live));
  char name[64];
  std::snprintf(name, sizeof name, "%d live blocks of %zu B", live, bytes);
  compare(
      name, static_cast<double>(live) * rounds,
      [&] {
        for (int round = 0; round < rounds; ++round) {
          for (Block& block : blocks) block = mixgrad::storage::allocate(Device::cpu(), bytes);
          for (Block& block : blocks) mixgrad::storage::release(block);
        }
      },
      [&] {
        for (int round = 0; round < rounds; ++round) {
          for (void*& data : pointers) keep(data = std::malloc(bytes));
          for (void* data : pointers) std::free(data);
        }
      });
}

void large(std::size_t bytes) {
  char name[64];
  std::snprintf(name, sizeof name, "allocate, touch, release %zu MiB: reuse", bytes >> 20);
  const auto pool = [bytes] {
    const Block block = mixgrad::storage::allocate(Device::cpu(), bytes);
    touch(block.data, bytes);
    mixgrad::storage::release(block);
  };
  const auto peer = [bytes] {
    void* data = std::malloc(bytes);
    touch(data, bytes);
    std::free(data);
  };
  compare(name, 1, pool, peer);
  std::snprintf(name, sizeof name, "%zu MiB from the system; peer: mmap", bytes >> 20);
  compare(
      name, 1,
      [&] {
        mixgrad::storage::empty_cache(Device::cpu());
        pool();
      },
      [bytes] {
        void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        touch(data, bytes);
        munmap(data, bytes);
      });
}

}  // namespace

int main() {
  for (std::size_t bytes : {64, 1024, 4096, 32768}) pairs(bytes, 2000000, 1);
  pairs(256, 2000000, 2);
  for (std::size_t bytes : {65536, 1 << 20}) pairs(bytes, 200000, 1);
  burst(256, 1000, 200);
  burst(8192, 1000, 50);
  for (std::size_t mebibytes : {1, 16, 256}) large(mebibytes << 20);
}
