// Large graphs: time grows like their size, whatever their form, and nothing recurses.
#include <ctime>

#include "check.h"
#include "exec/planned/program.h"
#include "graph/passes/passes.h"
#include "graph/passes/recompute.h"
#include "graph/symbol_json.h"
#include "graph_random.h"

using namespace mixgrad;
using graph_random::apply_op;

namespace {

// One after another, or with a sum every other node, or all on one value, or on any two of the last thousand.
Symbol network(const std::string& form, int nodes) {
  Attributes shape;
  shape.set("__shape__", "(4,)");
  Symbol net = Symbol::variable("x", shape);
  if (form == "wide") {
    std::vector<SymbolInput> all;
    for (int i = 0; i + 1 < nodes; ++i)
      all.push_back({"", apply_op("_mul_scalar", {{"", net}}, text("n", i), {{"scalar", Value(1.0 + i)}})});
    return apply_op("add_n", all, "sum");
  }
  std::minstd_rand random(1);
  std::vector<Symbol> made{net};
  const auto recent = [&](size_t most) {
    return SymbolInput{"", made[made.size() - 1 - random() % std::min(made.size(), most)]};
  };
  for (int i = 0; i < nodes; ++i) {
    const SymbolInput last{"", made.back()};
    if (form == "chain" || i % 2 == 0)
      made.push_back(apply_op(i % 2 ? "tanh" : "sigmoid", {last}, text("n", i)));
    else
      made.push_back(apply_op(
          "elemwise_add", {last, form == "residual" ? SymbolInput{"", made[made.size() - 2]} : recent(1000)},
          text("n", i)));
  }
  return made.back();
}

Graph training_graph(const Symbol& net) {
  return simplify(gradient(infer(flatten(net, {true}))), PassOptions());
}

GraphPlan plan_training(const Symbol& net) {
  const GradientOptions every;
  PlanOptions options;
  options.gradients = &every;
  return plan_graph(infer(flatten(net, {true})), options);
}

template <class Work>
double cpu_seconds(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    work();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    best = std::min(best, static_cast<double>(end.tv_sec - begin.tv_sec) +
                              1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec));
  }
  return best;
}

// Ten times as many nodes no longer fit the caches, which costs two to three times as much per node; what looks at pairs of nodes
// would take a hundred times as long.
constexpr double kMostGrowth = 40;

template <class Work>
void check_growth(const char* what, int nodes, const Work& work) {
  for (const char* form : {"chain", "residual", "wide", "random"}) {
    const Symbol small = network(form, nodes), large = network(form, 10 * nodes);
    const double once = cpu_seconds([&] { work(small); }), ten = cpu_seconds([&] { work(large); });
    if (ten > kMostGrowth * once)
      check::fail(__FILE__, __LINE__, text(what, " of form ", form, " took ", once, " s, then ", ten, " s"));
  }
}

}  // namespace

TEST(graph_scale_planning) {
  check_growth("planning", 4000, [](const Symbol& net) { Program program(plan_training(net)); });
}

TEST(graph_scale_recompute) {
  check_growth("recompute", 2000, [](const Symbol& net) {
    const Graph graph = training_graph(net);
    const int64_t half = plan_memory(graph).bytes() / 2;
    recompute(graph, {RecomputeOptions::Goal::budget, half});
  });
}

TEST(graph_scale_files) {
  check_growth("files", 4000, [](const Symbol& net) { read_symbol(write_symbol(net), "test"); });
}

TEST(graph_scale_deep) {
  const Symbol net = network("residual", 300'000);
  const Symbol copy = read_symbol(write_symbol(net), "test").copy();
  CHECK_EQ(copy.list_arguments().size(), 1u);
  const Program program(plan_training(copy));
  CHECK(program.plan().bytes() > 0);
}
