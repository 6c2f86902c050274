// From a flat graph to what runs: the one way that executors, predictors, bodies of loops and graph_str take.
#pragma once

#include "graph/passes/gradient.h"
#include "graph/passes/memory_plan.h"
#include "graph/passes/passes.h"
#include "graph/passes/recompute.h"
#include "graph/passes/transfers.h"
#include "graph/passes/update.h"

namespace mixgrad {

struct PlanOptions {
  // The backward part; null: there is none.
  const GradientOptions* gradients = nullptr;
  // Arguments that the backward part changes in place of giving their gradients; null: none.
  const std::vector<ArgumentUpdate>* updates = nullptr;
  // What the backward part computes again; null: nothing, not even what the symbol's attributes ask for.
  const RecomputeOptions* recompute = nullptr;
  // Per argument where its gradient lies; empty: all nodes and gradients are on one device.
  std::vector<Device> gradient_devices;
  // Of a graph over several processes; null: it is one process's.
  const Workers* workers = nullptr;
  // A monitor sees the symbol's own values: nothing is fused or grouped.
  bool watched = false;
  PassOptions passes = default_pass_options();
  MemoryPlanOptions memory;
};

struct GraphPlan {
  Graph graph;
  MemoryPlan memory;
  PassOptions passes;  // of the graphs that operators hold
};

// Of a graph as flatten and infer leave it: shapes and dtypes are known, and nodes have their mode and device.
GraphPlan plan_graph(const Graph& forward, const PlanOptions& options);

}  // namespace mixgrad
