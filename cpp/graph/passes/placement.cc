#include "graph/passes/placement.h"

#include <map>

#include "base/error.h"
#include "graph/rewrite.h"

namespace mixgrad {
namespace {

class CopyInsertion {
 public:
  CopyInsertion(const Graph& graph, const std::vector<Device>& gradient_devices)
      : graph_(graph), gradient_devices_(gradient_devices), mutated_(mutated_values(graph)), writer_(graph) {}

  Graph run() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) copy_node(n);
    Graph made = writer_.finish();
    for (size_t i = 0; i < made.gradients.size(); ++i) {
      const ValueId v = made.gradients[i];
      if (v != kNone && made.device_of(v) != gradient_devices_[i])
        made.gradients[i] = add_copy(made, v, gradient_devices_[i]);
    }
    return made;
  }

 private:
  static ValueId add_copy(Graph& graph, ValueId v, Device device) {
    static const Op& op = find_op("_copyto");
    const GraphNode& maker = graph.nodes[graph.values[v].node];
    GraphNode node;
    node.kind = GraphNodeKind::forward;
    node.op = &op;
    node.params = op.defaults.get();
    node.training = maker.training;
    node.device = device;
    node.name = graph.pool->keep(maker.name.str() + "_to_" + device.name());
    const ValueId operands[] = {v};
    const NodeId id = graph.add(std::move(node), operands, 1);
    GraphValue& made = graph.values[graph.nodes[id].first_value];
    made.shape = graph.values[v].shape;
    made.dtype = graph.values[v].dtype;
    return graph.nodes[id].first_value;
  }

  void copy_node(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const Span<const ValueId> operands = graph_.operands_of(node);
    if (n == graph_.forward_end && writer_.graph().forward_end == kNone)
      writer_.graph().forward_end = static_cast<NodeId>(writer_.graph().nodes.size());
    std::vector<std::pair<ValueId, ValueId>> before;  // what operands stood for
    for (uint32_t i = 0; i < operands.size(); ++i) {
      const ValueId v = operands[i];
      // What comes from another worker crosses by itself.
      if (graph_.values[v].absent || graph_.values[v].node == kNone || graph_.device_of(v) == node.device ||
          node.transfer != kNone)
        continue;
      if (node.mutates(i)) check_state_device(graph_, node, v);
      before.emplace_back(v, writer_.mapped(v));
      writer_.replace(v, copy_on(v, node.device));
    }
    writer_.copy(n);
    for (size_t i = before.size(); i-- > 0;) writer_.replace(before[i].first, before[i].second);
  }

  ValueId copy_on(ValueId v, Device device) {
    if (mutated_[v]) return add_copy(writer_.graph(), writer_.mapped(v), device);
    const auto [at, fresh] = copies_.emplace(std::make_pair(v, device), kNone);
    if (fresh) at->second = add_copy(writer_.graph(), writer_.mapped(v), device);
    return at->second;
  }

  const Graph& graph_;
  const std::vector<Device>& gradient_devices_;
  const std::vector<bool> mutated_;
  GraphWriter writer_;
  std::map<std::pair<ValueId, Device>, ValueId> copies_;
};

}  // namespace

void place(Graph& graph, Device device, const DeviceGroups& groups) {
  std::vector<bool> placed(graph.nodes.size(), false);
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    GraphNode& node = graph.nodes[n];
    const std::string* group = node.source ? node.source->attributes.find("__ctx_group__") : nullptr;
    for (const auto& [name, its_device] : groups) {
      if (!group || *group != name) continue;
      node.device = its_device;
      placed[n] = true;
    }
    for (ValueId v : graph.operands_of(node)) {
      const NodeId maker = graph.values[v].node;
      if (placed[n] || maker == kNone || !placed[maker]) continue;
      node.device = graph.nodes[maker].device;
      placed[n] = true;
    }
  }
  for (NodeId n = static_cast<NodeId>(graph.nodes.size()); n-- > 0;) {
    GraphNode& node = graph.nodes[n];
    if (!placed[n]) node.device = device;
    for (ValueId v : graph.operands_of(node)) {
      const NodeId maker = graph.values[v].node;
      if (maker == kNone || placed[maker] || !placed[n]) continue;
      graph.nodes[maker].device = node.device;
      placed[maker] = true;
    }
  }
}

void check_state_device(const Graph& graph, const GraphNode& node, ValueId state) {
  if (graph.device_of(state) == node.device) return;
  fail(Status::invalid_argument, "[bind] '", node.name, "' runs on ", node.device.name(), " but writes '",
       graph.nodes[graph.values[state].node].name, "', which lies on ", graph.device_of(state).name());
}

Graph insert_copies(const Graph& graph, const std::vector<Device>& gradient_devices) {
  return CopyInsertion(graph, gradient_devices).run();
}

}  // namespace mixgrad
