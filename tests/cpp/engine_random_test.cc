// Random programs: whatever runs in parallel, the numbers are those of the program run line by line.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "check.h"
#include "engine/engine.h"

namespace {

using namespace mixgrad;
using namespace mixgrad::engine;

constexpr int kVars = 64;

// MIXGRAD_TEST_TASKS=1000000 makes the long run.
int random_tasks(int ordinary) {
  const char* count = std::getenv("MIXGRAD_TEST_TASKS");
  return count ? std::atoi(count) : ordinary;
}

struct Random {
  std::uint64_t state;
  std::uint32_t next(std::uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % limit);
  }
};

// One task: cells[writes] become a hash of cells[reads]. A cell only in `writes` is overwritten.
struct Step {
  std::uint8_t reads[4], writes[3];
  std::uint8_t read_count, write_count;
  std::uint8_t delay;  // 0 none, 1 spin, 2 yield, 3 sleep
  bool inline_ok, parallel;
  std::uint8_t lane;
  std::int8_t priority;
};

Step random_step(Random& random, int first, int count) {
  Step step{};
  step.read_count = static_cast<std::uint8_t>(random.next(5));
  step.write_count = static_cast<std::uint8_t>(random.next(8) == 0 ? 0 : 1 + random.next(3));
  for (auto& read : step.reads) read = static_cast<std::uint8_t>(first + random.next(count));
  for (auto& write : step.writes) write = static_cast<std::uint8_t>(first + random.next(count));
  const std::uint32_t delay = random.next(1000);
  step.delay = delay == 0 ? 3 : delay < 10 ? 2 : delay < 60 ? 1 : 0;
  step.inline_ok = random.next(2) == 0;
  step.parallel = random.next(8) == 0;
  step.lane = static_cast<std::uint8_t>(random.next(10) == 0 ? 1 + random.next(2) : 0);
  step.priority = static_cast<std::int8_t>(random.next(4) == 0 ? int(random.next(7)) - 3 : 0);
  return step;
}

void pause_a_little(int delay) {
  if (delay == 1) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(3);
    while (std::chrono::steady_clock::now() < until) {
    }
  } else if (delay == 2) {
    std::this_thread::yield();
  } else if (delay == 3) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

void run_step(const Step& step, std::uint64_t* cells) {
  pause_a_little(step.delay);
  std::uint64_t sum = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < step.read_count; ++i) sum = (sum ^ cells[step.reads[i]]) * 0xff51afd7ed558ccdu + 1;
  for (int i = 0; i < step.write_count; ++i) cells[step.writes[i]] = sum = sum * 31 + step.writes[i];
}

void push_step(Engine& engine, const Step& step, std::uint64_t* cells, const std::vector<Ref<Var>>& vars) {
  std::vector<Var*> reads, writes;
  for (int i = 0; i < step.read_count; ++i) reads.push_back(vars[step.reads[i]].get());
  for (int i = 0; i < step.write_count; ++i) writes.push_back(vars[step.writes[i]].get());
  TaskInfo info;
  info.name = "step";
  info.inline_ok = step.inline_ok;
  info.parallel = step.parallel;
  info.lane = step.lane;
  info.priority = step.priority;
  engine.push([step, cells] { run_step(step, cells); }, reads, writes, info);
}

std::vector<Ref<Var>> make_vars() {
  std::vector<Ref<Var>> vars;
  for (int i = 0; i < kVars; ++i) vars.push_back(make_var());
  return vars;
}

std::unique_ptr<Engine> threaded(int workers, std::uint64_t seed = 0) {
  EngineOptions options;
  options.compute_workers = workers;
  options.random_seed = seed;
  return std::unique_ptr<Engine>(make_threaded(options));
}

// `threads` users push programs of their own over separate cells; each may wait in between.
void compare(Engine& engine, int tasks, int threads, std::uint64_t seed) {
  std::vector<std::uint64_t> expected(kVars, 1), cells(kVars, 1);
  const std::vector<Ref<Var>> vars = make_vars();
  const int share = kVars / threads;
  for (int t = 0; t < threads; ++t) {
    Random random{seed + static_cast<std::uint64_t>(t)};
    for (int i = 0; i < tasks / threads; ++i) {
      const Step step = random_step(random, t * share, share);
      Step quick = step;
      quick.delay = 0;
      run_step(quick, expected.data());
      random.next(2000);
    }
  }
  std::vector<std::thread> users;
  for (int t = 0; t < threads; ++t) {
    users.emplace_back([&, t] {
      Random random{seed + static_cast<std::uint64_t>(t)};
      for (int i = 0; i < tasks / threads; ++i) {
        const Step step = random_step(random, t * share, share);
        push_step(engine, step, cells.data(), vars);
        if (random.next(2000) == 0)
          engine.wait_for_var(vars[t * share].get(), i % 2 ? Wait::to_read : Wait::to_write);
      }
    });
  }
  for (std::thread& user : users) user.join();
  engine.wait_for_all();
  for (int i = 0; i < kVars; ++i) {
    CHECK_EQ(cells[i], expected[i]);
    CHECK(vars[i]->idle());
    CHECK_EQ(vars[i]->version(), vars[i]->push_version());
  }
}

}  // namespace

TEST(engine_random_serial) {
  std::unique_ptr<Engine> engine(make_serial());
  compare(*engine, random_tasks(40000), 1, 1);
}
TEST(engine_random_one_worker) { compare(*threaded(1), random_tasks(60000), 1, 2); }
TEST(engine_random_two_workers) { compare(*threaded(2), random_tasks(60000), 1, 3); }
TEST(engine_random_eight_workers) { compare(*threaded(8), random_tasks(60000), 1, 4); }
TEST(engine_random_order) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    compare(*threaded(3, seed), random_tasks(60000) / 4, 1, seed);
}
TEST(engine_random_four_users) {
  compare(*threaded(2), random_tasks(60000), 4, 6);
  compare(*threaded(8, 7), random_tasks(60000), 4, 7);
}
TEST(engine_random_four_users_serial) {
  std::unique_ptr<Engine> engine(make_serial());
  compare(*engine, random_tasks(40000), 4, 8);
}
