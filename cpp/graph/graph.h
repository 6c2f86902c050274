// A graph as passes and executors see it: flat vectors of nodes in running order and of the values between them.
#pragma once

#include <memory>

#include "device/device.h"
#include "graph/graph_pool.h"

namespace mixgrad {

using NodeId = uint32_t;   // place in Graph::nodes
using ValueId = uint32_t;  // place in Graph::values
inline constexpr uint32_t kNone = ~uint32_t{0};

enum class GraphNodeKind : uint8_t {
  variable,  // its one value comes from outside: see VariableRole
  constant,  // its one value was computed while planning: GraphNode::constant
  forward,   // a call of the operator's kernel
  backward,  // a call of the operator's fused gradient
};

enum class VariableRole : uint8_t {
  argument,
  auxiliary,      // an operator writes it, if only in training
  head_gradient,  // the gradient of a head, given when the backward part starts
  gradient,       // what a gradient array holds before the run: grad_req add
  update_state,   // what an update of an argument keeps
};

// Operands are values in the order of CallFrame: of a forward call the inputs; of a backward call num_out_grads output
// gradients, num_inputs inputs, then the saved outputs, as many as output gradients. Values are made in the order of the
// operator's outputs; of a backward call one gradient per input. What it points to belongs to the graph's pool.
struct GraphNode {
  GraphNodeKind kind = GraphNodeKind::variable;
  VariableRole role = VariableRole::argument;
  bool training = false;  // the mode its kernel runs in
  // The user wants it computed again in the backward part: attribute __force_mirroring__.
  bool mirrored = false;
  // The user names it as an end of what is computed again together: __mirror_stage__.
  bool stage = false;
  bool updated = false;  // of arguments: the backward part gives it a new value
  Device device;         // where it runs and its values lie
  // Of copies of a value to another worker of a graph over several processes: their number in their part, forward or backward.
  uint32_t transfer = kNone;
  const Op* op = nullptr;                        // of calls
  const ParamsBox* params = nullptr;             // of calls
  NodeName name;                                 // the symbol's; "fc1_backward" of gradients
  const Node* source = nullptr;                  // the symbol's node it serves; null when there is none
  const ConstantData* constant = nullptr;        // of constants
  uint32_t first_operand = 0, num_operands = 0;  // in Graph::operands
  ValueId first_value = 0;
  uint32_t num_values = 0;
  uint32_t num_out_grads = 0, num_inputs = 0;  // of backward calls
  // Of calls that need random numbers: which of the run's streams. Streams are drawn in order of this number, one per
  // number and run, so a node computed twice (recompute) gets the same numbers.
  uint32_t random_slot = kNone;
  // Of calls whose parameters each run brings, such as learning rates: which of them. `params` are those of planning.
  uint32_t params_slot = kNone;

  bool is_call() const { return kind == GraphNodeKind::forward || kind == GraphNodeKind::backward; }
  // Whether it writes its operand i in place (state of the operator) in its mode.
  bool mutates(uint32_t i) const {
    return kind == GraphNodeKind::forward && op->mutates(static_cast<int>(i), training);
  }
};

// `absent` values have a shape and dtype but no memory: a backward call's operand that its operator does not read (then
// no node makes it and `node` is kNone), or a gradient that nobody wants. Kernels get a null pointer for them.
struct GraphValue {
  PooledShape shape;
  NodeId node = kNone;
  uint32_t index = 0;  // which of the node's values
  DType dtype = DType::unknown;
  bool absent = false;

  int64_t bytes() const { return shape.size() * static_cast<int64_t>(size_of(dtype)); }
};

// Running the nodes in order, one by one, is what a graph means; whatever runs in parallel gives the same result. Where
// one node writes a value in place (mutates), its order against all other users of that value is part of the meaning, and
// passes keep it.
struct Graph {
  Graph();
  Graph(const Graph& other);
  Graph(Graph&& other) noexcept;
  Graph& operator=(const Graph& other);
  Graph& operator=(Graph&& other) noexcept;
  ~Graph();

  std::vector<GraphNode> nodes;
  std::vector<GraphValue> values;
  std::vector<ValueId> operands;
  Ref<GraphPool> pool{new GraphPool};  // passes hand it on

  std::vector<ValueId> heads;       // what the forward part computes; may be variables and may repeat
  std::vector<NodeId> arguments;    // variables in order of list_arguments
  std::vector<NodeId> auxiliaries;  // in order of list_auxiliary_states
  NodeId forward_end = 0;           // nodes before it run in forward(), the others in backward()
  uint32_t num_random_slots = 0;

  // After the gradient pass; empty before. Per head the variable its gradient arrives in, kNone where nothing reads it.
  std::vector<NodeId> head_gradients;
  // Per argument its gradient, kNone where none is wanted. Each is a value of its own, made by a call or a constant of the
  // backward part.
  std::vector<ValueId> gradients;
  // Per argument with grad_req add the variable of role gradient that was added; kNone elsewhere.
  std::vector<NodeId> added_gradients;
  // After insert_updates, where Graph::gradients also has the new values of arguments.
  std::vector<NodeId> update_states;

  Span<const ValueId> operands_of(const GraphNode& n) const {
    return {operands.data() + n.first_operand, n.num_operands};
  }
  Span<const GraphValue> values_of(const GraphNode& n) const {
    return {values.data() + n.first_value, n.num_values};
  }
  const Device& device_of(ValueId v) const { return nodes[values[v].node].device; }

  // Adds a node at the end, with `num_values` new values of unknown shape; fills its ranges and the values' producers.
  NodeId add(GraphNode node, Span<const ValueId> operands, uint32_t num_values);
  // A value that no node makes.
  ValueId add_absent(PooledShape shape, DType dtype);
  // A name with an ending more; none of no name.
  NodeName ending(const NodeName& name, const char* more) {
    return name.empty() ? name : name.plain() ? name.with(more) : pool->keep(name.str() + more);
  }
  void set_shape(ValueId v, const Shape& shape) { values[v].shape = pool->keep(shape); }
};

struct FlattenOptions {
  bool training = false;
};
// The nodes a symbol reaches, in order. Shapes and dtypes are known where variables have __shape__ and __dtype__ (0 in
// __shape__ stands for unknown). Hidden outputs of operators are values too.
Graph flatten(const Symbol& symbol, const FlattenOptions& options = {});

// Before a walk over the nodes reaches node `n`: fetches what it will wait for, the parameters of a later node. In large
// graphs that wait would be most of the time.
inline void fetch_ahead(const Graph& graph, NodeId n) {
  constexpr NodeId kAhead = 16;
  if (n + kAhead < graph.nodes.size()) __builtin_prefetch(graph.nodes[n + kAhead].params);
}

// One line per node: number, kind, operator, name, operands, values with shapes and dtypes.
std::string dump(const Graph& graph);

// Which nodes use each value: users of value v are nodes[first[v]] to nodes[first[v + 1]], in running order, a node
// once per operand.
struct ValueUsers {
  std::vector<uint32_t> first;
  std::vector<NodeId> nodes;
  Span<const NodeId> of(ValueId v) const { return {nodes.data() + first[v], first[v + 1] - first[v]}; }
};
ValueUsers find_users(const Graph& graph);
// Values that some node writes in place, or gives a new value.
std::vector<bool> mutated_values(const Graph& graph);

// Throws Status::internal when ranges, order or counts contradict each other: what tests run after every pass.
void check_graph(const Graph& graph);

}  // namespace mixgrad
