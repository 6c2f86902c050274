// What a task costs: nanoseconds per task with 2 reads and 1 write over 64 Vars, bodies of a few
// instructions. Prints the median of the repeats and their spread (lowest to highest).
//   engine_bench [tasks] [repeats]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "engine/engine.h"

namespace {

using mixgrad::Ref;
using mixgrad::engine::Engine;
using mixgrad::engine::EngineOptions;
using mixgrad::engine::TaskInfo;
using mixgrad::engine::Var;

constexpr int kVars = 64;

struct Bench {
  std::vector<Ref<Var>> vars;
  std::vector<std::uint8_t> picks;  // three per task
  std::uint64_t cells[kVars] = {};
  int tasks, repeats;

  Bench(int task_count, int repeat_count) : tasks(task_count), repeats(repeat_count) {
    for (int i = 0; i < kVars; ++i) vars.push_back(mixgrad::engine::make_var());
    std::uint64_t state = 1;
    for (int i = 0; i < 3 * tasks; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      picks.push_back(static_cast<std::uint8_t>((state >> 33) % kVars));
    }
  }

  void push_all(Engine& engine, const TaskInfo& info, int batch) {
    for (int i = 0; i < tasks; ++i) {
      const int a = picks[3 * i], b = picks[3 * i + 1], c = picks[3 * i + 2];
      Var* const reads[] = {vars[a].get(), vars[b].get()};
      Var* const writes[] = {vars[c].get()};
      engine.push([this, a, b, c] { cells[c] = cells[a] + cells[b] + 1; }, reads, writes, info);
      if ((i + 1) % batch == 0) engine.wait_for_all();
    }
    engine.wait_for_all();
  }

  void report(const char* what, const std::function<void()>& run) {
    std::vector<double> times;
    run();  // warm-up
    for (int i = 0; i < repeats; ++i) {
      const auto start = std::chrono::steady_clock::now();
      run();
      const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
      times.push_back(took.count() / tasks);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-34s %7.1f ns  (%.1f to %.1f)\n", what, times[times.size() / 2], times.front(),
                times.back());
  }

  void report_engine(const char* what, Engine* made, bool inline_ok, int batch) {
    const std::unique_ptr<Engine> engine(made);
    TaskInfo info;
    info.inline_ok = inline_ok;
    report(what, [&] { push_all(*engine, info, batch); });
  }
};

Engine* workers(int count) {
  EngineOptions options;
  options.compute_workers = count;
  return mixgrad::engine::make_threaded(options);
}

}  // namespace

int main(int argc, char** argv) {
  const int tasks = argc > 1 ? std::atoi(argv[1]) : 1000000;
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 7;
  Bench bench(std::max(1, tasks), std::max(1, repeats));
  bench.report("body alone", [&] {
    for (int i = 0; i < bench.tasks; ++i) {
      const int a = bench.picks[3 * i], b = bench.picks[3 * i + 1], c = bench.picks[3 * i + 2];
      bench.cells[c] = bench.cells[a] + bench.cells[b] + 1;
    }
  });
  bench.report_engine("serial engine", mixgrad::engine::make_serial(), true, 1000);
  bench.report_engine("inline", workers(1), true, 1000);
  bench.report_engine("queued, 1 worker, batches of 1000", workers(1), false, 1000);
  bench.report_engine("queued, 2 workers, batches of 1000", workers(2), false, 1000);
  bench.report_engine("queued, 1 worker, one batch", workers(1), false, 1 << 30);
  bench.report_engine("queued, 2 workers, one batch", workers(2), false, 1 << 30);
  bench.report_engine("queued, waited for one by one", workers(1), false, 1);
  return 0;
}
