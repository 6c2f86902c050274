// The process around the engine: shutdown, fork, memory, profiler, choice of engine.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../allocation/fail_new.h"
#include "base/parallel.h"
#include "check.h"
#include "device/simulated.h"
#include "engine/engine.h"
#include "engine/profiler.h"
#include "engine/task_pool.h"
#include "engine/threaded.h"

namespace {

using mixgrad::Ref;
using mixgrad::engine::Engine;
using mixgrad::engine::EngineKind;
using mixgrad::engine::EngineOptions;
using mixgrad::engine::make_var;
using mixgrad::engine::TaskInfo;
using mixgrad::engine::ThreadedEngine;
using mixgrad::engine::Var;

#if defined(__SANITIZE_THREAD__)
constexpr bool process_under_tsan = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool process_under_tsan = true;
#else
constexpr bool process_under_tsan = false;
#endif
#else
constexpr bool process_under_tsan = false;
#endif

// MIXGRAD_TEST_PUSHES=10000000 makes the long run.
int process_pushes(int ordinary) {
  const char* count = std::getenv("MIXGRAD_TEST_PUSHES");
  return count ? std::atoi(count) : ordinary;
}

long resident_bytes() {
  long pages = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * sysconf(_SC_PAGESIZE);
}

std::unique_ptr<ThreadedEngine> process_engine_with(int workers) {
  EngineOptions options;
  options.compute_workers = workers;
  return std::make_unique<ThreadedEngine>(options);
}

// Runs `child` in a forked process and returns its exit status; 255 when it had to be killed.
template <class F>
int in_child(F&& child) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(20);
    int status = 99;
    try {
      status = child();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    } catch (const check::Failed& failed) {
      std::fprintf(stderr, "child: %s\n", failed.message.c_str());
    }
    _exit(status);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

int count_to(Engine& engine, Var* var, int tasks) {
  int count = 0;
  TaskInfo parallel;
  parallel.parallel = true;
  for (int i = 0; i < tasks; ++i) {
    engine.push(
        [&count] {
          std::atomic<int> ranges{0};
          mixgrad::parallel_for(1000, 1,
                                [&](std::int64_t begin, std::int64_t end) { ranges += int(end - begin); });
          count += ranges / 1000;
        },
        {}, {var}, parallel);
  }
  engine.wait_for_var(var);
  return count;
}

}  // namespace

TEST(engine_process_shutdown_finishes_work) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done{0};
    auto x = make_var();
    {
      auto engine = process_engine_with(1 + round % 3);
      for (int i = 0; i < 200; ++i) {
        engine->push([&done] { ++done; }, {},
                     i % 2 ? mixgrad::Span<Var* const>({x.get()}) : mixgrad::Span<Var* const>());
      }
    }
    CHECK_EQ(done.load(), 200);
    CHECK(x->idle());
  }
}

TEST(engine_process_pushes_after_shutdown) {
  auto engine = process_engine_with(2);
  auto x = make_var();
  std::atomic<int> done{0};
  std::vector<std::thread> users;
  for (int t = 0; t < 3; ++t) {
    users.emplace_back([&] {
      for (int i = 0; i < 3000; ++i) engine->push([&done] { ++done; }, {}, {x.get()});
    });
  }
  engine->shut_down(-1);  // while they push
  for (std::thread& user : users) user.join();
  engine->wait_for_all();
  CHECK_EQ(done.load(), 9000);
  engine->push([&] { engine->push([&done] { ++done; }, {}, {x.get()}); }, {}, {x.get()});
  engine->wait_for_var(x.get());
  CHECK_EQ(done.load(), 9001);
  TaskInfo extra;
  extra.lane = engine->add_lane("late", 1);
  engine->push([&done] { ++done; }, {}, {x.get()}, extra);
  engine->wait_for_all();
  CHECK_EQ(done.load(), 9002);
}

// A child leaves with this code behind the engine's exit work and before that of sanitizers, to which memory of the parent's
// threads looks lost in a child.
static int child_code = -1;
[[maybe_unused]] static const int child_leaves = std::atexit([] {
  if (child_code >= 0) _exit(child_code);
});

// Nobody could be told that a fork or the exit has no memory: they ask for none.
TEST(engine_process_forks_and_exits_without_memory) {
  if (process_under_tsan) return;  // it does not support threads after fork
  mixgrad::SimulatedCards cards;
  mixgrad::simulate_cards(cards);
  const mixgrad::Device card = mixgrad::Device::gpu(0);
  mixgrad::device_api(card).stream(card, mixgrad::StreamKind::compute);  // which a child makes anew
  cards.count = 0;
  mixgrad::simulate_cards(cards);
  auto engine = process_engine_with(2);
  auto x = make_var();
  int sum = 0;
  const auto add = [&] { engine->push([&sum] { ++sum; }, {}, {x.get()}); };
  for (int i = 0; i < 100; ++i) add();
  fail_new_start(1, 1);
  const pid_t pid = fork();
  const long asked = fail_new_stop();
  if (pid == 0) {
    add();
    engine->wait_for_all();
    fail_new_start(1, 1);
    child_code = sum == 101 ? 7 : 8;
    std::exit(9);
  }
  int status = 0;
  CHECK(waitpid(pid, &status, 0) == pid);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 7);
  CHECK_EQ(asked, 0);
  add();
  engine->wait_for_all();
  CHECK_EQ(sum, 101);
}

// Does nothing unless the next test starts it in a process of its own. What runs at exit is finished, what waits is dropped,
// the thread that exits may go on, and others may not: they are told, when the process stays for a while.
TEST(engine_process_exit_body) {
  if (!std::getenv("MIXGRAD_TEST_EXIT")) return;
  static std::atomic<int> begun{0}, done{0}, late{0};
  static std::atomic<bool> waiter_told{false}, pusher_told{false}, all_told{false};
  static const auto var = make_var();
  static Var* const chain[] = {var.get()};
  std::atexit([] {  // registered before the engine's handler, so it runs after it
    Engine::get().push([] { ++late; }, {}, {});
    for (int i = 0; i < 20000 && !(waiter_told && pusher_told && all_told); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const bool right = begun == done && begun < 100 && late == 1 && waiter_told && pusher_told && all_told;
    if (!right) _exit(8);
  });
  for (int i = 0; i < 100; ++i) {
    Engine::get().push(
        [] {
          ++begun;
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          ++done;
        },
        {}, chain);
  }
  while (begun == 0) std::this_thread::yield();
  const auto told = [](auto&& call) {
    try {
      call();
    } catch (const mixgrad::Error& error) {
      return error.status() == mixgrad::Status::stopped;
    }
    return false;
  };
  std::thread([told] { waiter_told = told([] { Engine::get().wait_for_var(var.get()); }); }).detach();
  std::thread([told] { all_told = told([] { Engine::get().wait_for_all(); }); }).detach();
  std::thread([told] {
    pusher_told = told([] {
      for (;;) {
        Engine::get().push([] {}, {}, {});
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::exit(7);
}

TEST(engine_process_exit_with_work_in_flight) {
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("MIXGRAD_TEST_EXIT", "1", 1);
    execl("/proc/self/exe", "tests", "engine_process_exit_body", static_cast<char*>(nullptr));
    _exit(99);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 7);
}

TEST(engine_process_fork) {
  if (process_under_tsan) return;  // it does not support threads after fork
  auto engine = process_engine_with(2);
  auto x = make_var(), y = make_var();
  CHECK_EQ(count_to(*engine, x.get(), 100), 100);
  for (int round = 0; round < 5; ++round) {
    std::atomic<int> done{0};
    for (int i = 0; i < 200; ++i) engine->push([&done] { ++done; }, {}, {y.get()});
    const int status = in_child([&] {
      CHECK_EQ(done.load(), 200);  // finished before the fork
      CHECK_EQ(count_to(*engine, x.get(), 50), 50);
      CHECK_EQ(count_to(Engine::get(), y.get(), 50), 50);
      return in_child([&] { return count_to(*engine, x.get(), 20) == 20 ? 3 : 4; });
    });
    CHECK_EQ(status, 3);
    CHECK_EQ(count_to(*engine, x.get(), 50), 50);
  }
  engine->wait_for_all();
}

TEST(engine_process_fork_while_others_push) {
  if (process_under_tsan) return;
  auto engine = process_engine_with(2);
  std::atomic<bool> stop{false};
  std::vector<std::thread> users;
  for (int t = 0; t < 2; ++t) {
    users.emplace_back([&] {
      auto own = make_var();
      while (!stop.load()) {
        for (int i = 0; i < 50; ++i) engine->push([] {}, {}, {own.get()});
        engine->wait_for_var(own.get());
      }
    });
  }
  for (int round = 0; round < 10; ++round) {
    const int status = in_child([&] {
      auto x = make_var();
      return count_to(*engine, x.get(), 50) == 50 ? 0 : 1;
    });
    CHECK_EQ(status, 0);
  }
  stop.store(true);
  for (std::thread& user : users) user.join();
  engine->wait_for_all();
}

TEST(engine_process_fork_inside_task) {
  if (process_under_tsan) return;
  auto engine = process_engine_with(2);
  auto x = make_var(), y = make_var();
  int status = -1;
  engine->push(
      [&] {
        status = in_child([&] {
          const int count = count_to(*engine, y.get(), 10);
          std::thread([&] { engine->wait_for_all(); }).join();  // this task itself is given up
          return count == 10 ? 5 : 6;
        });
      },
      {}, {x.get()});
  engine->wait_for_var(x.get());
  CHECK_EQ(status, 5);
}

// In the child a queued task finds the waiting thread of the parent in its Var's queue.
TEST(engine_process_fork_while_others_wait) {
  if (process_under_tsan) return;
  auto engine = process_engine_with(1);
  auto x = make_var(), y = make_var();
  std::atomic<bool> go{false};
  int status = -1;
  engine->push(
      [&] {
        while (!go.load()) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the user sleeps by now
        status = in_child([&] {
          std::vector<std::thread> others;  // whose stacks lie where the user's did
          for (int i = 0; i < 4; ++i) others.emplace_back([&] { engine->wait_for_var(y.get()); });
          for (std::thread& other : others) other.join();
          return count_to(*engine, y.get(), 10) == 10 ? 5 : 6;
        });
      },
      {}, {x.get()});
  engine->push([] {}, {}, {y.get()});
  std::thread user([&] {
    go.store(true);
    engine->wait_for_var(y.get());
  });
  engine->wait_for_all();
  user.join();
  CHECK_EQ(status, 5);
}

TEST(engine_process_memory_is_flat) {
  auto engine = process_engine_with(2);
  std::vector<Ref<Var>> vars;
  for (int i = 0; i < 16; ++i) vars.push_back(make_var());
  std::uint64_t sum = 0;
  const auto push = [&](int count) {
    for (int i = 0; i < count; ++i) {
      TaskInfo info;
      info.inline_ok = i % 4 == 0;
      engine->push([&sum] { ++sum; }, {vars[static_cast<std::size_t>(i % 15) + 1].get()}, {vars[0].get()},
                   info);
      if (i % 1000 == 999) engine->wait_for_var(vars[0].get());
    }
    engine->wait_for_all();
  };
  push(100000);
  const long before = resident_bytes();
  const std::size_t tasks_before = mixgrad::engine::task_pool_size();
  const int pushes = process_pushes(400000);
  push(pushes);
  CHECK_EQ(sum, 100000u + static_cast<std::uint64_t>(pushes));
  CHECK(mixgrad::engine::task_pool_size() < tasks_before + 1500);
  if (!process_under_tsan) CHECK(resident_bytes() - before < 1 << 20);
}

TEST(engine_process_runs_ahead_within_bounds) {
  auto engine = process_engine_with(1);
  auto x = make_var();
  const std::size_t before = mixgrad::engine::task_pool_size();
  for (int i = 0; i < 200000; ++i) engine->push([] {}, {}, {x.get()});
  CHECK(mixgrad::engine::task_pool_size() < before + 60000);
  engine->wait_for_all();
}

TEST(engine_process_profiler) {
  auto engine = process_engine_with(2);
  auto x = make_var();
  TaskInfo info;
  info.name = "named \"task\"\n";
  info.bytes = 4096;
  engine->push([] {}, {}, {x.get()}, info);
  engine->wait_for_all();
  mixgrad::engine::profiler_start();
  CHECK(mixgrad::engine::profiler_running());
  for (int i = 0; i < 10; ++i) {
    info.inline_ok = i % 2 == 0;
    engine->push([] { std::this_thread::sleep_for(std::chrono::microseconds(200)); }, {}, {x.get()}, info);
    engine->wait_for_all();
  }
  mixgrad::engine::profiler_stop();
  engine->push([] {}, {}, {x.get()}, info);
  engine->wait_for_all();
  const std::string trace = mixgrad::engine::profiler_trace();
  const auto occurrences = [&trace](const std::string& part) {
    int count = 0;
    for (std::size_t at = trace.find(part); at != std::string::npos; at = trace.find(part, at + 1)) ++count;
    return count;
  };
  CHECK_EQ(occurrences("\"name\":\"named \\\"task\\\"\\u000a\""), 10);
  CHECK_EQ(occurrences("\"cat\":\"inline\""), 5);
  CHECK_EQ(occurrences("\"cat\":\"compute\""), 5);
  CHECK_EQ(occurrences("\"bytes\":4096"), 10);
  const std::string path = "engine_profile_" + std::to_string(getpid()) + ".json";
  mixgrad::engine::profiler_dump(path);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::remove(path.c_str());
  CHECK(text.str() == trace);
  CHECK_THROWS(mixgrad::engine::profiler_dump("/nonexistent/folder/x.json"), io, "cannot create");
}

TEST(engine_process_choice) {
  Engine& first = Engine::get();
  CHECK(&first == &Engine::get());
  const EngineKind before = first.kind();
  auto x = make_var();
  int count = 0;
  for (const EngineKind kind : {EngineKind::serial, EngineKind::threaded, EngineKind::serial, before}) {
    mixgrad::engine::set_engine(kind);
    CHECK_EQ(Engine::get().kind(), kind);
    for (int i = 0; i < 100; ++i) Engine::get().push([&count] { ++count; }, {}, {x.get()});
  }
  Engine::get().wait_for_var(x.get());
  CHECK_EQ(count, 400);
  CHECK_EQ(x->version(), 400u);
}
