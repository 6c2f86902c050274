// BatchNorm and the activation behind it, forward and backward, where they can be one call.
#pragma once

#include <unordered_map>

#include "graph/graph.h"

namespace mixgrad {

// y = activation(BatchNorm(x)), nothing else using what lies between in either part.
struct NormChain {
  NodeId norm = kNone, end = kNone, end_backward = kNone, norm_backward = kNone;
  const char* activation = "none";
  double low = 0, high = 0;
};

// By each of its four nodes.
using NormChains = std::unordered_map<NodeId, NormChain>;

// relu, Activation with relu, and clip count.
NormChains find_norm_chains(const Graph& graph);

// The call that a backward call of BatchNorm belongs to.
NodeId norm_of(const Graph& graph, const GraphNode& backward);

}  // namespace mixgrad
