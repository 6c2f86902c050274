// Running nodes one by one on plain host memory: what constant folding and tests of passes need, not how graphs run.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

// Bytes per value; empty until computed.
using HostValues = std::vector<std::vector<char>>;

// Runs a call or loads a constant; its operands must be there. Shapes and dtypes must be known.
void evaluate_node(const Graph& graph, NodeId node, HostValues& values, uint64_t seed = 0);
// Nodes [first, last) in order; variables must have been filled.
void evaluate(const Graph& graph, NodeId first, NodeId last, HostValues& values, uint64_t seed = 0);

}  // namespace mixgrad
