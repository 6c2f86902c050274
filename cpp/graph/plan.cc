#include "graph/plan.h"

#include "base/build.h"
#include "graph/passes/placement.h"

namespace mixgrad {
namespace {

void ran(const PassOptions& passes, const char* pass, const Graph& graph) {
  if (passes.watch) (*passes.watch)(pass, graph);
}

Graph group(Graph graph, const PassOptions& passes) {
  if (!passes.pointwise) return graph;
  graph = run_pass(Pass::pointwise, std::move(graph), passes);
  ran(passes, "pointwise", graph);
  return graph;
}

// Pointwise groups, then updates of arguments, which no pass may move anything across.
Graph group_and_update(Graph graph, const PassOptions& passes, const PlanOptions& options) {
  graph = group(std::move(graph), passes);
  if constexpr (kTraining) {
    if (options.updates && !options.updates->empty()) {
      graph = insert_updates(graph, *options.updates);
      ran(passes, "update", graph);
    }
  }
  return graph;
}

// What is computed again, and what runs together, which changes the memory a little: a budget holds for both.
Graph last_passes(Graph graph, const PassOptions& passes, const PlanOptions& options) {
  if constexpr (kTraining) {
    if (options.recompute) {
      RecomputeOptions recomputing = *options.recompute;
      const bool bounded = recomputing.goal == RecomputeOptions::Goal::budget;
      for (int tries = 4;; --tries) {
        const size_t before = graph.nodes.size();
        Graph made = recompute(bounded ? graph : std::move(graph), recomputing);
        if (made.nodes.size() != before) ran(passes, "recompute", made);
        made = group_and_update(std::move(made), passes, options);
        if (!bounded) return made;
        const int64_t planned = plan_memory(made, options.memory).bytes();
        if (planned <= options.recompute->bytes || tries == 0) return made;
        recomputing.bytes -= 2 * (planned - options.recompute->bytes) + recomputing.bytes / 64;
      }
    }
  }
  return group_and_update(std::move(graph), passes, options);
}

bool on_several_devices(const Graph& graph, const std::vector<Device>& gradient_devices) {
  if (gradient_devices.empty()) return false;
  const Device first = graph.nodes[0].device;
  for (const GraphNode& node : graph.nodes) {
    if (node.device != first) return true;
  }
  for (size_t i = 0; i < graph.gradients.size(); ++i) {
    if (graph.gradients[i] != kNone && gradient_devices[i] != first) return true;
  }
  return false;
}

}  // namespace

GraphPlan plan_graph(const Graph& forward, const PlanOptions& options) {
  PassOptions passes = options.passes;
  if (options.watched) passes.fuse = passes.pointwise = false;
  GraphPlan plan;
  Graph& graph = plan.graph;
  if constexpr (kTraining) {
    if (options.gradients) {
      graph = gradient(forward, *options.gradients);
      ran(passes, "gradient", graph);
    }
  }
  if (!options.gradients) graph = forward;
  if constexpr (kQueues) {
    if (options.workers) {
      graph = insert_transfers(prune(std::move(graph)), *options.workers);
      ran(passes, "transfers", graph);
    }
  }
  graph = simplify(std::move(graph), passes);
  graph = last_passes(std::move(graph), passes, options);
  if constexpr (kQueues) {
    if (on_several_devices(graph, options.gradient_devices))
      graph = insert_copies(graph, options.gradient_devices);
  }
  MemoryPlanOptions memory = options.memory;
  if (options.watched) memory.inplace = false;  // a view of its operand has no step that could be watched
  plan.memory = plan_memory(graph, memory);
  plan.passes = options.passes;
  plan.passes.watch = nullptr;
  return plan;
}

}  // namespace mixgrad
