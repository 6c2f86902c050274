// Failures: what a failed task marks, who passes the mark on, who clears it, who throws it.
#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "check.h"
#include "engine/engine.h"
#include "engine/error_record.h"

namespace {

using mixgrad::Error;
using mixgrad::Ref;
using mixgrad::Status;
using mixgrad::engine::Engine;
using mixgrad::engine::EngineOptions;
using mixgrad::engine::error_of;
using mixgrad::engine::make_var;
using mixgrad::engine::TaskInfo;
using mixgrad::engine::Var;
using mixgrad::engine::Wait;

struct ErrorCase {
  std::unique_ptr<Engine> engine;
  bool inline_ok;
};

// Every rule holds whether the tasks are queued, run inline or run serially.
template <class F>
void for_each_engine(F&& test) {
  EngineOptions options;
  options.compute_workers = 2;
  for (const bool inline_ok : {false, true}) {
    ErrorCase threaded{std::unique_ptr<Engine>(mixgrad::engine::make_threaded(options)), inline_ok};
    test(threaded);
  }
  ErrorCase serial{std::unique_ptr<Engine>(mixgrad::engine::make_serial()), true};
  test(serial);
}

TaskInfo named(const ErrorCase& c, const char* name) {
  TaskInfo info;
  info.name = name;
  info.inline_ok = c.inline_ok;
  return info;
}

void throw_shape() { mixgrad::fail(Status::shape, "[dot] shapes (2, 3) and (4, 5) do not fit"); }

}  // namespace

TEST(engine_error_marks_and_throws_each_time) {
  for_each_engine([](ErrorCase& c) {
    auto x = make_var(), y = make_var();
    c.engine->push(throw_shape, {}, {x.get(), y.get()}, named(c, "dot"));
    for (int i = 0; i < 2; ++i) {
      CHECK_THROWS(c.engine->wait_for_var(x.get()), shape, "[dot] shapes (2, 3)");
      CHECK_THROWS(c.engine->wait_for_var(y.get(), Wait::to_write), shape, "(4, 5)");
    }
    CHECK(x->failed() && error_of(x.get())->reported());
    CHECK_EQ(x->version(), 1u);
    c.engine->wait_for_all();  // both were seen
  });
}

TEST(engine_error_stays_when_one_waits_for_idle) {
  for_each_engine([](ErrorCase& c) {
    auto x = make_var();
    c.engine->push(throw_shape, {}, {x.get()}, named(c, "dot"));
    for (int i = 0; i < 2; ++i) c.engine->wait_for_idle();
    CHECK(!c.engine->busy() && !error_of(x.get())->reported());
    CHECK_THROWS(c.engine->wait_for_all(), shape, "[dot] shapes (2, 3)");
    c.engine->wait_for_all();  // it was told
  });
}

TEST(engine_error_names_the_task) {
  for_each_engine([](ErrorCase& c) {
    auto x = make_var();
    c.engine->push(throw_shape, {}, {x.get()}, named(c, "segment"));
    CHECK_THROWS(c.engine->wait_for_var(x.get()), shape, "do not fit (in task 'segment')");
    c.engine->push([] { throw std::bad_alloc(); }, {}, {x.get()}, named(c, "copy"));
    CHECK_THROWS(c.engine->wait_for_var(x.get()), out_of_memory, "[copy] out of memory");
    c.engine->push([] { throw std::runtime_error("no such luck"); }, {}, {x.get()}, named(c, "copy"));
    CHECK_THROWS(c.engine->wait_for_var(x.get()), internal, "[copy] failed: no such luck");
    c.engine->push([] { throw 3; }, {}, {x.get()}, named(c, "copy"));
    CHECK_THROWS(c.engine->wait_for_var(x.get()), internal, "unknown type");
  });
}

TEST(engine_error_passes_on_and_is_cleared) {
  for_each_engine([](ErrorCase& c) {
    auto x = make_var(), y = make_var(), z = make_var();
    int runs = 0;
    const auto count = [&runs] { ++runs; };
    c.engine->push(throw_shape, {}, {x.get()}, named(c, "dot"));
    c.engine->push(count, {x.get()}, {y.get()}, named(c, "reader"));
    c.engine->push(count, {y.get()}, {y.get(), z.get()}, named(c, "changer"));
    CHECK_THROWS(c.engine->wait_for_var(z.get()), shape, "[dot]");
    CHECK_EQ(runs, 0);
    c.engine->push(count, {x.get()}, {x.get()}, named(c, "changer"));  // reads, so it does not clear
    CHECK_THROWS(c.engine->wait_for_var(x.get()), shape, "[dot]");
    c.engine->push(count, {}, {y.get()}, named(c, "writer"));
    c.engine->wait_for_var(y.get());
    CHECK_EQ(runs, 1);
    CHECK(!y->failed() && x->failed() && z->failed());
    c.engine->push(count, {y.get()}, {x.get(), z.get()}, named(c, "writer"));
    c.engine->wait_for_var(x.get());
    c.engine->wait_for_var(z.get());
    CHECK_EQ(runs, 2);
    c.engine->wait_for_all();
  });
}

TEST(engine_error_leaves_what_is_kept) {
  for_each_engine([](ErrorCase& c) {
    auto input = make_var(), state = make_var(), out = make_var();
    Var* const kept[] = {state.get()};
    TaskInfo step = named(c, "step");
    step.kept = kept;
    const auto push = [&](auto body) {
      c.engine->push(body, {input.get(), state.get()}, {out.get(), state.get()}, step);
    };
    push(throw_shape);
    CHECK_THROWS(c.engine->wait_for_var(out.get()), shape, "[dot]");
    c.engine->wait_for_var(state.get());
    c.engine->push(throw_shape, {}, {input.get()}, named(c, "dot"));
    push([] {});  // is not run, and changes nothing either
    CHECK_THROWS(c.engine->wait_for_var(out.get()), shape, "[dot]");
    c.engine->wait_for_var(state.get());
    CHECK_EQ(state->version(), 2u);
    c.engine->push([] {}, {}, {input.get()}, named(c, "writer"));
    push([] {});
    c.engine->wait_for_var(out.get());
    // What was spoilt before stays so.
    c.engine->push(throw_shape, {}, {state.get()}, named(c, "dot"));
    push([] {});
    CHECK_THROWS(c.engine->wait_for_var(state.get()), shape, "[dot]");
    c.engine->wait_for_all();
  });
}

// A change in place that is not made, as what it reads is missing, leaves a value: whoever was told goes on with it.
TEST(engine_error_seen_leaves_what_was_not_changed) {
  for_each_engine([](ErrorCase& c) {
    auto bad = make_var(), weight = make_var();
    int value = 0;
    const auto change = [&] {
      c.engine->push([&value] { ++value; }, {bad.get(), weight.get()}, {weight.get()}, named(c, "step"));
    };
    const auto spoil = [&](Var* var) { c.engine->push(throw_shape, {}, {var}, named(c, "dot")); };
    const auto raises = [&](Var* var) { CHECK_THROWS(c.engine->wait_for_var(var), shape, "[dot]"); };
    const auto raises_once = [&](Var* var) {
      raises(var);
      c.engine->wait_for_var(var);
    };
    spoil(bad.get());
    for (int i = 0; i < 2; ++i) change();
    raises_once(weight.get());
    CHECK(!weight->failed() && bad->failed());
    raises(bad.get());
    // A change that is asked for although its failure is known is told as well.
    change();
    raises_once(weight.get());
    CHECK_EQ(value, 0);
    c.engine->push([] {}, {}, {bad.get()}, named(c, "writer"));
    change();
    c.engine->wait_for_var(weight.get());
    CHECK_EQ(value, 1);
    // What was pushed before the telling does not go on with half of a step.
    auto copy = make_var();
    spoil(bad.get());
    change();
    c.engine->push([] {}, {weight.get()}, {copy.get()}, named(c, "copy"));
    raises(bad.get());
    for (int i = 0; i < 2; ++i) raises(copy.get());
    c.engine->wait_for_var(weight.get());
    // A body that failed may have changed a part, and there is nothing to go back to then.
    c.engine->push(throw_shape, {weight.get()}, {weight.get()}, named(c, "dot"));
    change();
    for (int i = 0; i < 2; ++i) raises(weight.get());
  });
}

// Only a thread whose own user was told of this failure reads what is left: neither another failure nor another thread's telling
// makes it known, nor a body that catches it.
TEST(engine_error_is_known_to_who_was_told) {
  for_each_engine([](ErrorCase& c) {
    auto bad = make_var(), other_bad = make_var(), weight = make_var();
    const auto spoil = [&](Var* var) { c.engine->push(throw_shape, {}, {var}, named(c, "dot")); };
    const auto raises = [&](Var* var) { CHECK_THROWS(c.engine->wait_for_var(var), shape, "[dot]"); };
    spoil(bad.get());
    spoil(other_bad.get());
    c.engine->push([] {}, {bad.get(), weight.get()}, {weight.get()}, named(c, "step"));
    raises(other_bad.get());
    std::thread([&] { raises(bad.get()); }).join();
    auto done = make_var();
    c.engine->push(
        [&] {
          try {
            c.engine->wait_for_var(bad.get());
          } catch (const Error&) {
          }
        },
        {}, {done.get()}, named(c, "catches"));
    c.engine->wait_for_var(done.get());
    raises(weight.get());
    c.engine->wait_for_var(weight.get());
    std::thread([&] {
      raises(weight.get());
      c.engine->wait_for_var(weight.get());
    }).join();
  });
}

// What is asked for although its failure is known is told once for all of it, by wait_for_all too.
TEST(engine_error_told_again_once) {
  for_each_engine([](ErrorCase& c) {
    auto bad = make_var();
    std::vector<Ref<Var>> weights;
    for (int i = 0; i < 3; ++i) weights.push_back(make_var());
    c.engine->push(throw_shape, {}, {bad.get()}, named(c, "dot"));
    CHECK_THROWS(c.engine->wait_for_var(bad.get()), shape, "[dot]");
    const auto change = [&] {
      for (const Ref<Var>& weight : weights)
        c.engine->push([] {}, {bad.get(), weight.get()}, {weight.get()}, named(c, "step"));
    };
    change();
    CHECK_THROWS(c.engine->wait_for_var(weights[0].get()), shape, "raised again");
    for (const Ref<Var>& weight : weights) c.engine->wait_for_var(weight.get());
    change();
    CHECK_THROWS(c.engine->wait_for_all(), shape, "raised again");
    for (const Ref<Var>& weight : weights) c.engine->wait_for_var(weight.get());
    c.engine->wait_for_all();
  });
}

// Two changes that were not made are two failures to be told, unless the second one changes what the first did not make.
TEST(engine_error_does_not_hide_another) {
  for_each_engine([](ErrorCase& c) {
    auto weight = make_var();
    for (int run = 0; run < 50; ++run) {
      for (const bool replaces : {false, true}) {
        std::vector<Ref<Var>> bad;
        for (int i = 0; i < 2; ++i) {
          bad.push_back(make_var());
          c.engine->push(throw_shape, {}, {bad[i].get()}, named(c, "dot"));
          TaskInfo info = named(c, "step");
          info.replaces = replaces;
          if (replaces) c.engine->push([] {}, {bad[i].get()}, {weight.get()}, info);
          if (!replaces) c.engine->push([] {}, {bad[i].get(), weight.get()}, {weight.get()}, info);
        }
        CHECK_THROWS(c.engine->wait_for_var(bad[run % 2].get()), shape, "[dot]");
        if (replaces || run % 2 == 1) CHECK_THROWS(c.engine->wait_for_var(weight.get()), shape, "[dot]");
        c.engine->wait_for_var(weight.get());
      }
    }
  });
}

TEST(engine_error_is_told_to_many_threads) {
  for_each_engine([](ErrorCase& c) {
    auto bad = make_var(), weight = make_var();
    c.engine->push(throw_shape, {}, {bad.get()}, named(c, "dot"));
    c.engine->push([] {}, {bad.get(), weight.get()}, {weight.get()}, named(c, "step"));
    const auto told_once = [&] {
      CHECK_THROWS(c.engine->wait_for_var(weight.get()), shape, "[dot]");
      c.engine->wait_for_var(weight.get());
    };
    for (int i = 0; i < 20; ++i) std::thread(told_once).join();
    told_once();
    // A body asks as who pushed its task.
    auto done = make_var();
    c.engine->push([&] { c.engine->wait_for_var(weight.get()); }, {}, {done.get()}, named(c, "body"));
    c.engine->wait_for_var(done.get());
  });
}

// A part that is not written spoils the whole.
TEST(engine_error_spoils_what_a_part_is_written_of) {
  for_each_engine([](ErrorCase& c) {
    auto bad = make_var(), out = make_var();
    c.engine->push(throw_shape, {}, {bad.get()}, named(c, "dot"));
    TaskInfo info = named(c, "writer");
    Var* const parts[] = {out.get()};
    info.parts = parts;
    c.engine->push([] {}, {bad.get()}, {out.get()}, info);
    for (int i = 0; i < 2; ++i) CHECK_THROWS(c.engine->wait_for_var(out.get()), shape, "[dot]");
    c.engine->push([] {}, {}, {out.get()}, info);  // what else is there is still missing
    CHECK_THROWS(c.engine->wait_for_var(out.get()), shape, "[dot]");
  });
}

// A value that was to be written, not changed, is not there, unless the task replaces one.
TEST(engine_error_seen_leaves_what_was_not_replaced) {
  for_each_engine([](ErrorCase& c) {
    auto bad = make_var(), out = make_var();
    const auto write = [&](bool replaces) {
      TaskInfo info = named(c, "writer");
      info.replaces = replaces;
      c.engine->push([] {}, {bad.get()}, {out.get()}, info);
    };
    const auto raises = [&] { CHECK_THROWS(c.engine->wait_for_var(out.get()), shape, "[dot]"); };
    c.engine->push(throw_shape, {}, {bad.get()}, named(c, "dot"));
    for (const bool replaces : {false, true}) {
      write(replaces);
      for (int i = 0; i < 2; ++i) raises();
    }
    c.engine->push([] {}, {}, {out.get()}, named(c, "writer"));
    c.engine->wait_for_var(out.get());
    for (int i = 0; i < 2; ++i) {
      write(true);
      raises();
      c.engine->wait_for_var(out.get());
    }
    write(false);
    for (int i = 0; i < 2; ++i) raises();
  });
}

TEST(engine_error_wait_for_all_throws_the_unseen) {
  for_each_engine([](ErrorCase& c) {
    auto x = make_var(), y = make_var();
    c.engine->push(throw_shape, {}, {x.get()}, named(c, "dot"));
    CHECK_THROWS(c.engine->wait_for_all(), shape, "[dot]");
    c.engine->wait_for_all();
    CHECK_THROWS(c.engine->wait_for_var(x.get()), shape, "[dot]");  // the mark is still there
    c.engine->push(throw_shape, {}, {x.get()}, named(c, "dot"));
    CHECK_THROWS(c.engine->wait_for_var(x.get()), shape, "[dot]");
    c.engine->push([] { mixgrad::fail(Status::io, "[load] no file"); }, {}, {y.get()}, named(c, "load"));
    CHECK_THROWS(c.engine->wait_for_all(), io, "[load] no file");  // the first one was seen
    c.engine->push(throw_shape, {}, {x.get()}, named(c, "dot"));
    c.engine->wait_for_var(y.get() ? make_var().get() : nullptr);
    c.engine->push([] {}, {}, {x.get()}, named(c, "writer"));
    c.engine->wait_for_var(x.get());
    c.engine->forget_errors();
    c.engine->wait_for_all();
    for (int i = 0; i < 1000; ++i) c.engine->push(throw_shape, {}, {x.get()}, named(c, "dot"));
    x = Ref<Var>();
    CHECK_THROWS(c.engine->wait_for_all(), shape, "[dot]");  // although nobody can read it any more
    c.engine->wait_for_all();
    mixgrad::engine::clear_error(y.get());
    c.engine->wait_for_var(y.get());
  });
}

TEST(engine_error_seen_ends_those_before_it_for_wait_for_all) {
  for_each_engine([](ErrorCase& c) {
    auto x = make_var(), y = make_var();
    c.engine->push(throw_shape, {}, {x.get()}, named(c, "dot"));
    c.engine->wait_for_turn(x.get(), Wait::to_read);  // it has failed before the other one is seen
    c.engine->push([] { mixgrad::fail(Status::io, "[load] no file"); }, {}, {y.get()}, named(c, "load"));
    CHECK_THROWS(c.engine->wait_for_var(y.get()), io, "[load] no file");
    c.engine->wait_for_all();
    CHECK_THROWS(c.engine->wait_for_var(x.get()), shape, "[dot]");  // who reads it is told
  });
}

TEST(engine_error_of_what_is_read_now) {
  for_each_engine([](ErrorCase& c) {
    auto x = make_var();
    int reads = 0;
    const auto read = [&] {
      return c.engine->read_now(
          x.get(), [&] { ++reads; }, named(c, "read"));
    };
    CHECK(read());
    c.engine->push(throw_shape, {}, {x.get()}, named(c, "dot"));
    CHECK_THROWS(c.engine->wait_for_var(x.get()), shape, "[dot]");
    CHECK_THROWS(read(), shape, "[dot]");
    CHECK_EQ(reads, 1);
    c.engine->push([] {}, {}, {x.get()}, named(c, "writer"));
    c.engine->wait_for_var(x.get());
    // What it throws itself spoils nothing, and nobody else is told.
    CHECK_THROWS(c.engine->read_now(
                     x.get(), [] { throw_shape(); }, named(c, "read")),
                 shape, "[dot]");
    c.engine->wait_for_var(x.get());
    c.engine->wait_for_all();
    CHECK(x->idle());
    CHECK(read());
    CHECK_THROWS(c.engine->read_now(
                     nullptr, [] {}, named(c, "read")),
                 invalid_argument, "null");
  });
}

TEST(engine_reads_now_only_what_is_written) {
  EngineOptions options;
  options.compute_workers = 2;
  const std::unique_ptr<Engine> engine(mixgrad::engine::make_threaded(options));
  auto x = make_var();
  std::atomic<bool> go{false};
  int value = 0, seen = 0;
  const auto read = [&] {
    return engine->read_now(
        x.get(), [&] { seen = value; }, TaskInfo());
  };
  engine->push(
      [&] {
        while (!go) std::this_thread::yield();
        value = 1;
      },
      {}, {x.get()});
  CHECK(!read());
  go = true;
  engine->wait_for_var(x.get());
  CHECK(read());
  CHECK_EQ(seen, 1);
}

TEST(engine_error_bad_arguments) {
  for_each_engine([](ErrorCase& c) {
    auto x = make_var();
    Var* const nothing[] = {x.get(), nullptr};
    CHECK_THROWS(c.engine->push([] {}, nothing, {}, named(c, "copy")), invalid_argument,
                 "[copy] was pushed with a null");
    TaskInfo info = named(c, "copy");
    info.lane = 99;
    info.inline_ok = false;
    CHECK_THROWS(c.engine->push([] {}, {x.get()}, {}, info), invalid_argument, "lane 99");
    CHECK_THROWS(c.engine->wait_for_var(nullptr), invalid_argument, "null");
    CHECK_THROWS(c.engine->add_lane("x", 0), invalid_argument, "at least 1 worker");
    c.engine->push([&] { c.engine->wait_for_all(); }, {}, {x.get()}, named(c, "copy"));
    CHECK_THROWS(c.engine->wait_for_var(x.get()), invalid_argument, "inside a task");
    CHECK(x->idle());
  });
}

TEST(parallel_loop_covers_and_throws) {
  const auto covered = [](std::int64_t n, std::int64_t grain) {
    std::vector<int> hits(static_cast<std::size_t>(n), 0);
    mixgrad::parallel_for(n, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++hits[static_cast<std::size_t>(i)];
    });
    for (int hit : hits) {
      if (hit != 1) return false;
    }
    return true;
  };
  CHECK(!mixgrad::team_allowed());
  for (const bool team : {false, true}) {
    const mixgrad::TeamScope scope(team);
    CHECK_EQ(mixgrad::team_allowed(), team);
    for (std::int64_t n : {0, 1, 2, 7, 1000}) {
      for (std::int64_t grain : {0, 1, 3, 999, 5000}) CHECK(covered(n, grain));
    }
    CHECK_THROWS(mixgrad::parallel_for(100, 1, [](std::int64_t, std::int64_t) { throw_shape(); }), shape,
                 "[dot]");
    int inner_ranges = 0;
    mixgrad::parallel_for(2, 1, [&](std::int64_t begin, std::int64_t) {
      if (begin != 0) return;
      mixgrad::parallel_for(100, 1, [&](std::int64_t, std::int64_t) { ++inner_ranges; });
    });
    CHECK_EQ(inner_ranges,
             1);  // a loop inside the team stays in its thread... or the outer one was not split
  }
}
