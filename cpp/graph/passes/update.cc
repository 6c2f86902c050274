#include "graph/passes/update.h"

#include <algorithm>

#include "base/error.h"
#include "graph/rewrite.h"

namespace mixgrad {
namespace {

class UpdateInsertion {
 public:
  UpdateInsertion(const Graph& graph, const std::vector<ArgumentUpdate>& updates)
      : graph_(graph), updates_(updates), writer_(graph) {
    const std::vector<NodeId> last_reader = last_readers();
    by_node_.resize(graph.nodes.size());
    states_.resize(updates.size());
    for (size_t u = 0; u < updates.size(); ++u) {
      const ValueId gradient = graph.gradients[updates[u].argument];
      if (gradient == kNone)
        fail(Status::internal, "[update] argument ", updates[u].argument, " has no gradient");
      const NodeId made = graph.values[gradient].node, read = last_reader[argument_of(u)];
      by_node_[std::max(made, read)].push_back(u);
    }
  }

  Graph run() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      writer_.copy(n);
      if (n + 1 < graph_.forward_end) continue;
      // What is ready before the backward part begins is its first step.
      for (NodeId from = n + 1 == graph_.forward_end ? 0 : n; from <= n; ++from) {
        for (size_t u : by_node_[from]) add(u);
      }
    }
    Graph made = writer_.finish();
    for (const Added& added : added_) {
      const ArgumentUpdate& update = updates_[added.update];
      made.gradients[update.argument] = added.value;
      made.nodes[made.arguments[update.argument]].updated = true;
    }
    for (const std::vector<NodeId>& states : states_)
      made.update_states.insert(made.update_states.end(), states.begin(), states.end());
    return made;
  }

 private:
  struct Added {
    size_t update;
    ValueId value;
  };

  ValueId argument_of(size_t u) const {
    return graph_.nodes[graph_.arguments[updates_[u].argument]].first_value;
  }

  // Per value the last node that reads it. Views of what is updated are copies: see mutated_values.
  std::vector<NodeId> last_readers() const {
    std::vector<NodeId> last(graph_.values.size(), 0);
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      for (ValueId v : graph_.operands_of(graph_.nodes[n])) last[v] = n;
    }
    return last;
  }

  void add(size_t u) {
    const ArgumentUpdate& update = updates_[u];
    Graph& to = writer_.graph();
    if (to.forward_end == kNone) to.forward_end = static_cast<NodeId>(to.nodes.size());
    const GraphNode& argument = graph_.nodes[graph_.arguments[update.argument]];
    const GraphValue& old = graph_.values[argument.first_value];
    std::vector<ValueId> operands{writer_.mapped(argument.first_value),
                                  writer_.mapped(graph_.gradients[update.argument])};
    for (DType dtype : update.states) {
      GraphNode state;
      state.role = VariableRole::update_state;
      state.device = argument.device;
      state.name = to.ending(argument.name, "_state");
      states_[u].push_back(to.add(std::move(state), {}, 1));
      operands.push_back(describe(to, states_[u].back(), old.shape, dtype));
    }
    GraphNode step;
    step.kind = GraphNodeKind::forward;
    step.op = update.op;
    step.params = to.pool->keep(update.params);
    step.params_slot = static_cast<uint32_t>(u);
    step.training = true;
    step.device = argument.device;
    step.name = to.ending(argument.name, "_update");
    const NodeId id = to.add(std::move(step), operands, 1);
    added_.push_back({u, describe(to, id, old.shape, old.dtype)});
  }

  static ValueId describe(Graph& graph, NodeId n, PooledShape shape, DType dtype) {
    const ValueId v = graph.nodes[n].first_value;
    graph.values[v].shape = shape;
    graph.values[v].dtype = dtype;
    return v;
  }

  const Graph& graph_;
  const std::vector<ArgumentUpdate>& updates_;
  GraphWriter writer_;
  std::vector<std::vector<size_t>> by_node_;  // updates that are ready when a node has run
  std::vector<Added> added_;
  std::vector<std::vector<NodeId>> states_;  // of each update
};

}  // namespace

Graph insert_updates(const Graph& graph, const std::vector<ArgumentUpdate>& updates) {
  return UpdateInsertion(graph, updates).run();
}

}  // namespace mixgrad
