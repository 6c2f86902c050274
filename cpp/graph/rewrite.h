// Writing a changed copy of a graph, node by node: the frame of most passes.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

// The pass walks the old graph in order and copies, adds or replaces; values not written keep no trace. The boundary
// between forward and backward follows the last old node of the forward part.
class GraphWriter {
 public:
  explicit GraphWriter(const Graph& from);
  ~GraphWriter();
  // With room for so many nodes and values at first, where most of the old ones will not be written.
  GraphWriter(const Graph& from, size_t nodes, size_t values);
  // Takes names, sources, parameters and constants out of the old nodes as they are copied, each once: nothing else of these
  // changes. That saves most of what copying a large graph costs.
  explicit GraphWriter(Graph&& from);
  // Before anything is written: takes over the memory of a graph that nobody needs any more. Fresh memory for large graphs
  // costs more than what is written there.
  void reuse(Graph room);
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
  // Maps heads, variables and gradients; Status::internal (in compact builds the end) when one was not written.
  Graph finish();

 private:
  GraphWriter(const Graph& from, Graph* taken, size_t nodes, size_t values);
  const Graph& from_;
  Graph* const taken_ = nullptr;  // from_, when its nodes may be emptied
  Graph to_;
  std::vector<ValueId> map_;
  std::vector<ValueId> operands_;  // of the node being copied
  std::vector<NodeId> node_map_;
};

// Other values in the place of some, in the graph itself: for passes that add no nodes, in one walk in running order.
class Replacements {
 public:
  explicit Replacements(Graph& graph) : graph_(graph), with_(graph.values.size()) {
    for (ValueId v = 0; v < with_.size(); ++v) with_[v] = v;
  }
  // `with` is a value that stays.
  void set(ValueId old, ValueId with) { with_[old] = with; }
  // Operands of the node become what stands for them.
  void apply(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    for (uint32_t i = 0; i < node.num_operands; ++i) {
      ValueId& v = graph_.operands[node.first_operand + i];
      v = with_[v];
    }
  }
  // Heads and gradients do.
  void finish() {
    for (std::vector<ValueId>* results : {&graph_.heads, &graph_.gradients}) {
      for (ValueId& v : *results) v = v == kNone ? kNone : with_[v];
    }
  }

 private:
  Graph& graph_;
  std::vector<ValueId> with_;
};

}  // namespace mixgrad
