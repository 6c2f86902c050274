#include "graph/passes/transfers.h"

#include <map>
#include <utility>

#include "base/error.h"
#include "graph/rewrite.h"

namespace mixgrad {
namespace {

class TransferInsertion {
 public:
  TransferInsertion(const Graph& graph, const Workers& workers)
      : graph_(graph), workers_(workers), mutated_(mutated_values(graph)), writer_(graph) {}

  Graph run() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      if (n == graph_.forward_end) end_forward();
      write_node(n);
    }
    if (graph_.forward_end >= graph_.nodes.size()) end_forward();
    bring_gradients();
    Graph made = writer_.finish();
    for (size_t i = 0; i < made.heads.size(); ++i) {
      if (heads_[i] != kNone) made.heads[i] = heads_[i];
    }
    for (size_t i = 0; i < made.gradients.size(); ++i) {
      if (gradients_[i] != kNone) made.gradients[i] = gradients_[i];
    }
    return made;
  }

 private:
  int32_t worker_of(ValueId v) const { return workers_.of(graph_.device_of(v)); }

  // Every head to everybody; then the calls of the backward part have numbers of their own.
  void end_forward() {
    heads_.assign(graph_.heads.size(), kNone);
    for (size_t i = 0; i < graph_.heads.size(); ++i) {
      const ValueId v = graph_.heads[i];
      for (int32_t to = 0; to < workers_.count; ++to) {
        if (to == worker_of(v)) continue;
        const ValueId there = value_at(v, to, workers_.device_of(to, Device::cpu()));
        if (to == workers_.own) heads_[i] = there;
      }
    }
    writer_.graph().forward_end = static_cast<NodeId>(writer_.graph().nodes.size());
    next_ = 0;
  }

  // Each to the worker that has the argument.
  void bring_gradients() {
    gradients_.assign(graph_.gradients.size(), kNone);
    for (size_t i = 0; i < graph_.gradients.size(); ++i) {
      const ValueId v = graph_.gradients[i];
      if (v == kNone) continue;
      const Device lies = graph_.nodes[graph_.arguments[i]].device;
      if (workers_.of(lies) != worker_of(v)) gradients_[i] = value_at(v, workers_.of(lies), lies);
    }
  }

  void write_node(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const Span<const ValueId> operands = graph_.operands_of(node);
    const int32_t to = workers_.of(node.device);
    std::vector<std::pair<ValueId, ValueId>> before;  // what operands stood for
    for (uint32_t i = 0; i < operands.size(); ++i) {
      const ValueId v = operands[i];
      if (graph_.values[v].absent || graph_.values[v].node == kNone || worker_of(v) == to) continue;
      if (node.mutates(i)) {
        fail(Status::invalid_argument, "[bind] '", node.name, "' of worker:", to, " writes '",
             graph_.nodes[graph_.values[v].node].name, "', which lies on worker:", worker_of(v),
             "; expected both in a ctx_group of one worker");
      }
      before.emplace_back(v, writer_.mapped(v));
      writer_.replace(v, value_at(v, to, node.device));
    }
    writer_.copy(n);
    for (size_t i = before.size(); i-- > 0;) writer_.replace(before[i].first, before[i].second);
  }

  // The value at another worker. One that is written in place goes there each time that it is read.
  ValueId value_at(ValueId v, int32_t to, Device reader) {
    if (mutated_[v]) return add_transfer(v, to, reader);
    const auto [at, fresh] = there_.emplace(std::make_pair(v, to), kNone);
    if (fresh) at->second = add_transfer(v, to, reader);
    return at->second;
  }

  ValueId add_transfer(ValueId v, int32_t to, Device reader) {
    Graph& graph = writer_.graph();
    const ValueId from = writer_.mapped(v);
    const GraphNode& maker = graph.nodes[graph.values[from].node];
    static const Op& op = find_op("_copyto");
    GraphNode node;
    node.kind = GraphNodeKind::forward;
    node.op = &op;
    node.params = op.defaults.get();
    node.transfer = next_++;
    node.training = maker.training;
    // What comes for a card comes by the host.
    node.device = reader.is_here() && !reader.is_host() ? Device::cpu() : reader;
    node.name = graph.pool->keep(text(maker.name, "_to_worker", to));
    const ValueId operands[] = {from};
    const GraphValue value = graph.values[from];
    const NodeId id = graph.add(std::move(node), operands, 1);
    GraphValue& made = graph.values[graph.nodes[id].first_value];
    made.shape = value.shape;
    made.dtype = value.dtype;
    return graph.nodes[id].first_value;
  }

  const Graph& graph_;
  const Workers workers_;
  const std::vector<bool> mutated_;
  GraphWriter writer_;
  std::map<std::pair<ValueId, int32_t>, ValueId> there_;
  std::vector<ValueId> heads_;      // of others, at this worker; kNone: its own
  std::vector<ValueId> gradients_;  // where their arguments are; kNone: they are made there
  uint32_t next_ = 0;
};

}  // namespace

Graph insert_transfers(const Graph& graph, const Workers& workers) {
  return TransferInsertion(graph, workers).run();
}

}  // namespace mixgrad
