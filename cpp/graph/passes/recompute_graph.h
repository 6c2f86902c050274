// Writing a graph whose backward part computes some forward values again.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

using Kept = std::vector<bool>;  // by node of the forward part: whether its values stay

// Nanoseconds of a forward call, roughly.
double forward_cost(const Graph& graph, const GraphNode& node);
// The same of computing it once more: batch normalisation does not look for its statistics again.
double again_cost(const Graph& graph, const GraphNode& node);

// The graph with clones of the nodes that are not kept, each just before its first use in the backward part, and the
// clones' cost. `costs` holds again_cost by forward node. What kept nodes write in place must not be read again later.
struct Recomputed {
  Graph graph;
  double cost = 0;
};
// `room` is a graph whose memory may be taken.
Recomputed write_recomputed(const Graph& graph, const Kept& kept, const std::vector<double>& costs,
                            Graph room = {});

// Whether clones of the operator leave alone the states that its calls write.
bool is_normalisation(const Op& op);

}  // namespace mixgrad
