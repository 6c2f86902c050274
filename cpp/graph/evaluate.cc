#include "graph/evaluate.h"

#include "base/error.h"
#include "launch/launch.h"

namespace mixgrad {
namespace {

View host_view(const Graph& graph, ValueId v, HostValues& values) {
  const GraphValue& value = graph.values[v];
  View view;
  view.shape_ref = &value.shape.get();
  view.dtype = value.dtype;
  if (!value.absent) view.data = values[v].data();
  return view;
}

void make_room(const Graph& graph, ValueId v, HostValues& values) {
  // One byte more than asked, so that empty values have an address too.
  if (!graph.values[v].absent) values[v].assign(static_cast<size_t>(graph.values[v].bytes()) + 1, 0);
}

}  // namespace

void evaluate_node(const Graph& graph, NodeId id, HostValues& values, uint64_t seed) {
  const GraphNode& node = graph.nodes[id];
  if (node.kind == GraphNodeKind::variable) return;
  for (uint32_t i = 0; i < node.num_values; ++i) make_room(graph, node.first_value + i, values);
  if (node.kind == GraphNodeKind::constant) {
    std::copy(node.constant->bytes.begin(), node.constant->bytes.end(), values[node.first_value].begin());
    return;
  }
  std::vector<View> in, out;
  for (ValueId v : graph.operands_of(node)) {
    if (!graph.values[v].absent && values[v].empty())
      fail(Status::internal, "[evaluate] '", node.name, "' reads a value that was not computed");
    in.push_back(host_view(graph, v, values));
  }
  for (uint32_t i = 0; i < node.num_values; ++i)
    out.push_back(host_view(graph, node.first_value + i, values));
  const Span<const View> all(in);
  Launch call{node.op, node.params->data(), node.training, node.kind == GraphNodeKind::backward};
  call.num_out_grads = call.num_outputs = node.num_out_grads;
  call.num_inputs = node.num_inputs;
  call.seed = seed;
  call.stream = node.random_slot == kNone ? 0 : node.random_slot;
  launch(call, in, out);
}

void evaluate(const Graph& graph, NodeId first, NodeId last, HostValues& values, uint64_t seed) {
  values.resize(graph.values.size());
  for (NodeId n = first; n < last; ++n) evaluate_node(graph, n, values, seed);
}

}  // namespace mixgrad
