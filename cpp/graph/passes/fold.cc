#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/passes/passes.h"
#include "graph/rewrite.h"

namespace mixgrad {
namespace {

// What is known of operators that may give back an input as it is.
struct IdentityRule {
  const char* op;
  const char* field;  // null: always; else when this parameter has that value
  double value;
};
constexpr IdentityRule kIdentities[] = {
    {"_copy", nullptr, 0},        {"BlockGrad", nullptr, 0},     {"make_loss", nullptr, 0},
    {"MakeLoss", nullptr, 0},     {"Cast", nullptr, 0},          {"amp_cast", nullptr, 0},
    {"_reshape_to", nullptr, 0},  {"_broadcast_to", nullptr, 0}, {"_identity_with_attr_like_rhs", nullptr, 0},
    {"_mul_scalar", "scalar", 1}, {"_div_scalar", "scalar", 1},  {"_minus_scalar", "scalar", 0},
};

bool same_kind(const GraphValue& a, const GraphValue& b) { return a.shape == b.shape && a.dtype == b.dtype; }

class Folding {
 public:
  Folding(Graph& graph, int64_t constant_bytes)
      : graph_(graph), limit_(constant_bytes), replaced_(graph), mutated_(mutated_values(graph)) {
    for (const IdentityRule& rule : kIdentities) {
      const Op* op = find_op_or_null(rule.op);
      if (op) identities_.emplace_back(op, &rule);
    }
    own_.assign(graph.values.size(), false);
    for (ValueId v : graph.gradients) {
      if (v != kNone) own_[v] = true;
    }
  }

  void run() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      replaced_.apply(n);
      if (graph_.nodes[n].is_call() && !fold_call(n)) skip_identity(graph_.nodes[n]);
    }
    replaced_.finish();
  }

 private:
  // A call whose operands are all constants becomes constants.
  bool fold_call(NodeId id) {
    Graph& to = graph_;
    const GraphNode& node = to.nodes[id];
    if (node.op->needs_random || node.num_values != 1 || node.device != Device() || node.transfer != kNone)
      return false;
    if (to.values[node.first_value].bytes() > limit_ || mutated_[node.first_value]) return false;
    for (uint32_t i = 0; i < node.num_operands; ++i) {
      const ValueId v = to.operands_of(node)[i];
      const NodeId producer = to.values[v].node;
      if (node.mutates(i) || (producer != kNone && to.nodes[producer].kind != GraphNodeKind::constant))
        return false;
    }
    if (to.values[node.first_value].absent) return false;
    values_.resize(to.values.size());
    for (ValueId v : to.operands_of(node)) {
      const NodeId producer = to.values[v].node;
      if (producer != kNone && values_[v].empty()) evaluate_node(to, producer, values_);
    }
    try {
      evaluate_node(to, id, values_);
    } catch (const Error& error) {
      if (error.status() == Status::out_of_memory) throw;  // no property of the graph
      return false;                                        // what fails fails when it runs
    }
    GraphNode constant;
    constant.kind = GraphNodeKind::constant;
    constant.device = node.device;
    constant.name = node.name;
    constant.source = node.source;
    ConstantData data{values_[node.first_value]};
    data.bytes.resize(static_cast<size_t>(to.values[node.first_value].bytes()));
    constant.constant = to.pool->keep(std::move(data));
    constant.first_operand = node.first_operand;
    constant.first_value = node.first_value;
    constant.num_values = 1;
    to.nodes[id] = std::move(constant);
    return true;
  }

  // An operand that the call gives back unchanged; kNone when it changes something.
  ValueId given_back(const GraphNode& node) const {
    const Graph& to = graph_;
    const Span<const ValueId> in = to.operands_of(node);
    const GraphValue& out = to.values[node.first_value];
    for (const auto& [op, rule] : identities_) {
      if (op != node.op) continue;
      if (!same_kind(to.values[in[0]], out)) return kNone;
      if (!rule->field) return in[0];
      const OwnedValue value =
          op->schema->fields[static_cast<size_t>(op->schema->index_of(rule->field))].get(node.params->data());
      const double scalar = value.get().kind == ValueKind::integer ? static_cast<double>(value.get().integer)
                                                                   : value.get().real;
      return scalar == rule->value ? in[0] : kNone;
    }
    static const Op *plain = find_op_or_null("elemwise_mul"), *broadcast = find_op_or_null("broadcast_mul");
    if (node.op == plain || node.op == broadcast) {
      if (same_kind(to.values[in[0]], out) && all_ones(to, in[1])) return in[0];
      if (same_kind(to.values[in[1]], out) && all_ones(to, in[0])) return in[1];
    }
    return kNone;
  }

  static bool all_ones(const Graph& graph, ValueId v) {
    static const Op* ones = find_op_or_null("_ones");
    const NodeId producer = graph.values[v].node;
    if (producer == kNone) return false;
    const GraphNode& node = graph.nodes[producer];
    if (node.is_call()) return node.op == ones;
    return node.kind == GraphNodeKind::constant && graph.values[v].dtype == DType::float32 &&
           is_ones(node.constant->bytes);
  }
  static bool is_ones(const std::vector<char>& bytes) {
    const float* x = reinterpret_cast<const float*>(bytes.data());
    for (size_t i = 0; i < bytes.size() / sizeof(float); ++i) {
      if (x[i] != 1.0f) return false;
    }
    return true;
  }

  void skip_identity(const GraphNode& node) {
    const ValueId value = node.first_value;
    if (node.kind != GraphNodeKind::forward || node.num_values != 1 || own_[value] || mutated_[value]) return;
    const ValueId source = given_back(node);
    if (source == kNone) return;
    // A copy of a state keeps what the state held then.
    for (ValueId v : graph_.operands_of(node)) {
      if (mutated_[v]) return;
    }
    const NodeId producer = graph_.values[source].node;
    if (producer == kNone || graph_.nodes[producer].device != node.device) return;
    replaced_.set(value, source);
  }

  Graph& graph_;
  const int64_t limit_;
  Replacements replaced_;
  const std::vector<bool> mutated_;
  std::vector<bool> own_;
  std::vector<std::pair<const Op*, const IdentityRule*>> identities_;
  HostValues values_;  // of constants and of calls on them
};

}  // namespace

Graph fold_constants(Graph graph, int64_t constant_bytes) {
  Folding(graph, constant_bytes).run();
  return graph;
}

namespace {

Graph run_fold_pass(Graph graph, const PassOptions& options) {
  return fold_constants(std::move(graph), options.constant_bytes);
}
const bool kFoldRegistered = register_pass(Pass::fold, run_fold_pass);

}  // namespace
}  // namespace mixgrad
