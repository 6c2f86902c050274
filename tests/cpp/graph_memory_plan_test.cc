// Memory plans: soundness on random graphs and random lifetimes, settings, and what is known of small nets.
#include "check.h"
#include "graph/passes/arena_layout.h"
#include "graph/passes/memory_plan.h"
#include "graph/passes/passes.h"
#include "graph_random.h"

using namespace mixgrad;
using graph_random::apply_op;

namespace {

Symbol chain(int length) {
  Attributes shape;
  shape.set("__shape__", "(8, 16)");
  Symbol net = Symbol::variable("x", shape);
  for (int i = 0; i < length; ++i) {
    net =
        i % 2 ? apply_op("softmax", {{"", net}}, text("n", i)) : apply_op("tanh", {{"", net}}, text("n", i));
  }
  return net;
}

}  // namespace

TEST(memory_layout_of_random_lifetimes) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::vector<ArenaBlock> blocks(1 + random() % 200);
    for (ArenaBlock& b : blocks) {
      b.first = random() % 300;
      b.last = b.first + random() % (seed % 2 ? 300 : 20);
      b.bytes = 64 * static_cast<int64_t>(random() % 50);
    }
    const int64_t bytes = lay_out(blocks);
    CHECK(bytes >= live_peak(blocks));
    for (size_t i = 0; i < blocks.size(); ++i) {
      CHECK(blocks[i].offset >= 0 && blocks[i].offset + blocks[i].bytes <= bytes);
      for (size_t j = 0; j < i; ++j) {
        const ArenaBlock &a = blocks[i], &b = blocks[j];
        const bool together = a.first <= b.last && b.first <= a.last;
        CHECK(!together || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset);
      }
    }
  }
}

TEST(memory_plan_is_sound_on_random_graphs) {
  for (uint32_t seed = 0; seed < 80; ++seed) {
    std::mt19937 random(seed);
    const Symbol net = graph_random::network(random, 4 + static_cast<int>(seed % 30), true);
    Graph graph = infer(flatten(net, {seed % 3 != 0}));
    if (seed % 2) graph = gradient(graph);
    if (seed % 5) graph = simplify(std::move(graph), {});
    if (seed % 3) graph = fuse_pointwise(graph);
    int64_t before = 0;
    for (const char* setting : {"naive", "inplace", "co-share", "both"}) {
      const MemoryPlan plan = plan_memory(graph, memory_plan_options(setting));
      check_memory_plan(plan, graph);
      CHECK(plan.bytes() >= plan.live_bytes());
      if (std::string(setting) == "naive") before = plan.bytes();
      CHECK(plan.bytes() <= before);
    }
  }
}

TEST(memory_plan_of_a_chain) {
  const Graph graph = infer(flatten(chain(10), {false}));
  const int64_t one = 8 * 16 * 4;
  CHECK_EQ(plan_memory(graph, memory_plan_options("naive")).bytes(), 9 * one);  // the head lies outside
  CHECK_EQ(plan_memory(graph, memory_plan_options("co-share")).bytes(), 2 * one);
  // One after another is computed over the one before, the last of them in the head's own memory.
  const MemoryPlan plan = plan_memory(graph);
  CHECK_EQ(plan.bytes(), 0);
  CHECK(plan.buffers.empty());
  const MemoryPlan training = plan_memory(gradient(graph));
  CHECK(training.bytes() >= 5 * one);  // gradients need the tanh's results
  CHECK(dump(training, gradient(graph)).find("arena cpu(0): ") != std::string::npos);
  CHECK_THROWS(memory_plan_options("tight"), invalid_argument, "expected naive, inplace, co-share or both");
}

TEST(memory_plan_views_share_memory) {
  Attributes shape;
  shape.set("__shape__", "(4, 6)");
  Symbol net = apply_op("softmax", {{"", Symbol::variable("x", shape)}}, "a");
  const Symbol flat = apply_op("Flatten", {{"", net}}, "flat");
  const Symbol sum = apply_op("elemwise_add", {{"", flat}, {"", net}}, "sum");
  const Graph graph = infer(flatten(apply_op("softmax", {{"", sum}}, "top")));
  const MemoryPlan plan = plan_memory(graph);
  check_memory_plan(plan, graph);
  CHECK_EQ(plan.buffers.size(),
           0u);  // the sum is written over its operands, and all lies in the head's memory
}

TEST(memory_plan_finds_tight_layouts) {
  // Fused residual networks: large values in pairs, others in between, whose orders of size and time both fail.
  std::vector<ArenaBlock> blocks;
  for (uint32_t unit = 0; unit < 40; ++unit) {
    const uint32_t at = unit * 4;
    blocks.push_back({at, at + 8, 4096, 0});      // the sum, alive until the next unit's
    blocks.push_back({at + 1, at + 2, 4096, 0});  // normalised
    blocks.push_back({at + 2, at + 3, 1024, 0});
    blocks.push_back({at + 3, at + 3, 1024, 0});
    blocks.push_back({at + 1, at + 1, 64, 0});
  }
  const int64_t bytes = lay_out(blocks), bound = live_peak(blocks);
  CHECK(bytes <= bound + bound * 3 / 100);
}

TEST(memory_plan_of_a_long_chain_is_linear) {
  const Graph graph = gradient(infer(flatten(chain(20000), {true})));
  const MemoryPlan plan = plan_memory(graph);
  CHECK(plan.bytes() <= plan.live_bytes() + plan.live_bytes() / 20);
}
