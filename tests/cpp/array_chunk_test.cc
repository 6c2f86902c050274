// Memory of arrays that was let go and comes back: by several threads at once, and across fork.
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "array/chunk.h"
#include "check.h"

#if defined(__unix__)
#define MIXGRAD_TESTS_FORK 1
#include <sys/wait.h>
#include <unistd.h>
#else
#define MIXGRAD_TESTS_FORK 0
#endif

using mixgrad::Chunk;
using mixgrad::Device;
using mixgrad::ObjectMutex;
using mixgrad::Ref;

namespace {

constexpr size_t kChunkItems = 5000;
constexpr std::chrono::seconds kChunkPatience{20};

// Element i of number n is 1000 n + i. Counts its calls; `during` runs in the midst of each.
class CountedSource final : public mixgrad::ValueSource {
 public:
  void write(size_t which, void* to) const override {
    ++calls;
    auto* const items = static_cast<size_t*>(to);
    for (size_t i = 0; i < kChunkItems; ++i) items[i] = 0;
    if (during) during();
    for (size_t i = 0; i < kChunkItems; ++i) items[i] = 1000 * which + i;
  }
  std::function<void()> during;
  mutable std::atomic<int> calls{0};
};

bool holds(const void* data, size_t which) {
  const auto* const items = static_cast<const size_t*>(data);
  for (size_t i = 0; i < kChunkItems; ++i) {
    if (items[i] != 1000 * which + i) return false;
  }
  return true;
}

Ref<Chunk> chunk_of(const std::shared_ptr<CountedSource>& source) {
  Ref<Chunk> chunk = Chunk::make(Device(), kChunkItems * sizeof(size_t));
  chunk->make_later(source);
  return chunk;
}

// Runs all of them at once.
void at_once(size_t threads, const std::function<void(size_t)>& run) {
  std::atomic<size_t> waiting{threads};
  std::vector<std::thread> all;
  for (size_t t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (--waiting; waiting.load() > 0;) std::this_thread::yield();
      run(t);
    });
  }
  for (std::thread& thread : all) thread.join();
}

// Until `count` is reached or patience ends.
bool reached(const std::atomic<int>& at, int count) {
  const auto end = std::chrono::steady_clock::now() + kChunkPatience;
  while (at.load() < count && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return at.load() >= count;
}

}  // namespace

TEST(array_chunk_comes_back_once_for_all_who_ask) {
  for (int round = 0; round < 50; ++round) {
    const auto source = std::make_shared<CountedSource>();
    const Ref<Chunk> chunk = chunk_of(source);
    std::array<bool, 4> good{};
    at_once(good.size(), [&](size_t t) {
      if (t % 2 == 0) {
        chunk->ensure_for_reading();
        good[t] = holds(chunk->data(), 0);
      } else {
        good[t] = holds(chunk->borrow(), 0);
        chunk->give_back();
      }
    });
    for (const bool one : good) CHECK(one);
    CHECK_EQ(source->calls.load(), 1);
    CHECK_EQ(source.use_count(), 1L);  // memory that stays needs no source
  }
}

TEST(array_chunks_come_back_while_others_do) {
  // Each waits in the midst of writing until all have come there.
  constexpr int kThreads = 4;
  std::atomic<int> inside{0};
  std::array<bool, kThreads> met{}, good{};
  std::vector<Ref<Chunk>> chunks;
  for (size_t t = 0; t < kThreads; ++t) {
    const auto source = std::make_shared<CountedSource>();
    source->during = [&, t] {
      ++inside;
      met[t] = reached(inside, kThreads);
    };
    chunks.push_back(chunk_of(source));
  }
  at_once(kThreads, [&](size_t t) {
    chunks[t]->ensure_for_reading();
    good[t] = holds(chunks[t]->data(), 0);
  });
  for (size_t t = 0; t < kThreads; ++t) CHECK(met[t] && good[t]);
}

TEST(array_chunks_are_borrowed_and_let_go_by_many) {
  constexpr size_t kChunks = 3, kThreads = 4;
  const auto source = std::make_shared<CountedSource>();
  std::vector<Ref<Chunk>> chunks;
  for (size_t c = 0; c < kChunks; ++c) {
    chunks.push_back(chunk_of(source));
    chunks.back()->allow_rounding();
  }
  std::array<int, kThreads> bad{};
  at_once(kThreads, [&](size_t t) {
    for (size_t i = 0; i < 300; ++i) {
      Chunk& chunk = *chunks[(t * 7 + i * (t + 1)) % kChunks];
      bad[t] += !holds(chunk.borrow(), 0);
      chunk.give_back();
      chunk.let_go(i % 3 == 0 ? source : nullptr, 0);
    }
  });
  for (const int count : bad) CHECK_EQ(count, 0);
  CHECK(source->calls.load() > static_cast<int>(kChunks));
  // Who asks for good while others borrow keeps it.
  at_once(kThreads, [&](size_t t) {
    for (size_t i = 0; i < 100; ++i) {
      Chunk& chunk = *chunks[i % kChunks];
      if (t == 0) {
        chunk.ensure_for_reading();
        bad[t] += !holds(chunk.data(), 0);
        continue;
      }
      bad[t] += !holds(chunk.borrow(), 0);
      chunk.give_back();
      chunk.let_go(nullptr, 0);
    }
  });
  for (const int count : bad) CHECK_EQ(count, 0);
  const int calls = source->calls.load();
  for (const Ref<Chunk>& chunk : chunks) {
    chunk->let_go(source, 1);
    CHECK(holds(chunk->data(), 0));
  }
  CHECK_EQ(source->calls.load(), calls);
}

TEST(array_chunk_that_was_never_written_is_taken_once) {
  for (int round = 0; round < 50; ++round) {
    const Ref<Chunk> chunk = Chunk::make(Device(), 100);
    CHECK(chunk->was_never_written());
    std::array<const void*, 4> seen{};
    at_once(seen.size(), [&](size_t t) {
      if (t % 2 == 0) {
        chunk->ensure_for_reading();
        seen[t] = chunk->data();
      } else {
        seen[t] = chunk->borrow();
        chunk->give_back();
      }
    });
    for (const void* data : seen) CHECK(data && data == chunk->data());
    CHECK(!chunk->was_never_written());
  }
}

TEST(array_chunk_comes_back_after_a_failure) {
  const auto source = std::make_shared<CountedSource>();
  std::atomic<bool> fails{true};
  source->during = [&] {
    if (fails) mixgrad::fail(mixgrad::Status::out_of_memory, "[test] no room");
  };
  const Ref<Chunk> chunk = chunk_of(source);
  CHECK_THROWS(chunk->ensure_for_reading(), out_of_memory, "no room");
  CHECK_THROWS(chunk->borrow(), out_of_memory, "no room");
  fails = false;
  chunk->ensure();
  CHECK(holds(chunk->data(), 0));
}

TEST(array_object_mutex_keeps_others_out) {
  ObjectMutex mutex;
  constexpr int kTimes = 20000;
  int count = 0;
  at_once(4, [&](size_t) {
    for (int i = 0; i < kTimes; ++i) {
      const std::lock_guard<ObjectMutex> lock(mutex);
      ++count;
      if (i % 1000 == 0) std::this_thread::yield();
    }
  });
  CHECK_EQ(count, 4 * kTimes);
}

#if MIXGRAD_TESTS_FORK && !defined(__SANITIZE_THREAD__)
TEST(array_chunk_comes_back_in_a_child) {
  // The fork happens while a thread is writing; another sleeps until it is done.
  const auto source = std::make_shared<CountedSource>();
  std::atomic<int> inside{0}, forked{0}, asking{0};
  std::array<bool, 2> good{};
  source->during = [&] {
    ++inside;
    reached(forked, 1);
  };
  const Ref<Chunk> chunk = chunk_of(source);
  std::thread writer([&] { good[0] = holds(chunk->borrow(), 0); });
  const bool began = reached(inside, 1);
  std::thread sleeper([&] {
    ++asking;
    good[1] = holds(chunk->borrow(), 0);
  });
  reached(asking, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(20);
    forked = 1;
    chunk->ensure_for_reading();
    _exit(holds(chunk->data(), 0) ? 0 : 1);
  }
  forked = 1;
  int status = -1;
  waitpid(pid, &status, 0);
  writer.join();
  sleeper.join();
  CHECK(began && good[0] && good[1]);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  CHECK_EQ(source->calls.load(), 1);
}
#endif
