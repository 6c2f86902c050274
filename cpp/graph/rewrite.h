// Writing a changed copy of a graph, node by node: the frame of most passes.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

// The pass walks the old graph in order and copies, adds or replaces; values not written keep no trace. The boundary
// between forward and backward follows the last old node of the forward part.
class GraphWriter {
 public:
  explicit GraphWriter(const Graph& from);
  // Copies an old node with its operands mapped; its shapes, dtypes and constant come along.
  NodeId copy(NodeId old);
  // Adds a node in the place of an old one: on its side of the boundary, and as many values, with its shapes and dtypes,
  // which the old values become.
  NodeId put(NodeId old, GraphNode node, Span<const ValueId> operands);
  // What is added from now on stands where the old node stood: on its side of the boundary.
  void reach(NodeId old);
  // From now on the old value stands for this new one.
  void replace(ValueId old, ValueId with) { map_[old] = with; }
  // The new value that an old one became; kNone before it was written.
  ValueId mapped(ValueId old) const { return map_[old]; }
  // The new graph, for adding nodes that the old one lacks.
  Graph& graph() { return to_; }
  const Graph& graph() const { return to_; }
  // Maps heads, variables and gradients; throws Status::internal when one of them was not written.
  Graph finish();

 private:
  const Graph& from_;
  Graph to_;
  std::vector<ValueId> map_;
  std::vector<NodeId> node_map_;
};

}  // namespace mixgrad
