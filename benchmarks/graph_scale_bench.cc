// Time and memory of everything that binding a graph does, step by step, for graphs of growing size.
//   graph_scale_bench [form] [nodes ...]      forms: chain, residual
// One line per step and size: nanoseconds per node of the symbol (best of a few), and the bytes per node that the step's
// result holds.
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "exec/planned/executor.h"
#include "graph/passes/infer.h"

using namespace mixgrad;

namespace {

double seconds_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

Symbol network(const std::string& form, int nodes) {
  Symbol net = Symbol::variable("x", {}), before = net;
  for (int i = 0; i < nodes; ++i) {
    const std::string name = "n" + std::to_string(i);
    const Symbol last = net;
    const SymbolInput in[] = {{"", last}}, two[] = {{"", last}, {"", before}};
    const NamedValue one[] = {{"scalar", Value(1.0)}};
    if (i % 2 == 1)
      net = Symbol::call(find_op("tanh"), Span<const NamedValue>(), name, {}, in);
    else if (form == "residual")
      net = Symbol::call(find_op("elemwise_add"), Span<const NamedValue>(), name, {}, two);
    else
      net = Symbol::call(find_op("_plus_scalar"), one, name, {}, in);
    before = last;
  }
  return net;
}

// Steps in the order in which they first ran, with the best time of each.
class Times {
 public:
  template <class Work>
  auto of(const char* step, const Work& work) {
    const size_t held = bytes_in_use();
    const double start = seconds_now();
    auto result = work();
    note(step, seconds_now() - start, static_cast<double>(bytes_in_use()) - static_cast<double>(held));
    return result;
  }
  void note(const char* step, double seconds, double bytes) {
    for (Row& row : rows_) {
      if (row.step != step) continue;
      row.seconds = std::min(row.seconds, seconds);
      return;
    }
    rows_.push_back({step, seconds, bytes});
  }
  void print(const std::string& form, int nodes) const {
    for (const Row& row : rows_)
      std::printf("%-9s %8d  %-12s %9.1f ns  %8.1f bytes\n", form.c_str(), nodes, row.step.c_str(),
                  1e9 * row.seconds / nodes, row.bytes / nodes);
  }

 private:
  struct Row {
    std::string step;
    double seconds, bytes;
  };
  std::vector<Row> rows_;
};

void plan_steps(const Symbol& net, Times& times) {
  Graph graph = times.of("flatten", [&] { return flatten(net, {true}); });
  graph.set_shape(graph.nodes[graph.arguments[0]].first_value, Shape{4});
  graph = times.of("infer", [&] { return infer(std::move(graph)); });
  graph = times.of("gradient", [&] { return gradient(graph); });
  PassOptions options;
  double last = seconds_now();
  const PassWatcher watch = [&](const char* pass, const Graph&) {
    times.note(pass, seconds_now() - last, 0);
    last = seconds_now();
  };
  options.watch = &watch;
  graph = simplify(std::move(graph), options);
  GraphPlan plan{times.of("pointwise", [&] { return fuse_pointwise(graph); }), {}};
  graph = Graph();
  plan.memory = times.of("memory plan", [&] { return plan_memory(plan.graph); });
  auto program = times.of("program", [&] { return std::make_unique<Program>(std::move(plan)); });
  const double start = seconds_now();
  program = nullptr;
  times.note("free", seconds_now() - start, 0);
}

std::unique_ptr<Executor> bind_training(const Symbol& net, const PassOptions& passes) {
  ExecutorArrays arrays;
  for (std::vector<ArrayRef>* list : {&arrays.arguments, &arrays.gradients})
    list->push_back(Array::empty(Shape{4}, DType::float32, Device()));
  ExecutorOptions options;
  options.passes = passes;
  return std::make_unique<Executor>(net, Device(), std::move(arrays), nullptr, options);
}

void measure(const std::string& form, int nodes, int rounds, bool steps) {
  Times times;
  for (int round = 0; round < rounds; ++round) {
    Symbol net = times.of("symbol", [&] { return network(form, nodes); });
    if (steps) plan_steps(net, times);
    for (const bool fused : {true, false}) {
      PassOptions passes;
      passes.pointwise = fused;
      auto exe = times.of(fused ? "bind" : "bind apart", [&] { return bind_training(net, passes); });
      const double start = seconds_now();
      exe = nullptr;
      times.note(fused ? "unbind" : "unbind apart", seconds_now() - start, 0);
    }
    const double start = seconds_now();
    net = Symbol();
    times.note("free symbol", seconds_now() - start, 0);
  }
  times.print(form, nodes);
}

}  // namespace

int main(int count, char** words) {
  const std::string form = count > 1 ? words[1] : "chain";
  std::vector<int> sizes;
  for (int i = 2; i < count; ++i) sizes.push_back(std::atoi(words[i]));
  if (sizes.empty()) sizes = {10'000, 100'000, 1'000'000};
  for (const int nodes : sizes) measure(form, nodes, nodes > 200'000 ? 2 : 5, true);
}
