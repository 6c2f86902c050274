// Tasks that outlast their bodies.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"
#include "check.h"
#include "engine/completion.h"
#include "engine/engine.h"

namespace {

using namespace mixgrad;
using namespace mixgrad::engine;

TaskInfo completion_info() {
  TaskInfo info;
  info.lane = lane_network;
  info.deferred = true;
  info.inline_ok = true;  // which it is not
  return info;
}

std::vector<std::unique_ptr<Engine>> completion_engines() {
  std::vector<std::unique_ptr<Engine>> engines;
  engines.emplace_back(make_threaded());
  engines.emplace_back(make_serial());
  return engines;
}

// Ends tasks in a thread of its own, some time after it was told to, in an order that a seed fixes.
class CompletionThread {
 public:
  explicit CompletionThread(uint64_t seed) : state_(seed), thread_([this] { run(); }) {}
  ~CompletionThread() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  template <class F>
  void end_later(Completion completion, F&& before) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      waiting_.push_back({std::move(completion), std::forward<F>(before)});
    }
    changed_.notify_all();
  }

 private:
  struct Item {
    Completion completion;
    std::function<void()> before;
  };
  void run() {
    std::unique_lock<std::mutex> guard(mutex_);
    for (;;) {
      changed_.wait(guard, [this] { return stopping_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      state_ = state_ * 6364136223846793005u + 1442695040888963407u;
      const size_t pick = (state_ >> 33) % waiting_.size();
      Item item = std::move(waiting_[pick]);
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(pick));
      guard.unlock();
      if (state_ % 5 == 0) std::this_thread::yield();
      item.before();
      item.completion.done();
      guard.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> waiting_;
  bool stopping_ = false;
  uint64_t state_;
  std::thread thread_;
};

}  // namespace

TEST(engine_completion_holds_its_vars) {
  for (const auto& engine : completion_engines()) {
    const Ref<Var> var = make_var();
    Completion kept;
    std::atomic<int> value{0};
    std::atomic<bool> begun{false}, read{false};
    engine->push([&] { kept = Completion::begin(), begun = true; }, {}, {var.get()}, completion_info());
    engine->push([&] { CHECK_EQ(value.load(), 7), read = true; }, {var.get()}, {});
    while (!begun) std::this_thread::yield();
    CHECK(!read.load());
    CHECK(engine->busy());
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      value = 7;
      kept.done();
    });
    engine->wait_for_all();
    CHECK(read.load());
    other.join();
  }
}

TEST(engine_completion_may_end_inside_the_body_or_never_begin) {
  for (const auto& engine : completion_engines()) {
    const Ref<Var> var = make_var();
    int runs = 0;
    engine->push([&] { Completion::begin().done(), ++runs; }, {}, {var.get()}, completion_info());
    engine->push([&] { ++runs; }, {}, {var.get()}, completion_info());
    engine->wait_for_var(var.get());
    CHECK_EQ(runs, 2);
  }
}

TEST(engine_completion_failures) {
  for (const auto& engine : completion_engines()) {
    const Ref<Var> var = make_var();
    TaskInfo info = completion_info();
    info.name = "far_away";
    engine->push([] { Completion::begin().failed(Status::io, "the wire is cut"); }, {}, {var.get()}, info);
    CHECK_THROWS(engine->wait_for_var(var.get()), io, "the wire is cut (in task 'far_away')");
    bool ran = false;
    engine->push([&] { ran = true; }, {var.get()}, {});  // reads what was spoilt
    CHECK_THROWS(engine->wait_for_var(var.get()), io, "the wire is cut");
    CHECK(!ran);
    engine->push([] { const Completion lost = Completion::begin(); }, {}, {var.get()}, info);
    CHECK_THROWS(engine->wait_for_var(var.get()), internal, "given up before it was complete");
    // The body's own failure counts, and the Vars wait for both.
    Completion kept;
    std::atomic<bool> begun{false};
    engine->push(
        [&] {
          kept = Completion::begin();
          begun = true;
          fail(Status::dtype, "[far_away] no such dtype");
        },
        {}, {var.get()}, info);
    std::thread other([&] {
      while (!begun) std::this_thread::yield();
      kept.failed(Status::io, "too late");
    });
    other.join();
    CHECK_THROWS(engine->wait_for_var(var.get()), dtype, "no such dtype");
    engine->forget_errors();
  }
}

TEST(engine_completion_belongs_to_deferred_tasks) {
  for (const auto& engine : completion_engines()) {
    const Ref<Var> var = make_var();
    engine->push([] { Completion::begin(); }, {}, {var.get()});
    CHECK_THROWS(engine->wait_for_var(var.get()), internal, "outside of a deferred task's body");
    engine->push(
        [] {
          Completion first = Completion::begin();
          first.done();
          Completion::begin();
        },
        {}, {var.get()}, completion_info());
    CHECK_THROWS(engine->wait_for_var(var.get()), internal, "or twice");
    engine->forget_errors();
  }
  CHECK_THROWS(Completion::begin(), internal, "outside");
}

// Programs in which some tasks end in another thread, in any order: the numbers are those of the program line by line.
TEST(engine_completion_random_programs) {
  constexpr int kCells = 12;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const std::unique_ptr<Engine> engine(make_threaded());
    CompletionThread ender(seed);
    std::vector<Ref<Var>> vars;
    std::vector<uint64_t> cells(kCells, 1), expected(kCells, 1);
    for (int i = 0; i < kCells; ++i) vars.push_back(make_var());
    uint64_t state = seed * 77;
    const auto next = [&](uint64_t limit) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return (state >> 33) % limit;
    };
    for (int i = 0; i < 500; ++i) {
      const size_t from = next(kCells), to = next(kCells), other = next(kCells);
      const auto change = [from, to, other](std::vector<uint64_t>& values) {
        values[to] = values[from] * 31 + values[other] * 7 + values[to];
      };
      change(expected);
      Var* const reads[] = {vars[from].get(), vars[other].get(), vars[to].get()};
      Var* const writes[] = {vars[to].get()};
      if (next(3) == 0) {
        engine->push([&cells, change] { change(cells); }, reads, writes);
      } else {
        engine->push([&cells, &ender,
                      change] { ender.end_later(Completion::begin(), [&cells, change] { change(cells); }); },
                     reads, writes, completion_info());
      }
    }
    engine->wait_for_all();
    CHECK(cells == expected);
  }
}
