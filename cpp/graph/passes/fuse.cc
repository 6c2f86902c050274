#include <limits>

#include "base/error.h"
#include "graph/passes/node_fields.h"
#include "graph/passes/passes.h"
#include "graph/rewrite.h"
#include "kernels/convolution/conv_plan.h"

namespace mixgrad {
namespace {

// What may end a fused operator, in its own words.
struct Ending {
  const char* activation = nullptr;  // null: the call is no such function
  double low = 0, high = 0;
};

Ending ending_of(const GraphNode& call) {
  const double most = std::numeric_limits<float>::infinity();
  std::string name = call.op->name;
  if (name == "Activation") name = choice_of(call, "act_type");
  if (name == "relu") return {"clamp", 0, most};
  if (name == "sigmoid") return {"sigmoid"};
  if (name == "tanh") return {"tanh"};
  if (name == "clip") return {"clamp", number_of(call, "a_min"), number_of(call, "a_max")};
  if (name == "hard_sigmoid") return {"hard_sigmoid", number_of(call, "alpha"), number_of(call, "beta")};
  if (name == "LeakyReLU" && choice_of(call, "act_type") == "leaky")
    return {"leaky", number_of(call, "slope")};
  return {};
}

// Calls that become one: a head, then at most one each of the others, in this order.
struct Chain {
  NodeId head = kNone, norm = kNone, sum = kNone, ending = kNone;
  ValueId residual = kNone;
  NodeId last() const { return ending != kNone ? ending : sum != kNone ? sum : norm != kNone ? norm : head; }
};

class Fusing {
 public:
  explicit Fusing(const Graph& graph)
      : graph_(graph),
        writer_(graph),
        users_(find_users(graph)),
        chain_of_(graph.nodes.size(), kNone),
        written_(mutated_values(graph)) {
    kept_.assign(graph.values.size(), false);
    for (ValueId v : graph.heads) kept_[v] = true;
  }

  Graph run() {
    // From the end, so that an addition goes to the operand that is computed last: nothing waits for the others.
    for (NodeId n = static_cast<NodeId>(graph_.nodes.size()); n-- > 0;) find_chain(n);
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      writer_.reach(n);
      if (chain_of_[n] == kNone)
        writer_.copy(n);
      else if (chains_[chain_of_[n]].last() == n)
        write(chains_[chain_of_[n]]);
    }
    return writer_.finish();
  }

 private:
  const GraphValue& first_value(NodeId n) const { return graph_.values[graph_.nodes[n].first_value]; }
  bool plain_call(const GraphNode& node) const {
    return node.kind == GraphNodeKind::forward && node.device.kind == DeviceKind::cpu;
  }

  bool is_convolution(const GraphNode& node) const {
    if (node.op != convolution_ || !plain_call(node) || node.training || has_gradient_) return false;
    const bool groups = integer_of(node, "num_group") != 1;
    if (groups && !conv_method(ConvAlgorithm::product).serves) return false;  // no fused one has an algorithm
    const Span<const GraphValue> out = graph_.values_of(node);
    const Shape& data = graph_.values[graph_.operands_of(node)[0]].shape;
    const std::string layout = choice_of(node, "layout");
    return out[0].dtype == DType::float32 && out[0].shape.size() > 0 && data.size() > 0 && data.ndim() <= 4 &&
           (layout == "None" || layout == "NCHW" || layout == "NCW");
  }
  bool is_layer(const GraphNode& node) const {
    return node.op == layer_ && plain_call(node) && graph_.values_of(node)[0].dtype == DType::float32;
  }

  // The one call that uses the first value of node n and may be fused with it; kNone when there is none.
  NodeId only_user(NodeId n) const {
    const GraphNode& node = graph_.nodes[n];
    for (uint32_t i = 0; i < node.num_values; ++i) {
      const ValueId v = node.first_value + i;
      if (kept_[v] || users_.of(v).size() != (i == 0 ? 1u : 0u)) return kNone;
    }
    const NodeId user = users_.of(node.first_value)[0];
    const GraphNode& next = graph_.nodes[user];
    // What the user has computed again, or kept as a stage, is so by itself.
    if (has_gradient_ && (node.mirrored || node.stage || next.mirrored || next.stage)) return kNone;
    const bool fits = plain_call(next) && next.device == node.device && chain_of_[user] == kNone &&
                      same_kind(first_value(user), first_value(n));
    return fits ? user : kNone;
  }
  static bool same_kind(const GraphValue& a, const GraphValue& b) {
    return a.shape == b.shape && a.dtype == b.dtype;
  }

  bool joins_norm(NodeId user, NodeId before) const {
    const GraphNode& node = graph_.nodes[user];
    const Span<const ValueId> in = graph_.operands_of(node);
    if (node.op != norm_ || in[0] != graph_.nodes[before].first_value) return false;
    for (ValueId v = node.first_value + 1; v < node.first_value + node.num_values; ++v) {
      if (kept_[v] || users_.of(v).size() > 0) return false;
    }
    const int64_t axis = integer_of(node, "axis"), axes = first_value(user).shape.ndim();
    return (axis == 1 || axis + axes == 1) && graph_.values[in[1]].dtype == DType::float32;
  }

  void find_chain(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const bool convolution = is_convolution(node);
    if (!convolution && !is_layer(node)) return;
    Chain chain;
    chain.head = n;
    NodeId user = only_user(n);
    if (convolution && user != kNone && joins_norm(user, n)) {
      chain.norm = user;
      user = only_user(user);
    }
    if (convolution && user != kNone &&
        (graph_.nodes[user].op == add_ || graph_.nodes[user].op == broadcast_add_)) {
      const Span<const ValueId> in = graph_.operands_of(graph_.nodes[user]);
      const ValueId mine = graph_.nodes[chain.last()].first_value, other = in[0] == mine ? in[1] : in[0];
      if (same_kind(graph_.values[other], graph_.values[mine])) {
        chain.sum = user;
        chain.residual = other;
        user = only_user(user);
      }
    }
    if (user != kNone && ending_of(graph_.nodes[user]).activation) chain.ending = user;
    // A layer alone stays what it is; a convolution alone gains prepared weights.
    if (!convolution && chain.ending == kNone) return;
    for (ValueId v : operands_of(chain)) {
      if (written_[v]) return;  // the fused call would read it at another time
    }
    for (NodeId member : {chain.head, chain.norm, chain.sum, chain.ending}) {
      if (member != kNone) chain_of_[member] = static_cast<uint32_t>(chains_.size());
    }
    chains_.push_back(chain);
  }

  std::vector<ValueId> operands_of(const Chain& chain) const {
    const Span<const ValueId> head = graph_.operands_of(graph_.nodes[chain.head]);
    std::vector<ValueId> operands(head.begin(), head.end());
    if (chain.norm != kNone) {
      const Span<const ValueId> norm = graph_.operands_of(graph_.nodes[chain.norm]);
      operands.insert(operands.end(), norm.begin() + 1, norm.end());
    }
    if (chain.residual != kNone) operands.push_back(chain.residual);
    return operands;
  }

  void write(const Chain& chain) {
    const GraphNode& head = graph_.nodes[chain.head];
    GraphNode node = head;
    node.constant = nullptr;
    std::string name = head.name;
    for (NodeId member : {chain.norm, chain.sum, chain.ending}) {
      if (member != kNone) name += "+" + graph_.nodes[member].name.str();
    }
    GraphPool& pool = *writer_.graph().pool;
    node.name = pool.keep(name);
    const Ending ending = chain.ending != kNone ? ending_of(graph_.nodes[chain.ending]) : Ending{"none"};
    std::vector<NamedValue> values{
        {"activation", Value(ending.activation)}, {"low", Value(ending.low)}, {"high", Value(ending.high)}};
    if (head.op == layer_) {
      const Op& op = *fused_layer_;
      node.op = &op;
      node.params = pool.keep(params_like(op, head, values));
    } else {
      const Op& op = *fused_convolution_;
      const int axes = tuple_of(head, "kernel").ndim();
      const auto full = [&](const char* field, int64_t rest) {
        const Shape given = tuple_of(head, field);
        return given.ndim() > 0 ? given : Shape::filled(axes, rest);
      };
      const Shape stride = full("stride", 1), dilate = full("dilate", 1), pad = full("pad", 0);
      const TupleValue stride_value(stride), dilate_value(dilate), pad_value(pad);
      values.insert(values.end(), {{"stride", stride_value}, {"dilate", dilate_value}, {"pad", pad_value}});
      values.push_back({"residual", Value(chain.residual != kNone)});
      values.push_back({"norm", Value(chain.norm != kNone)});
      if (chain.norm != kNone) {
        const GraphNode& norm = graph_.nodes[chain.norm];
        values.push_back({"eps", Value(number_of(norm, "eps"))});
        values.push_back({"fix_gamma", Value(integer_of(norm, "fix_gamma") != 0)});
      }
      node.op = &op;
      node.params = pool.keep(params_like(op, head, values));
    }
    std::vector<ValueId> operands = operands_of(chain);
    for (ValueId& v : operands) v = writer_.mapped(v);
    const ValueId old = graph_.nodes[chain.last()].first_value;
    const NodeId id = writer_.graph().add(std::move(node), operands, 1);
    const ValueId made = writer_.graph().nodes[id].first_value;
    writer_.graph().values[made].shape = graph_.values[old].shape;
    writer_.graph().values[made].dtype = graph_.values[old].dtype;
    writer_.replace(old, made);
  }

  const Graph& graph_;
  GraphWriter writer_;
  const ValueUsers users_;
  std::vector<uint32_t> chain_of_;  // per node the number of its chain
  std::vector<Chain> chains_;
  std::vector<bool> kept_;
  const std::vector<bool> written_;
  const bool has_gradient_ = graph_.forward_end < graph_.nodes.size();
  // A build may lack any of them; nothing is fused for which there is no operator.
  const Op *const fused_convolution_ = find_op_or_null("_fused_convolution"),
                  *const fused_layer_ = find_op_or_null("_fused_fully_connected"),
                  *const convolution_ = fused_convolution_ ? find_op_or_null("Convolution") : nullptr,
                  *const layer_ = fused_layer_ ? find_op_or_null("FullyConnected") : nullptr,
                  *const norm_ = find_op_or_null("BatchNorm"), *const add_ = find_op_or_null("elemwise_add"),
                  *const broadcast_add_ = find_op_or_null("broadcast_add");
};

}  // namespace

Graph fuse(Graph graph) {
  if (!any_call_of(graph, {"Convolution", "FullyConnected"})) return graph;
  return Fusing(graph).run();
}

}  // namespace mixgrad
