// Graphs as people read them, and the check that a graph is one.
#include <string>

#include "base/error.h"
#include "graph/graph.h"

namespace mixgrad {
namespace {

const char* role_name(VariableRole role) {
  switch (role) {
    case VariableRole::argument: return "argument";
    case VariableRole::auxiliary: return "auxiliary";
    case VariableRole::head_gradient: return "head gradient";
    case VariableRole::gradient: return "gradient";
    case VariableRole::update_state: return "update state";
  }
  return "?";
}

std::string value_text(const Graph& graph, ValueId v) {
  const GraphValue& value = graph.values[v];
  return text('%', v, ' ', value.shape, ' ', name_of(value.dtype), value.absent ? " absent" : "");
}

[[noreturn]] void broken(NodeId node, const char* what) {
  fail(Status::internal, "[graph] node ", node, ": ", what);
}

void check_node(const Graph& graph, NodeId id, const std::vector<bool>& made) {
  const GraphNode& node = graph.nodes[id];
  if (node.first_operand + size_t{node.num_operands} > graph.operands.size())
    broken(id, "operands out of range");
  if (node.first_value + size_t{node.num_values} > graph.values.size()) broken(id, "values out of range");
  for (ValueId v : graph.operands_of(node)) {
    if (v >= graph.values.size()) broken(id, "an operand is no value");
    const GraphValue& value = graph.values[v];
    if (value.node == kNone ? !value.absent : !made[v]) broken(id, "an operand is made later or never");
  }
  for (uint32_t i = 0; i < node.num_values; ++i) {
    const GraphValue& value = graph.values[node.first_value + i];
    if (value.node != id || value.index != i) broken(id, "a value names another producer");
  }
  if (!node.is_call()) {
    if (node.num_operands != 0 || node.num_values != 1)
      broken(id, "a variable has one value and no operands");
    if ((node.kind == GraphNodeKind::constant) != static_cast<bool>(node.constant))
      broken(id, "a constant has data, and nothing else has");
    return;
  }
  if (!node.op || !node.params) broken(id, "a call has an operator and parameters");
  const void* params = node.params->data();
  const int inputs = node.op->num_inputs(params), outputs = node.op->num_outputs(params);
  if (node.kind == GraphNodeKind::forward) {
    if (inputs >= 0 && static_cast<int>(node.num_operands) != inputs) broken(id, "wrong number of operands");
    if (static_cast<int>(node.num_values) != outputs) broken(id, "wrong number of values");
  } else if (node.num_operands != 2 * node.num_out_grads + node.num_inputs ||
             node.num_values != node.num_inputs || static_cast<int>(node.num_out_grads) != outputs) {
    broken(id, "a backward call's operands or values do not add up");
  }
}

}  // namespace

std::string dump(const Graph& graph) {
  std::string out;
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    const GraphNode& node = graph.nodes[id];
    if (id == graph.forward_end && id > 0) out += "-- backward --\n";
    const char* separator = " = ";
    for (uint32_t i = 0; i < node.num_values; ++i) {
      if (i > 0) out += ", ";
      out += value_text(graph, node.first_value + i);
    }
    out += separator;
    switch (node.kind) {
      case GraphNodeKind::variable: out += role_name(node.role); break;
      case GraphNodeKind::constant: out += "constant"; break;
      case GraphNodeKind::forward: out += node.op->name; break;
      case GraphNodeKind::backward: out += text(node.op->name, ".backward"); break;
    }
    if (node.is_call()) {
      out += '(';
      separator = "";
      for (ValueId v : graph.operands_of(node)) {
        out += text(separator, '%', v, graph.values[v].absent ? "?" : "");
        separator = ", ";
      }
      out += ')';
    }
    if (!node.name.empty()) out += text("  '", node.name, '\'');
    if (node.device != Device()) out += " on " + node.device.name();
    out += '\n';
  }
  out += "heads";
  for (ValueId v : graph.heads) out += text(" %", v);
  for (size_t i = 0; i < graph.gradients.size(); ++i) {
    if (graph.gradients[i] == kNone) continue;
    const GraphNode& argument = graph.nodes[graph.arguments[i]];
    out += text(argument.updated ? "\nnew value of '" : "\ngradient of '", argument.name, "' %",
                graph.gradients[i]);
  }
  out += '\n';
  return out;
}

void check_graph(const Graph& graph) {
  std::vector<bool> made(graph.values.size(), false);
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    check_node(graph, id, made);
    for (uint32_t i = 0; i < graph.nodes[id].num_values; ++i) made[graph.nodes[id].first_value + i] = true;
  }
  if (graph.forward_end > graph.nodes.size())
    broken(graph.forward_end, "the forward part ends beyond the graph");
  for (ValueId v : graph.heads) {
    if (v >= made.size() || !made[v] || graph.values[v].node >= graph.forward_end)
      broken(kNone, "a head is not made by the forward part");
  }
  for (ValueId v : graph.gradients) {
    if (v != kNone && (v >= made.size() || !made[v] || graph.values[v].absent))
      broken(kNone, "a gradient is not made");
  }
  const auto check_variables = [&](const std::vector<NodeId>& ids) {
    for (NodeId id : ids) {
      if (id != kNone && (id >= graph.nodes.size() || graph.nodes[id].kind != GraphNodeKind::variable))
        broken(id, "listed as a variable");
    }
  };
  check_variables(graph.arguments);
  check_variables(graph.auxiliaries);
  check_variables(graph.head_gradients);
  check_variables(graph.added_gradients);
  check_variables(graph.update_states);
}

}  // namespace mixgrad
