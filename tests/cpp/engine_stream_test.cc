// Tasks whose work goes to streams, on simulated cards: the numbers are those of the program run line by line.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "check.h"
#include "device/simulated.h"
#include "engine/engine.h"
#include "engine/outcome.h"

namespace {

using namespace mixgrad;
using namespace mixgrad::engine;

constexpr int kVars = 48;

int random_programs(int ordinary) {
  const char* count = std::getenv("MIXGRAD_TEST_PROGRAMS");
  return count ? std::atoi(count) : ordinary;
}

struct Random {
  std::uint64_t state;
  std::uint32_t next(std::uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % limit);
  }
};

// A cell for every Var, on the host (place -1) or on a card.
struct Cells {
  explicit Cells(int num_cards) : cards(num_cards), host(kVars, 1) {
    for (int card = 0; card < cards; ++card) {
      auto& api = device_api(Device::gpu(card));
      memory.push_back(static_cast<std::uint64_t*>(api.allocate(Device::gpu(card), bytes, 0)));
      CHECK(memory.back() != nullptr);
      api.stream(Device::gpu(card), StreamKind::copy)->copy(memory.back(), host.data(), bytes);
    }
    Stream::wait_for_all(-1);
  }
  ~Cells() {
    Stream::wait_for_all(-1);
    for (int card = 0; card < cards; ++card) device_api(Device::gpu(card)).release(memory[card], bytes);
  }
  // -1, 0, ... cards - 1, in turn.
  int place(int var) const { return var % (cards + 1) - 1; }
  std::uint64_t* at(int var) { return (place(var) < 0 ? host.data() : memory[place(var)]) + var; }

  static constexpr std::size_t bytes = kVars * sizeof(std::uint64_t);
  const int cards;
  std::vector<std::uint64_t> host;
  std::vector<std::uint64_t*> memory;
};

// cells[writes] become a hash of cells[reads], all of one place; or cells[writes[0]] a copy of cells[reads[0]].
struct Step {
  int reads[4], writes[2], read_count, write_count, place;
  bool copies, inline_ok;
};

Step random_step(Random& random, const Cells& cells) {
  const int places = cells.cards + 1;
  const auto var_of = [&](int place) {
    return static_cast<int>(random.next(kVars / places)) * places + place + 1;
  };
  Step step{};
  step.inline_ok = random.next(2) == 0;
  step.copies = random.next(3) == 0;
  if (step.copies) {
    step.read_count = step.write_count = 1;
    step.reads[0] = static_cast<int>(random.next(kVars)),
    step.writes[0] = static_cast<int>(random.next(kVars));
    return step;
  }
  step.place = static_cast<int>(random.next(places)) - 1;
  step.read_count = static_cast<int>(random.next(5));
  step.write_count = 1 + static_cast<int>(random.next(2));
  for (int& read : step.reads) read = var_of(step.place);
  for (int& write : step.writes) write = var_of(step.place);
  return step;
}

std::uint64_t hash(std::uint64_t sum, std::uint64_t next) { return (sum ^ next) * 0xff51afd7ed558ccdu + 1; }

void run_step(const Step& step, std::uint64_t* cells) {
  if (step.copies) {
    cells[step.writes[0]] = cells[step.reads[0]];
    return;
  }
  std::uint64_t sum = 0x9e3779b97f4a7c15u;
  for (int i = 0; i < step.read_count; ++i) sum = hash(sum, cells[step.reads[i]]);
  for (int i = 0; i < step.write_count; ++i) cells[step.writes[i]] = sum = hash(sum, step.writes[i]);
}

Stream* stream_of(int card, StreamKind kind) {
  return device_api(Device::gpu(card)).stream(Device::gpu(card), kind);
}

void push_step(Engine& engine, const Step& step, Cells& cells, const std::vector<Ref<Var>>& vars) {
  std::vector<Var*> reads, writes;
  for (int i = 0; i < step.read_count; ++i) reads.push_back(vars[step.reads[i]].get());
  for (int i = 0; i < step.write_count; ++i) writes.push_back(vars[step.writes[i]].get());
  TaskInfo info;
  info.name = "step";
  info.inline_ok = step.inline_ok;
  if (step.copies) {
    const int from = step.reads[0], to = step.writes[0];
    if (from == to) return;
    const int card = cells.place(to) >= 0 ? cells.place(to) : cells.place(from);
    std::uint64_t *const dst = cells.at(to), *const src = cells.at(from);
    info.lane = lane_io;
    if (card < 0) return engine.push([=] { *dst = *src; }, reads, writes, info);
    info.stream = stream_of(card, StreamKind::copy);
    return engine.push([=, stream = info.stream] { stream->copy(dst, src, sizeof *dst); }, reads, writes,
                       info);
  }
  std::uint64_t* const memory = step.place < 0 ? cells.host.data() : cells.memory[step.place];
  if (step.place < 0) return engine.push([=] { run_step(step, memory); }, reads, writes, info);
  info.stream = stream_of(step.place, StreamKind::compute);
  auto* const stream = static_cast<SimulatedStream*>(info.stream);
  engine.push(
      [=] { stream->run([=] { run_step(step, static_cast<std::uint64_t*>(host_address(memory))); }); }, reads,
      writes, info);
}

// Programs of some 120 steps with waits in between.
void compare(Engine& engine, int cards, int programs, std::uint64_t seed) {
  SimulatedCards simulated;
  simulated.count = cards;
  simulated.seed = seed;
  simulate_cards(simulated);
  for (int program = 0; program < programs; ++program) {
    Random random{seed * 1000003 + static_cast<std::uint64_t>(program)};
    Cells cells(cards);
    std::vector<std::uint64_t> expected(kVars, 1);
    std::vector<Ref<Var>> vars;
    for (int i = 0; i < kVars; ++i) vars.push_back(make_var());
    const int steps = 20 + static_cast<int>(random.next(200));
    for (int i = 0; i < steps; ++i) {
      const Step step = random_step(random, cells);
      push_step(engine, step, cells, vars);
      run_step(step, expected.data());
      if (random.next(64) == 0) {
        const int var = static_cast<int>(random.next(kVars));
        engine.wait_for_var(vars[var].get(), i % 2 ? Wait::to_read : Wait::to_write);
        if (cells.place(var) < 0) CHECK_EQ(*cells.at(var), expected[var]);
      }
    }
    for (int i = 0; i < kVars; ++i) {
      if (cells.place(i) >= 0) continue;
      engine.wait_for_var(vars[i].get());
      CHECK_EQ(*cells.at(i), expected[i]);
    }
    engine.wait_for_all();
    for (int i = 0; i < kVars; ++i) {
      const auto* const at = static_cast<const std::uint64_t*>(host_address(cells.at(i)));
      CHECK_EQ(*at, expected[i]);
    }
  }
  simulated.count = 0;
  simulate_cards(simulated);
}

}  // namespace

TEST(engine_stream_random_serial) {
  std::unique_ptr<Engine> engine(make_serial());
  for (const int cards : {1, 2, 4})
    compare(*engine, cards, random_programs(40), static_cast<std::uint64_t>(cards));
}

TEST(engine_stream_random_threaded) {
  for (const int cards : {1, 2, 4}) {
    EngineOptions options;
    options.compute_workers = 3;
    options.random_seed = static_cast<std::uint64_t>(cards);
    std::unique_ptr<Engine> engine(make_threaded(options));
    compare(*engine, cards, random_programs(40), static_cast<std::uint64_t>(10 + cards));
  }
}

// The push returns while the stream still works; whoever waits for the value finds it.
TEST(engine_stream_host_does_not_wait) {
  SimulatedCards simulated;
  simulated.late = false;
  simulate_cards(simulated);
  std::unique_ptr<Engine> engine(make_threaded());
  auto* const stream = static_cast<SimulatedStream*>(stream_of(0, StreamKind::compute));
  auto x = make_var();
  std::atomic<bool> go{false};
  std::atomic<int> done{0};
  TaskInfo info;
  info.stream = stream;
  info.inline_ok = true;
  const auto work = [&] {
    while (!go) std::this_thread::sleep_for(std::chrono::microseconds(50));
    ++done;
  };
  for (int i = 0; i < 3; ++i) engine->push([&] { stream->run(work); }, {}, {x.get()}, info);
  CHECK_EQ(done.load(), 0);
  CHECK(!x->idle());
  int seen = -1;
  TaskInfo host;
  host.inline_ok = true;
  engine->push([&] { seen = done; }, {x.get()}, {}, host);  // on the host: waits in a worker
  CHECK_EQ(seen, -1);
  go = true;
  engine->wait_for_var(x.get(), Wait::to_write);
  CHECK_EQ(done.load(), 3);
  CHECK_EQ(seen, 3);
  engine->push([&] { seen = 4; }, {}, {x.get()}, host);  // nothing is left to wait for
  engine->wait_for_var(x.get());
  CHECK(x->idle());
  simulated.count = 0;
  simulate_cards(simulated);
}

TEST(engine_stream_failure_at_launch) {
  SimulatedCards simulated;
  simulate_cards(simulated);
  std::unique_ptr<Engine> engine(make_threaded());
  auto x = make_var(), y = make_var();
  TaskInfo info;
  info.name = "launch";
  info.stream = stream_of(0, StreamKind::compute);
  engine->push([] { fail(Status::invalid_argument, "[launch] no"); }, {}, {x.get()}, info);
  engine->push([] {}, {x.get()}, {y.get()}, info);
  CHECK_THROWS(engine->wait_for_var(y.get()), invalid_argument, "[launch] no");
  engine->push([] {}, {}, {x.get()}, info);
  engine->wait_for_var(x.get());
  engine->forget_errors();
  simulated.count = 0;
  simulate_cards(simulated);
}

// Work that fails after its task: the error arrives where the value is waited for, and with it at all that reads the value, whatever
// was pushed before it was known.
TEST(engine_stream_late_failure) {
  for (const bool late : {true, false}) {
    SimulatedCards simulated;
    simulated.count = 2;
    simulated.late = late;
    simulate_cards(simulated);
    std::unique_ptr<Engine> engine(make_threaded());
    auto x = make_var(), y = make_var(), z = make_var(), h = make_var(), w = make_var();
    std::atomic<int> ran{0};
    const auto task = [&](int card, bool fails, Ref<Var> from, Ref<Var> to) {
      TaskInfo info;
      info.name = "work";
      info.stream = stream_of(card, StreamKind::compute);
      auto* const stream = static_cast<SimulatedStream*>(info.stream);
      const auto body = [=, &ran] {
        stream->run([=, &ran, outcome = outcome_of_task()] {
          outcome->run("work", [&] {
            if (fails) fail(Status::index, "[work] row 7 of 4");
            ++ran;
          });
        });
      };
      Var* const reads[] = {from.get()};
      Var* const writes[] = {to.get()};
      engine->push(body, from ? Span<Var* const>(reads) : Span<Var* const>(), writes, info);
    };
    for (int round = 0; round < 50; ++round) {
      ran = 0;
      task(0, true, {}, x);
      task(0, false, x, y);
      task(1, false, y, z);
      for (int i = 0; i < 20; ++i) task(i % 2, false, z, z);
      task(1, false, {}, w);  // reads none of these
      int seen = 0;
      engine->push([&] { ++seen; }, {z.get()}, {h.get()});
      CHECK_THROWS(engine->wait_for_var(h.get()), index, "row 7 of 4");
      CHECK_THROWS(engine->wait_for_var(z.get()), index, "row 7 of 4");
      CHECK_THROWS(engine->wait_for_var(z.get()), index, "row 7 of 4");
      CHECK_THROWS(engine->wait_for_var(x.get(), Wait::to_write), index, "row 7 of 4");
      CHECK(x->failed() && z->failed());
      engine->wait_for_var(w.get());
      CHECK_EQ(seen, 0);
      CHECK_EQ(ran.load(), 1);
      task(0, false, {}, x);  // overwritten, all is well
      task(0, false, x, z);
      engine->push([&] { ++seen; }, {z.get()}, {h.get()});
      engine->wait_for_var(h.get());
      CHECK_EQ(seen, 1);
      engine->wait_for_all();  // everybody has seen the failures
    }
    task(0, true, {}, x);
    CHECK_THROWS(engine->wait_for_all(), index, "row 7 of 4");
    engine->wait_for_all();
    task(0, true, {}, x);
    x = Ref<Var>();  // nobody can ask it any more
    CHECK_THROWS(engine->wait_for_all(), index, "row 7 of 4");
    simulated.count = 0;
    simulate_cards(simulated);
  }
}

// What a Var tags may still be in use when the Var goes: its destructor is told, whoever lets go last.
TEST(engine_stream_var_goes_while_streams_work) {
  struct Tagged final : Var {
    explicit Tagged(std::atomic<int>& number) : events(number) {}
    ~Tagged() override {
      Event pending[kMostEvents];
      events = static_cast<int>(stream_events(pending));
    }
    std::atomic<int>& events;
  };
  SimulatedCards simulated;
  simulated.late = false;
  simulate_cards(simulated);
  auto* const stream = static_cast<SimulatedStream*>(stream_of(0, StreamKind::compute));
  for (const bool last_task : {false, true}) {
    std::unique_ptr<Engine> engine(make_threaded());
    std::atomic<bool> go{false}, launched{false};
    std::atomic<int> events{-1};
    auto var = Ref<Tagged>::adopt(new Tagged(events));
    TaskInfo info;
    info.stream = stream;
    engine->push(
        [&] {
          stream->run([&] {
            while (!go) std::this_thread::sleep_for(std::chrono::microseconds(50));
          });
          while (last_task && !launched) std::this_thread::sleep_for(std::chrono::microseconds(50));
        },
        {}, {var.get()}, info);
    if (!last_task) {
      while (var->version() == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    var = Ref<Tagged>();
    launched = true;
    while (events < 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    CHECK_EQ(events.load(), 1);
    go = true;
    engine->wait_for_all();
  }
  simulated.count = 0;
  simulate_cards(simulated);
}

// More streams read than a Var keeps events of.
TEST(engine_stream_many_readers) {
  SimulatedCards simulated;
  simulated.count = 8;
  simulate_cards(simulated);
  std::unique_ptr<Engine> engine(make_threaded());
  auto x = make_var();
  std::uint64_t value = 0;
  std::atomic<int> wrong{0};
  for (std::uint64_t round = 1; round <= 20; ++round) {
    engine->push([&value, round] { value = round; }, {}, {x.get()});
    for (int card = 0; card < 8; ++card) {
      for (const StreamKind kind : {StreamKind::compute, StreamKind::copy}) {
        TaskInfo info;
        info.stream = stream_of(card, kind);
        auto* const stream = static_cast<SimulatedStream*>(info.stream);
        engine->push([=, &value, &wrong] { stream->run([=, &value, &wrong] { wrong += value != round; }); },
                     {x.get()}, {}, info);
      }
    }
  }
  engine->wait_for_all();
  CHECK_EQ(wrong.load(), 0);
  simulated.count = 0;
  simulate_cards(simulated);
}

#if !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)  // threads after a fork may wait for their locks
TEST(device_streams_of_a_child_that_was_forked_inside_a_task_start_anew) {
  SimulatedCards simulated;
  simulated.late = false;
  simulate_cards(simulated);
  auto* const stream = static_cast<SimulatedStream*>(stream_of(0, StreamKind::compute));
  std::atomic<bool> go{false};
  stream->run([&go] {
    while (!go) std::this_thread::yield();
  });
  int status = -1;
  std::unique_ptr<Engine> engine(make_threaded());
  engine->push(
      [&] {
        const pid_t child = fork();
        if (child == 0) {
          alarm(20);
          std::atomic<int> done{0};
          stream->run([&done] { done = 1; });
          _exit(stream->mark().wait(10) && done == 1 ? 0 : 1);
        }
        waitpid(child, &status, 0);
        go = true;
      },
      {}, {});
  engine->wait_for_all();
  CHECK(stream->mark().wait());
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  simulated.count = 0;
  simulate_cards(simulated);
}
#endif

TEST(device_simulated_memory_is_protected) {
  SimulatedCards simulated;
  simulated.memory = std::size_t{1} << 20;
  simulate_cards(simulated);
  DeviceApi& api = device_api(Device::gpu(0));
  auto* const data = static_cast<char*>(api.allocate(Device::gpu(0), 8192, 0));
  CHECK(data && host_address(data) != data);
  CHECK(api.allocate(Device::gpu(0), std::size_t{1} << 20, 0) == nullptr);  // the card has no more
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    *const_cast<volatile char*>(data) = 1;
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
  void* const aligned = api.allocate(Device::gpu(0), 4096, std::size_t{8} << 20);
  CHECK(aligned && reinterpret_cast<std::uintptr_t>(aligned) % (std::size_t{8} << 20) == 0);
  api.release(aligned, 4096);
  const char text[] = "to the card and back";
  char back[sizeof text] = {};
  Stream* const stream = api.stream(Device::gpu(0), StreamKind::copy);
  stream->fill(data, 7, 8192);
  stream->copy(data, text, sizeof text);
  stream->copy(back, data, sizeof text);
  CHECK(stream->mark().wait());
  CHECK(std::memcmp(back, text, sizeof text) == 0);
  CHECK_EQ(int(static_cast<char*>(host_address(data))[8191]), 7);
  api.release(data, 8192);
  CHECK_THROWS(device_api(Device::gpu(1)), invalid_argument, "gpu(0)");
  simulated.count = 17;
  CHECK_THROWS(simulate_cards(simulated), invalid_argument, "0 to 16");
  simulated.count = 0;
  simulate_cards(simulated);
  CHECK_THROWS(device_api(Device::gpu(0)), unsupported, "CUDA");
}
