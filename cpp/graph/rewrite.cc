#include "graph/rewrite.h"

#include <algorithm>

#include "base/error.h"

namespace mixgrad {

GraphWriter::~GraphWriter() = default;

GraphWriter::GraphWriter(const Graph& from)
    : GraphWriter(from, nullptr, from.nodes.size(), from.values.size()) {}

GraphWriter::GraphWriter(const Graph& from, size_t nodes, size_t values)
    : GraphWriter(from, nullptr, nodes, values) {}

GraphWriter::GraphWriter(const Graph& from, Graph* taken, size_t nodes, size_t values)
    : from_(from), taken_(taken), map_(from.values.size(), kNone), node_map_(from.nodes.size(), kNone) {
  to_.nodes.reserve(nodes);
  to_.values.reserve(values);
  to_.operands.reserve(std::min(from.operands.size(), 2 * values));
  to_.pool = from.pool;
  to_.num_random_slots = from.num_random_slots;
  to_.forward_end = kNone;
}

GraphWriter::GraphWriter(Graph&& from) : GraphWriter(from, &from, from.nodes.size(), from.values.size()) {}

void GraphWriter::reuse(Graph room) {
  room.nodes.clear();
  room.values.clear();
  room.operands.clear();
  std::swap(room.nodes, to_.nodes);
  std::swap(room.values, to_.values);
  std::swap(room.operands, to_.operands);
}

void GraphWriter::reach(NodeId old) {
  if (to_.forward_end == kNone && old >= from_.forward_end)
    to_.forward_end = static_cast<NodeId>(to_.nodes.size());
}

NodeId GraphWriter::copy(NodeId old) {
  const GraphNode& node = from_.nodes[old];
  operands_.clear();
  for (ValueId v : from_.operands_of(node)) {
    if (map_[v] == kNone && from_.values[v].node == kNone)
      map_[v] = to_.add_absent(from_.values[v].shape, from_.values[v].dtype);
    if (map_[v] == kNone) fail(Status::internal, "[graph] '", node.name, "' is written before its operands");
    operands_.push_back(map_[v]);
  }
  return put(old, taken_ ? std::move(taken_->nodes[old]) : GraphNode(node), operands_);
}

NodeId GraphWriter::put(NodeId old, GraphNode changed, Span<const ValueId> operands) {
  reach(old);
  const GraphNode& node = from_.nodes[old];
  const NodeId id = to_.add(std::move(changed), operands, node.num_values);
  for (uint32_t i = 0; i < node.num_values; ++i) {
    const GraphValue& value = from_.values[node.first_value + i];
    GraphValue& copied = to_.values[to_.nodes[id].first_value + i];
    copied.shape = value.shape;
    copied.dtype = value.dtype;
    copied.absent = value.absent;
    map_[node.first_value + i] = to_.nodes[id].first_value + i;
  }
  node_map_[old] = id;
  return id;
}

Graph GraphWriter::finish() {
  if (to_.forward_end == kNone) to_.forward_end = static_cast<NodeId>(to_.nodes.size());
  const auto values = [&](const std::vector<ValueId>& old) {
    std::vector<ValueId> out;
    for (ValueId v : old) {
      out.push_back(v == kNone ? kNone : map_[v]);
      if (v != kNone && out.back() == kNone) fail(Status::internal, "[graph] a result was not written");
    }
    return out;
  };
  // A head gradient's variable goes when nothing reads it any more; arguments and states always stay.
  const auto variables = [&](const std::vector<NodeId>& old, bool must) {
    std::vector<NodeId> out;
    for (NodeId n : old) {
      out.push_back(n == kNone ? kNone : node_map_[n]);
      if (must && out.back() == kNone) fail(Status::internal, "[graph] a variable was not written");
    }
    return out;
  };
  to_.heads = values(from_.heads);
  to_.gradients = values(from_.gradients);
  to_.arguments = variables(from_.arguments, true);
  to_.auxiliaries = variables(from_.auxiliaries, true);
  to_.head_gradients = variables(from_.head_gradients, false);
  to_.added_gradients = variables(from_.added_gradients, false);
  to_.update_states = variables(from_.update_states, true);
  return std::move(to_);
}

}  // namespace mixgrad
