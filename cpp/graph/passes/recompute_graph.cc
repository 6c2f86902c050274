#include "graph/passes/recompute_graph.h"

#include "graph/passes/node_fields.h"
#include "graph/rewrite.h"

namespace mixgrad {
namespace {

// A normalisation, and the operator that applies statistics found before: (data, gamma, beta, mean, inverse deviation). Null
// where there is none: the clone then moves copies of the averages.
struct Normalisation {
  const Op* op;
  const Op* again;
};

Span<const Normalisation> normalisations() {
  static const auto& known = *new std::vector<Normalisation>([] {
    std::vector<Normalisation> found;
    for (const char* name : {"BatchNorm", "_image_batch_norm"}) {
      const std::string again = std::string(name[0] == '_' ? name : "_batch_norm") + "_again";
      if (const Op* op = find_op_or_null(name)) found.push_back({op, find_op_or_null(again)});
    }
    return found;
  }());
  return known;
}

const Op* again_of(const GraphNode& node) {
  if (node.kind != GraphNodeKind::forward) return nullptr;
  for (const Normalisation& norm : normalisations()) {
    if (norm.op == node.op) return norm.again;
  }
  return nullptr;
}

double call_cost(const Graph& graph, const GraphNode& node, const Op& op) {
  std::vector<Shape> in;
  int64_t elements = 0;
  for (ValueId v : graph.operands_of(node)) {
    in.push_back(graph.values[v].shape);
    elements += in.back().size();
  }
  if (op.cost_fn && &op == node.op) return op.cost_fn(op, node.params->data(), in);
  for (const GraphValue& value : graph.values_of(node)) elements += value.shape.size();
  return static_cast<double>(elements) * op.element_cost;
}

// Copies the backward part with clones of the nodes not kept, each just before its first use.
class Recomputation {
 public:
  Recomputation(const Graph& graph, const Kept& kept, const std::vector<double>& costs, Graph room)
      : graph_(graph), kept_(kept), costs_(costs), writer_(graph), cloned_(graph.forward_end, false) {
    if (room.nodes.capacity() > 0) writer_.reuse(std::move(room));
  }

  Recomputed run() {
    for (NodeId n = 0; n < graph_.forward_end; ++n) writer_.copy(n);
    writer_.graph().forward_end = static_cast<NodeId>(writer_.graph().nodes.size());
    for (NodeId n = graph_.forward_end; n < graph_.nodes.size(); ++n) {
      for (ValueId v : graph_.operands_of(graph_.nodes[n])) {
        if (!graph_.values[v].absent && pending(v)) clone_chain(graph_.values[v].node);
      }
      writer_.copy(n);
    }
    return {writer_.finish(), cost_};
  }

 private:
  bool pending(ValueId v) const {
    const GraphValue& value = graph_.values[v];
    const NodeId maker = value.node;
    if (maker == kNone || maker >= graph_.forward_end || kept_[maker] || cloned_[maker]) return false;
    // Statistics are small, and what the clone starts from.
    return value.index == 0 || !again_of(graph_.nodes[maker]);
  }

  void clone_chain(NodeId last) {
    std::vector<NodeId> stack{last};
    while (!stack.empty()) {
      const NodeId n = stack.back();
      bool ready = true;
      for (ValueId v : graph_.operands_of(graph_.nodes[n])) {
        if (!pending(v)) continue;
        stack.push_back(graph_.values[v].node);
        ready = false;
        break;
      }
      if (!ready) continue;
      if (!cloned_[n]) clone(n);
      stack.pop_back();
    }
  }

  NodeId add(GraphNode node, Span<const ValueId> operands, Span<const GraphValue> like) {
    Graph& to = writer_.graph();
    const NodeId id = to.add(std::move(node), operands, static_cast<uint32_t>(like.size()));
    for (size_t i = 0; i < like.size(); ++i) {
      GraphValue& made = to.values[to.nodes[id].first_value + i];
      made.shape = like[i].shape;
      made.dtype = like[i].dtype;
      made.absent = like[i].absent;
    }
    return id;
  }

  // A state has moved already; the clone moves a copy.
  ValueId state_copy(const GraphNode& node, ValueId state) {
    static const Op& copy = find_op("_copyto");
    GraphNode keep;
    keep.kind = GraphNodeKind::forward;
    keep.op = &copy;
    keep.params = copy.defaults.get();
    keep.device = node.device;
    keep.name = writer_.graph().ending(node.name, "_state");
    const ValueId from[] = {writer_.mapped(state)};
    return writer_.graph().nodes[add(std::move(keep), from, {&graph_.values[state], 1})].first_value;
  }

  void clone(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const Op* second = again_of(node);
    std::vector<ValueId> operands;
    const Span<const ValueId> old = graph_.operands_of(node);
    for (uint32_t i = 0; i < old.size(); ++i)
      operands.push_back(node.mutates(i) && !second ? state_copy(node, old[i]) : writer_.mapped(old[i]));
    GraphNode again = node;
    again.name = writer_.graph().ending(node.name, "_again");
    uint32_t made = node.num_values;
    if (second) {
      operands.resize(3);
      operands.push_back(writer_.mapped(node.first_value + 1));
      operands.push_back(writer_.mapped(node.first_value + 2));
      if (node.params) again.params = writer_.graph().pool->keep(params_like(*second, node, {}));
      again.op = second;
      made = 1;
    }
    const NodeId id = add(std::move(again), operands, graph_.values_of(node).subspan(0, made));
    for (uint32_t i = 0; i < made; ++i)
      writer_.replace(node.first_value + i, writer_.graph().nodes[id].first_value + i);
    cloned_[n] = true;
    cost_ += costs_[n];
  }

  const Graph& graph_;
  const Kept& kept_;
  const std::vector<double>& costs_;
  GraphWriter writer_;
  std::vector<bool> cloned_;
  double cost_ = 0;
};

}  // namespace

double forward_cost(const Graph& graph, const GraphNode& node) { return call_cost(graph, node, *node.op); }

double again_cost(const Graph& graph, const GraphNode& node) {
  const Op* second = again_of(node);
  return call_cost(graph, node, second ? *second : *node.op);
}

bool is_normalisation(const Op& op) {
  for (const Normalisation& norm : normalisations()) {
    if (norm.op == &op) return true;
  }
  return false;
}

Recomputed write_recomputed(const Graph& graph, const Kept& kept, const std::vector<double>& costs,
                            Graph room) {
  return Recomputation(graph, kept, costs, std::move(room)).run();
}

}  // namespace mixgrad
