#include "graph/passes/gradient.h"

#include "base/error.h"
#include "device/api.h"
#include "graph/passes/graph_builder.h"

namespace mixgrad {
namespace {

class GradientPass {
 public:
  GradientPass(const Graph& forward, const GradientOptions& options)

      : forward_(forward), gradients_(forward.values.size(), kNone), builder_(graph_) {
    if (forward.forward_end != forward.nodes.size())
      fail(Status::invalid_argument, "[gradient] the graph has a backward part already");
    if (!options.requests.empty() && options.requests.size() != forward.arguments.size()) {
      fail(Status::invalid_argument, "[gradient] ", options.requests.size(), " gradient requests for ",
           forward.arguments.size(), " arguments");
    }
    requests_ = options.requests;
    if (requests_.empty()) requests_.assign(forward.arguments.size(), GradientRequest::write);
    for (const GraphValue& value : forward.values) {
      if (!value.shape.known() || value.dtype == DType::unknown) {
        fail(Status::shape, "[gradient] shape ", value.shape, " and dtype ", name_of(value.dtype),
             " of a value of '", forward.nodes[value.node].name, "' are not known; infer first");
      }
    }
    // About one node of the backward part for each of the forward part.
    graph_.nodes.reserve(2 * forward.nodes.size());
    graph_.values.reserve(3 * forward.values.size());
    graph_.operands.reserve(4 * forward.operands.size());
    graph_ = forward;
    find_wanted();
    find_last_writes();
  }

  Graph run() {
    const Builder::Scope scope(builder_);
    graph_.head_gradients.assign(forward_.heads.size(), kNone);
    for (NodeId n = static_cast<NodeId>(forward_.nodes.size()); n-- > 0;) {
      if (forward_.nodes[n].is_call()) pass_node(n);
    }
    store();
    return std::move(graph_);
  }

 private:
  class NodeGradient;

  // Which values depend on an argument whose gradient is asked for.
  void find_wanted() {
    wanted_.assign(forward_.values.size(), false);
    for (size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] != GradientRequest::null)
        wanted_[forward_.nodes[forward_.arguments[i]].first_value] = true;
    }
    for (const GraphNode& node : forward_.nodes) {
      if (!node.is_call() || node.op->zero_gradient) continue;
      bool any = false;
      for (ValueId v : forward_.operands_of(node)) any |= wanted_[v];
      for (uint32_t i = 0; any && i < node.num_values; ++i) wanted_[node.first_value + i] = true;
    }
    first_head_.assign(forward_.values.size(), kNone);
    next_head_.assign(forward_.heads.size(), kNone);
    for (uint32_t h = static_cast<uint32_t>(forward_.heads.size()); h-- > 0;) {
      next_head_[h] = first_head_[forward_.heads[h]];
      first_head_[forward_.heads[h]] = h;
    }
  }

  void find_last_writes() {
    last_write_.assign(forward_.values.size(), kNone);
    for (NodeId n = 0; n < forward_.nodes.size(); ++n) {
      const GraphNode& node = forward_.nodes[n];
      for (uint32_t i = 0; i < node.num_operands; ++i) {
        if (node.mutates(i)) last_write_[forward_.operands_of(node)[i]] = n;
      }
    }
  }

  // What flows into a value from users and, for a head, from outside; kNone when nothing does. The variable of a head's
  // own gradient is made when first asked for.
  ValueId flowing(ValueId v) {
    for (uint32_t h = first_head_[v]; h != kNone; h = next_head_[h]) {
      if (graph_.head_gradients[h] != kNone) break;
      const GraphValue& value = forward_.values[v];
      GraphNode variable;
      variable.role = VariableRole::head_gradient;
      variable.device = forward_.nodes[value.node].device;
      variable.name = graph_.ending(forward_.nodes[value.node].name, "_head_gradient");
      const NodeId id = graph_.add(std::move(variable), {}, 1);
      const ValueId arrived = graph_.nodes[id].first_value;
      graph_.values[arrived].shape = value.shape;
      graph_.values[arrived].dtype = value.dtype;
      graph_.head_gradients[h] = id;
      accumulate(v, arrived, value.node);
    }
    return gradients_[v];
  }
  bool flows(ValueId v) const { return first_head_[v] != kNone || gradients_[v] != kNone; }

  void accumulate(ValueId v, ValueId more, NodeId from) {
    ValueId& sum = gradients_[v];
    builder_.serve(from);
    sum = sum == kNone ? more : builder_.add(sum, more);
  }

  ValueId zeros_for(ValueId v) {
    const GraphValue& value = forward_.values[v];
    return builder_.zeros(value.shape, value.dtype);
  }

  // A forward value that the backward part reads; refused when a later node writes it in place.
  ValueId saved(NodeId reader, ValueId v) {
    if (last_write_[v] != kNone && last_write_[v] >= reader) {
      fail(Status::autograd, "[", forward_.nodes[reader].op->name, "] the gradient of '",
           forward_.nodes[reader].name, "' needs '", forward_.nodes[forward_.values[v].node].name, "', but '",
           forward_.nodes[last_write_[v]].name, "' writes it in place; compute on a copy instead");
    }
    return v;
  }

  void pass_node(NodeId n);
  void fused_backward(NodeId n);
  void store();
  ValueId own_gradient(size_t argument, std::vector<bool>& taken);

  const Graph& forward_;
  Graph graph_;
  std::vector<GradientRequest> requests_;
  std::vector<bool> wanted_;
  std::vector<uint32_t> first_head_, next_head_;  // heads of each value, chained
  std::vector<NodeId> last_write_;
  std::vector<ValueId> gradients_;  // per forward value, what has flowed into it so far
  GraphBuilder builder_;
};

// What a composed gradient sees of one node.
class GradientPass::NodeGradient final : public Grad {
 public:
  NodeGradient(GradientPass& pass, NodeId n)
      : pass_(pass), id_(n), node_(pass.forward_.nodes[n]), set_(node_.num_operands, kNone) {}
  bool wants(int i) const override { return pass_.wanted_[operand(i)]; }
  Tensor out_grad(int i) const override {
    const ValueId v = output(i), arrived = pass_.flowing(v);
    pass_.builder_.serve(id_);
    return pass_.builder_.tensor(arrived != kNone ? arrived : pass_.zeros_for(v));
  }
  bool has_out_grad(int i) const override { return pass_.flows(output(i)); }
  Tensor in(int i) const override { return pass_.builder_.tensor(pass_.saved(id_, operand(i))); }
  Tensor out(int i) const override { return pass_.builder_.tensor(output(i)); }
  const Shape& in_shape(int i) const override { return pass_.forward_.values[operand(i)].shape; }
  DType in_dtype(int i) const override { return pass_.forward_.values[operand(i)].dtype; }
  const Shape& out_shape(int i) const override { return pass_.forward_.values[output(i)].shape; }
  int num_inputs() const override { return static_cast<int>(node_.num_operands); }
  int num_outputs() const override { return static_cast<int>(node_.num_values); }
  bool training() const override { return node_.training; }
  void set(int i, Tensor gradient) override {
    set_[static_cast<size_t>(i)] = gradient ? GraphBuilder::value_of(gradient) : kNone;
  }
  // Hands on what was set.
  void deliver() {
    for (size_t i = 0; i < set_.size(); ++i) {
      const ValueId v = operand(static_cast<int>(i)), g = set_[i];
      if (g == kNone || !pass_.wanted_[v]) continue;
      const GraphValue &wanted = pass_.forward_.values[v], &got = pass_.graph_.values[g];
      if (got.shape != wanted.shape || got.dtype != wanted.dtype) {
        fail(Status::shape, "[", node_.op->name, "] gradient ", i, " of '", node_.name, "' is ", got.shape,
             " ", name_of(got.dtype), "; its input is ", wanted.shape, " ", name_of(wanted.dtype));
      }
      pass_.accumulate(v, g, id_);
    }
  }

 private:
  ValueId operand(int i) const { return pass_.forward_.operands_of(node_)[static_cast<size_t>(i)]; }
  ValueId output(int i) const { return node_.first_value + static_cast<ValueId>(i); }
  GradientPass& pass_;
  const NodeId id_;
  const GraphNode& node_;
  std::vector<ValueId> set_;
};

void GradientPass::pass_node(NodeId n) {
  const GraphNode& node = forward_.nodes[n];
  if (node.op->zero_gradient) return;
  bool any = false, wanted = false;
  for (uint32_t i = 0; i < node.num_values; ++i) any |= flows(node.first_value + i);
  for (ValueId v : forward_.operands_of(node)) wanted |= wanted_[v];
  if (!any || !wanted) return;
  builder_.serve(n);
  if (node.op->has_backward(processor_of(node.device))) return fused_backward(n);
  if (!node.op->grad_fn) {
    fail(Status::autograd, "[", node.op->name, "] has no gradient; '", node.name,
         "' lies between a head and an argument whose gradient is asked for");
  }
  NodeGradient gradient(*this, n);
  node.op->grad_fn(*node.op, node.params->data(), gradient);
  gradient.deliver();
}

void GradientPass::fused_backward(NodeId n) {
  const GraphNode& node = forward_.nodes[n];
  const Op& op = *node.op;
  const bool loss = op.is_loss(node.params->data());
  const Span<const ValueId> inputs = forward_.operands_of(node);
  const auto absent = [&](ValueId v) {
    return graph_.add_absent(forward_.values[v].shape, forward_.values[v].dtype);
  };
  std::vector<ValueId> operands;
  for (uint32_t i = 0; i < node.num_values; ++i) {
    const ValueId v = node.first_value + i;
    const bool read = !loss && op.grad_needs_head(static_cast<int>(i));
    const ValueId arrived = read ? flowing(v) : kNone;
    builder_.serve(n);
    operands.push_back(!read ? absent(v) : arrived != kNone ? arrived : zeros_for(v));
  }
  for (uint32_t i = 0; i < inputs.size(); ++i)
    operands.push_back(op.grad_needs_in(static_cast<int>(i)) ? saved(n, inputs[i]) : absent(inputs[i]));
  for (uint32_t i = 0; i < node.num_values; ++i) {
    const ValueId v = node.first_value + i;
    operands.push_back(op.grad_needs_out(static_cast<int>(i)) ? saved(n, v) : absent(v));
  }
  GraphNode call = builder_.serving();
  call.kind = GraphNodeKind::backward;
  call.op = node.op;
  call.params = node.params;
  call.num_out_grads = node.num_values;
  call.num_inputs = node.num_operands;
  const NodeId id = graph_.add(std::move(call), operands, node.num_operands);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    GraphValue& made = graph_.values[graph_.nodes[id].first_value + i];
    made.shape = forward_.values[inputs[i]].shape;
    made.dtype = forward_.values[inputs[i]].dtype;
    made.absent = !wanted_[inputs[i]];
  }
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (wanted_[inputs[i]]) accumulate(inputs[i], graph_.nodes[id].first_value + i, n);
  }
}

// The gradient of an argument as a value of its own, made in the backward part.
ValueId GradientPass::own_gradient(size_t argument, std::vector<bool>& taken) {
  const NodeId variable = forward_.arguments[argument];
  const ValueId v = forward_.nodes[variable].first_value;
  builder_.serve(variable);
  const ValueId arrived = flowing(v);
  if (requests_[argument] == GradientRequest::add) {
    GraphNode held = builder_.serving();
    held.role = VariableRole::gradient;
    const NodeId id = graph_.add(std::move(held), {}, 1);
    const ValueId before = graph_.nodes[id].first_value;
    graph_.values[before].shape = forward_.values[v].shape;
    graph_.values[before].dtype = forward_.values[v].dtype;
    graph_.added_gradients[argument] = id;
    return arrived == kNone ? builder_.copy(before) : builder_.add(before, arrived);
  }
  if (arrived == kNone) return zeros_for(v);
  const NodeId maker = graph_.values[arrived].node;
  const bool own = maker >= graph_.forward_end && graph_.nodes[maker].is_call();
  if (own && (arrived >= taken.size() || !taken[arrived])) return arrived;
  return builder_.copy(arrived);
}

void GradientPass::store() {
  const size_t n = forward_.arguments.size();
  graph_.gradients.assign(n, kNone);
  graph_.added_gradients.assign(n, kNone);
  std::vector<bool> taken(graph_.values.size(), false);
  for (size_t i = 0; i < n; ++i) {
    if (requests_[i] == GradientRequest::null) continue;
    const ValueId v = own_gradient(i, taken);
    graph_.gradients[i] = v;
    if (v < taken.size()) taken[v] = true;
  }
}

}  // namespace

Graph gradient(const Graph& forward, const GradientOptions& options) {
  return GradientPass(forward, options).run();
}

}  // namespace mixgrad
