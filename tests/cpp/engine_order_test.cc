// Order and threads: priorities, lanes, nesting, waiting, lifetimes.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "check.h"
#include "engine/engine.h"

namespace {

using mixgrad::Ref;
using mixgrad::engine::Engine;
using mixgrad::engine::EngineOptions;
using mixgrad::engine::LaneId;
using mixgrad::engine::make_var;
using mixgrad::engine::TaskInfo;
using mixgrad::engine::Var;
using mixgrad::engine::Wait;

// A task body that waits here holds its worker until the test opens the gate.
class OrderGate {
 public:
  void open() {
    std::lock_guard<std::mutex> guard(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait_for_visitor() {
    std::unique_lock<std::mutex> guard(mutex_);
    changed_.wait(guard, [this] { return entered_; });
  }
  void pass() {
    std::unique_lock<std::mutex> guard(mutex_);
    entered_ = true;
    changed_.notify_all();
    changed_.wait(guard, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false, entered_ = false;
};

std::unique_ptr<Engine> order_engine(int workers, std::uint64_t seed = 0) {
  EngineOptions options;
  options.compute_workers = workers;
  options.random_seed = seed;
  return std::unique_ptr<Engine>(mixgrad::engine::make_threaded(options));
}

TaskInfo with_priority(int priority) {
  TaskInfo info;
  info.priority = priority;
  return info;
}

// A Var that says when it is destroyed.
struct CountedVar final : Var {
  explicit CountedVar(std::atomic<int>* destroyed) : destroyed_(destroyed) {}
  ~CountedVar() override { destroyed_->fetch_add(1); }
  std::atomic<int>* destroyed_;
};

}  // namespace

TEST(engine_order_priority_then_arrival) {
  auto engine = order_engine(1);
  OrderGate gate;
  engine->push([&] { gate.pass(); }, {}, {});
  gate.wait_for_visitor();
  std::vector<int> order;
  const int priorities[] = {0, 5, -3, 0, 5, 7, -3, 1, 0, 100, -100};
  int id = 0;
  for (int priority : priorities) {
    engine->push([&order, id] { order.push_back(id); }, {}, {}, with_priority(priority));
    ++id;
  }
  gate.open();
  engine->wait_for_all();
  const std::vector<int> expected = {9, 5, 1, 4, 7, 0, 3, 8, 2, 6, 10};
  CHECK(order == expected);
}

TEST(engine_order_many_priorities) {
  auto engine = order_engine(1);
  OrderGate gate;
  engine->push([&] { gate.pass(); }, {}, {});
  gate.wait_for_visitor();
  std::vector<int> order;
  std::uint32_t state = 1;
  for (int i = 0; i < 5000; ++i) {
    state = state * 1664525 + 1013904223;
    const int priority = static_cast<int>(state >> 16) % 300 - 150;
    engine->push([&order, priority] { order.push_back(priority); }, {}, {}, with_priority(priority));
  }
  gate.open();
  engine->wait_for_all();
  CHECK_EQ(order.size(), 5000u);
  for (std::size_t i = 1; i < order.size(); ++i) CHECK(order[i - 1] >= order[i]);
}

TEST(engine_order_inline_only_when_idle) {
  auto engine = order_engine(1);
  auto x = make_var(), y = make_var();
  TaskInfo small;
  small.inline_ok = true;
  const std::thread::id self = std::this_thread::get_id();
  std::thread::id ran;
  const auto note = [&ran] { ran = std::this_thread::get_id(); };
  engine->push(note, {x.get()}, {y.get()}, small);
  CHECK(ran == self);
  OrderGate gate;
  engine->push([&] { gate.pass(); }, {x.get()}, {});
  engine->push(note, {x.get()}, {y.get()}, small);  // a second reader
  CHECK(ran == self);
  engine->push(note, {}, {x.get()}, small);  // a writer waits for the reader
  CHECK(!x->idle());
  CHECK_EQ(x->push_version(), 1u);
  CHECK_EQ(x->version(), 0u);
  gate.open();
  engine->wait_for_var(x.get());
  CHECK(ran != self);
  CHECK_EQ(x->version(), 1u);
  small.cost_ns = 1000000000;
  engine->push(note, {}, {x.get()}, small);
  engine->wait_for_var(x.get());
  CHECK(ran != self);
}

TEST(engine_order_awaited_tasks_run_in_the_caller) {
  auto engine = order_engine(2);
  auto x = make_var(), y = make_var();
  TaskInfo large;
  large.inline_ok = true;
  large.parallel = true;
  large.cost_ns = 1000000;
  const std::thread::id self = std::this_thread::get_id();
  std::atomic<std::thread::id> ran{std::thread::id()};
  const auto note = [&ran] { ran = std::this_thread::get_id(); };
  engine->push(note, {}, {x.get()}, large);
  engine->push(note, {}, {y.get()}, large);
  engine->wait_for_all();
  CHECK(ran.load() != self);
  // Each is waited for at once: after a few the engine expects it. On a busy machine a worker may be faster than the wait.
  int here = 0;
  for (int i = 0; i < 1000 && here < 10; ++i) {
    engine->push(note, {}, {x.get()}, large);
    here = ran.load() == self ? here + 1 : 0;
    engine->wait_for_var(x.get());
    CHECK(i > 0 || ran.load() != self);
  }
  CHECK_EQ(here, 10);
  engine->push(note, {}, {x.get()}, large);
  engine->push(note, {}, {y.get()}, large);  // not waited for in between
  engine->wait_for_all();
  CHECK(ran.load() != self);
  engine->push(note, {}, {x.get()}, large);
  engine->wait_for_var(x.get());
  CHECK(ran.load() != self);
  large.inline_ok = false;
  for (int i = 0; i < 20; ++i) {
    engine->push(note, {}, {x.get()}, large);
    engine->wait_for_var(x.get());
    CHECK(ran.load() != self);
  }
}

TEST(engine_order_team_thread) {
  auto engine = order_engine(3);
  TaskInfo parallel;
  parallel.parallel = true;
  std::mutex mutex;
  std::vector<std::thread::id> team, others;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 300; ++i) {
    engine->push(
        [&] {
          if (!mixgrad::team_allowed()) ++wrong;
          std::lock_guard<std::mutex> guard(mutex);
          team.push_back(std::this_thread::get_id());
        },
        {}, {}, parallel);
    engine->push([&] { std::this_thread::yield(); }, {}, {});
    if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  engine->wait_for_all();
  CHECK_EQ(team.size(), 300u);
  CHECK_EQ(wrong.load(), 0);
  for (const auto& id : team) CHECK(id == team[0]);
}

TEST(engine_order_lanes) {
  auto engine = order_engine(1);
  CHECK_EQ(engine->lane_workers(mixgrad::engine::lane_compute), 1);
  OrderGate gate;
  engine->push([&] { gate.pass(); }, {}, {});
  gate.wait_for_visitor();
  const LaneId extra = engine->add_lane("extra", 2);
  CHECK_EQ(engine->lane_workers(extra), 2);
  auto x = make_var();
  int steps = 0;
  for (const LaneId lane : {mixgrad::engine::lane_io, mixgrad::engine::lane_network, extra}) {
    TaskInfo info;
    info.lane = lane;
    engine->push([&] { ++steps; }, {}, {x.get()}, info);
  }
  engine->wait_for_var(x.get());  // although the compute lane is stuck
  CHECK_EQ(steps, 3);
  gate.open();
  engine->wait_for_all();
}

TEST(engine_order_nested_pushes) {
  for (int kind = 0; kind < 3; ++kind) {
    std::unique_ptr<Engine> engine =
        kind == 0 ? std::unique_ptr<Engine>(mixgrad::engine::make_serial()) : order_engine(kind);
    auto x = make_var(), y = make_var();
    std::vector<int> order;
    for (const bool inline_ok : {false, true}) {
      TaskInfo info;
      info.inline_ok = inline_ok;
      order.clear();
      engine->push(
          [&, info] {
            engine->push([&] { order.push_back(2); }, {}, {x.get()}, info);  // after this task: both write x
            engine->push([&] { order.push_back(3); }, {x.get()}, {y.get()}, info);
            order.push_back(1);
            auto own = make_var();
            int value = 0;
            engine->push([&] { value = 7; }, {}, {own.get()}, info);
            engine->wait_for_var(own.get());
            order.push_back(value);
          },
          {}, {x.get()}, info);
      engine->wait_for_all();
      CHECK(order == (std::vector<int>{1, 7, 2, 3}));
    }
  }
}

TEST(engine_order_waits_inside_tasks) {
  // Every worker waits for tasks that need a worker: others take their place.
  for (const bool parallel : {false, true}) {
    auto engine = order_engine(2);
    TaskInfo info;
    info.parallel = parallel;
    std::atomic<int> done{0};
    for (int i = 0; i < 8; ++i) {
      engine->push(
          [&, info] {
            auto own = make_var();
            engine->push([&] { ++done; }, {}, {own.get()}, info);
            engine->wait_for_var(own.get());
            ++done;
          },
          {}, {}, info);
    }
    engine->wait_for_all();
    CHECK_EQ(done.load(), 16);
  }
}

TEST(engine_order_waits_of_many_threads) {
  auto engine = order_engine(2);
  auto x = make_var();
  OrderGate gate;
  std::atomic<int> value{0}, readers{0}, writers{0};
  engine->push([&] { gate.pass(); }, {x.get()}, {});
  std::vector<std::thread> users;
  for (int i = 0; i < 4; ++i) {
    users.emplace_back([&] {
      engine->wait_for_var(x.get());  // readers do not wait for readers
      ++readers;
    });
  }
  for (std::thread& user : users) user.join();
  CHECK_EQ(readers.load(), 4);
  engine->push([&] { value = 1; }, {}, {x.get()});
  users.clear();
  for (int i = 0; i < 8; ++i) {
    users.emplace_back([&, i] {
      engine->wait_for_var(x.get(), i % 2 ? Wait::to_write : Wait::to_read);
      writers += value.load();
    });
  }
  std::thread all([&] { engine->wait_for_all(); });
  gate.open();
  for (std::thread& user : users) user.join();
  all.join();
  CHECK_EQ(writers.load(), 8);
}

TEST(engine_order_no_deadlock_between_users) {
  // A(x, y) against B(y, x): appending to both queues is one step.
  auto engine = order_engine(2);
  auto x = make_var(), y = make_var();
  std::uint64_t count = 0;
  std::vector<std::thread> users;
  for (int t = 0; t < 4; ++t) {
    users.emplace_back([&, t] {
      for (int i = 0; i < 3000; ++i) {
        TaskInfo info;
        info.inline_ok = i % 3 == 0;
        if (t % 2) {
          engine->push([&] { ++count; }, {}, {x.get(), y.get()}, info);
        } else {
          engine->push([&] { ++count; }, {}, {y.get(), x.get()}, info);
        }
        if (i % 500 == 0) engine->wait_for_var(x.get());
      }
    });
  }
  for (std::thread& user : users) user.join();
  engine->wait_for_all();
  CHECK_EQ(count, 12000u);
  CHECK_EQ(x->version(), 12000u);
}

TEST(engine_order_vars_dropped_in_flight) {
  std::atomic<int> destroyed{0};
  int made = 0;
  {
    auto engine = order_engine(2);
    for (int round = 0; round < 300; ++round) {
      auto keep = Ref<Var>::adopt(new CountedVar(&destroyed));
      ++made;
      for (int i = 0; i < 10; ++i) {
        auto x = Ref<Var>::adopt(new CountedVar(&destroyed));
        auto y = Ref<Var>::adopt(new CountedVar(&destroyed));
        made += 2;
        TaskInfo info;
        info.inline_ok = i % 2 == 0;
        engine->push([x] {}, {keep.get()}, {x.get()}, info);  // the body holds a reference to its own Var
        engine->push([] {}, {x.get()}, {y.get(), keep.get()}, info);
        Var* plain = y.get();
        engine->push([plain] { plain->idle(); }, {y.get()}, {}, info);
      }
    }
    engine->wait_for_all();
  }
  CHECK_EQ(destroyed.load(), made);
}

TEST(engine_order_last_reference_inside_task) {
  std::atomic<int> destroyed{0};
  auto engine = order_engine(1);
  Ref<Var> x = Ref<Var>::adopt(new CountedVar(&destroyed));
  Var* plain = x.get();
  engine->push(
      [&x, &destroyed] {
        x = Ref<Var>();
        CHECK_EQ(destroyed.load(), 0);
      },
      {}, {plain});
  engine->wait_for_all();
  CHECK_EQ(destroyed.load(), 1);
}

TEST(engine_order_many_vars_and_large_bodies) {
  auto engine = order_engine(2);
  std::vector<Ref<Var>> vars;
  std::vector<Var*> all;
  for (int i = 0; i < 200; ++i) {
    vars.push_back(make_var());
    all.push_back(vars.back().get());
    all.push_back(vars.back().get());  // repeated
  }
  struct Large {
    unsigned char bytes[1000];
    std::vector<int> tail;
  } large{{}, {1, 2, 3}};
  large.bytes[999] = 42;
  std::atomic<int> sum{0};
  for (int i = 0; i < 50; ++i) {
    TaskInfo info;
    info.inline_ok = i % 2 == 0;
    engine->push([large, &sum] { sum += large.bytes[999] + large.tail[2]; }, all, all, info);
    engine->push([&sum] { ++sum; }, all, {}, info);
  }
  engine->wait_for_all();
  CHECK_EQ(sum.load(), 50 * 46);
  for (const auto& var : vars) CHECK_EQ(var->version(), 50u);
}

TEST(engine_order_move_only_bodies) {
  auto engine = order_engine(1);
  auto x = make_var();
  int seen = 0;
  auto owned = std::make_unique<int>(5);
  engine->push([owned = std::move(owned), &seen] { seen = *owned; }, {}, {x.get()});
  engine->wait_for_var(x.get());
  CHECK_EQ(seen, 5);
  x->count_write();
  CHECK_EQ(x->version(), 2u);
  CHECK_EQ(x->push_version(), 2u);
}
