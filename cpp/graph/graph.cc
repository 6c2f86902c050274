#include "graph/graph.h"

#include "base/build.h"
#include "base/error.h"
#include "graph/node_map.h"

namespace mixgrad {
namespace {

constexpr size_t kNodesAhead = 8;  // nodes fetched in advance: symbols are spread over memory

// "(0, 784)" of a variable's __shape__; 0 stands for an extent not known.
Shape declared_shape(const Node& variable, const std::string& written) {
  const OwnedValue value = OwnedValue::parse(written);
  const Value& v = value.get();
  Shape shape;
  bool fits = v.kind == ValueKind::tuple && v.count <= kMaxDims;
  for (uint32_t i = 0; fits && i < v.count; ++i) {
    fits = v.items[i].kind == ValueKind::integer && v.items[i].integer >= -1;
    if (fits) shape.push_back(v.items[i].integer == 0 ? Shape::kUnknownDim : v.items[i].integer);
  }
  if (!fits) {
    fail(Status::invalid_argument, "[symbol] variable '", variable.name, "' has __shape__ '", written,
         "'; expected a tuple of at most ", kMaxDims, " integers");
  }
  if (shape.known()) check_extents(shape, sizeof(double), "symbol");
  return shape.ndim() == 0 ? Shape::unknown() : shape;
}

// "0" or "float32" of a variable's __dtype__.
DType declared_dtype(const Node& variable, const std::string& written) {
  const OwnedValue value = OwnedValue::parse(written);
  const Value& v = value.get();
  if (v.kind == ValueKind::string) return parse_dtype(v.string);
  if (v.kind == ValueKind::integer && v.integer == -1) return DType::unknown;
  const bool fits = v.kind == ValueKind::integer && v.integer >= 0 && v.integer < 100;
  if (!fits || !is_dtype(static_cast<int>(v.integer))) {
    fail(Status::dtype, "[symbol] variable '", variable.name, "' has __dtype__ '", written,
         "'; expected the name or number of a dtype");
  }
  return static_cast<DType>(v.integer);
}

bool is_set(const Node& node, const char* attribute) {
  const std::string* value = node.attributes.find(attribute);
  return value && (*value == "True" || *value == "true" || *value == "1");
}

void declare_variable(Graph& graph, ValueId v, const Node& variable) {
  if (variable.attributes.empty()) return;
  if (const std::string* written = variable.attributes.find("__shape__"))
    graph.set_shape(v, declared_shape(variable, *written));
  if (const std::string* written = variable.attributes.find("__dtype__"))
    graph.values[v].dtype = declared_dtype(variable, *written);
}

}  // namespace

Graph::Graph() = default;
Graph::Graph(const Graph& other) = default;
Graph::Graph(Graph&& other) noexcept = default;
Graph& Graph::operator=(const Graph& other) = default;
Graph& Graph::operator=(Graph&& other) noexcept = default;
Graph::~Graph() = default;

NodeId Graph::add(GraphNode node, Span<const ValueId> inputs, uint32_t num_values) {
  const NodeId id = static_cast<NodeId>(nodes.size());
  node.first_operand = static_cast<uint32_t>(operands.size());
  node.num_operands = static_cast<uint32_t>(inputs.size());
  node.first_value = static_cast<ValueId>(values.size());
  node.num_values = num_values;
  operands.insert(operands.end(), inputs.begin(), inputs.end());
  for (uint32_t i = 0; i < num_values; ++i) {
    GraphValue value;
    value.node = id;
    value.index = i;
    values.push_back(value);
  }
  nodes.push_back(std::move(node));
  return id;
}

ValueId Graph::add_absent(PooledShape shape, DType dtype) {
  GraphValue value;
  value.shape = shape;
  value.dtype = dtype;
  value.absent = true;
  values.push_back(value);
  return static_cast<ValueId>(values.size() - 1);
}

Graph flatten(const Symbol& symbol, const FlattenOptions& options) {
  NodeMap places;
  const std::vector<Node*> order = nodes_in_order(symbol.outputs(), places);
  Graph graph;
  graph.pool->keep(symbol);
  graph.nodes.reserve(order.size());
  graph.values.reserve(order.size() + order.size() / 4);
  graph.operands.reserve(order.size() + order.size() / 4);
  const auto value_of = [&](const Entry& entry) {
    return graph.nodes[places.at(entry.node.get())].first_value + entry.index;
  };
  for (size_t i = 0; i < order.size(); ++i) {
    if (i + kNodesAhead < order.size()) {
      const char* later = reinterpret_cast<const char*>(order[i + kNodesAhead]);
      for (size_t line = 0; line < sizeof(Node); line += 64) __builtin_prefetch(later + line);
    }
    const Node& from = *order[i];
    GraphNode& node = graph.nodes.emplace_back();
    node.name = NodeName(from.name);
    node.source = &from;
    node.training = options.training;
    node.first_operand = static_cast<uint32_t>(graph.operands.size());
    node.num_operands = static_cast<uint32_t>(from.inputs.size());
    node.first_value = static_cast<ValueId>(graph.values.size());
    node.num_values = static_cast<uint32_t>(from.num_outputs());
    for (const Entry& in : from.inputs) graph.operands.push_back(value_of(in));
    for (uint32_t v = 0; v < node.num_values; ++v) {
      GraphValue& value = graph.values.emplace_back();
      value.node = static_cast<NodeId>(i);
      value.index = v;
    }
    if (from.is_variable()) {
      declare_variable(graph, node.first_value, from);
      continue;
    }
    node.kind = GraphNodeKind::forward;
    node.op = from.op;
    node.params = from.params.get();
    if (kTraining && !from.attributes.empty()) {
      node.mirrored = is_set(from, "__force_mirroring__");
      node.stage = is_set(from, "__mirror_stage__");
    }
    if (from.op->needs_random) node.random_slot = graph.num_random_slots++;
    for (uint32_t i = 0; from.op->has_states && i < node.num_operands; ++i) {
      const ValueId operand = graph.operands[node.first_operand + i];
      if (from.op->mutates(static_cast<int>(i)))
        graph.nodes[graph.values[operand].node].role = VariableRole::auxiliary;
    }
  }
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    const GraphNode& node = graph.nodes[id];
    if (node.kind != GraphNodeKind::variable) continue;
    (node.role == VariableRole::auxiliary ? graph.auxiliaries : graph.arguments).push_back(id);
  }
  for (const Entry& head : symbol.outputs()) graph.heads.push_back(value_of(head));
  graph.forward_end = static_cast<NodeId>(graph.nodes.size());
  return graph;
}

ValueUsers find_users(const Graph& graph) {
  ValueUsers users;
  users.first.assign(graph.values.size() + 1, 0);
  for (const GraphNode& node : graph.nodes) {
    for (ValueId v : graph.operands_of(node)) ++users.first[v + 1];
  }
  for (size_t v = 1; v < users.first.size(); ++v) users.first[v] += users.first[v - 1];
  users.nodes.resize(users.first.back());
  std::vector<uint32_t> at(users.first.begin(), users.first.end() - 1);
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    for (ValueId v : graph.operands_of(graph.nodes[n])) users.nodes[at[v]++] = n;
  }
  return users;
}

std::vector<bool> mutated_values(const Graph& graph) {
  std::vector<bool> mutated(graph.values.size(), false);
  for (const GraphNode& node : graph.nodes) {
    if (kTraining && node.updated) mutated[node.first_value] = true;
    if (!node.op || !node.op->has_states) continue;
    const Span<const ValueId> operands = graph.operands_of(node);
    for (uint32_t i = 0; i < operands.size(); ++i) {
      if (node.mutates(i)) mutated[operands[i]] = true;
    }
  }
  return mutated;
}

}  // namespace mixgrad
