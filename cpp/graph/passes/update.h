// Steps of an optimiser inside the graph: arguments change as soon as their gradients are there.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

// The step of one argument: op(argument, gradient, states...) gives its new value and writes the states in place.
struct ArgumentUpdate {
  size_t argument;  // its number
  const Op* op;
  ParamsRef params;           // kept by the graph; a run may bring others: GraphNode::params_slot
  std::vector<DType> states;  // each has the argument's shape and device
};

// A graph with a backward part in which these arguments' gradients are no results any more: Graph::gradients has the new value
// in their place, for the argument's own memory, and Graph::update_states has variables for the states, one update's behind
// the other's. A step runs where its gradient is made and nothing reads the argument's old value any more, so that gradients
// need not be alive all at once. Passes that move or add readers of arguments come before this one.
Graph insert_updates(const Graph& graph, const std::vector<ArgumentUpdate>& updates);

}  // namespace mixgrad
