#include "graph/passes/norm_chains.h"

#include "graph/passes/node_fields.h"

namespace mixgrad {
namespace {

class ChainSearch {
 public:
  explicit ChainSearch(const Graph& graph)
      : graph_(graph), users_(find_users(graph)), kept_(graph.values.size()) {
    for (ValueId v : graph.heads) kept_[v] = true;
    for (ValueId v : graph.gradients) {
      if (v != kNone) kept_[v] = true;
    }
  }

  bool find(NodeId n, NormChain* chain) const {
    const GraphNode& node = graph_.nodes[n];
    const ValueId y = node.first_value;
    const Span<const NodeId> users = users_.of(y);
    if (kept_[y] || users.size() == 0 || users.size() > 2) return false;
    chain->norm = n;
    chain->end = users[0];
    const GraphNode& end = graph_.nodes[chain->end];
    if (end.kind != GraphNodeKind::forward || end.num_operands != 1 || !ends(end, chain)) return false;
    // clip's gradient looks at its input, relu's at its output.
    const bool clip = end.op == clip_;
    if (users.size() != (clip ? 2u : 1u)) return false;
    chain->end_backward = clip ? users[1] : backward_of(end);
    if (chain->end_backward == kNone || !is_backward(chain->end_backward, end.op)) return false;
    const GraphNode& end_backward = graph_.nodes[chain->end_backward];
    const ValueId grad = end_backward.first_value;
    if (graph_.values[grad].absent || kept_[grad] || users_.of(grad).size() != 1) return false;
    chain->norm_backward = users_.of(grad)[0];
    if (!is_backward(chain->norm_backward, node.op)) return false;
    const GraphNode& back = graph_.nodes[chain->norm_backward];
    return graph_.operands_of(back)[0] == grad && norm_of(graph_, back) == n;
  }

 private:
  bool is_backward(NodeId n, const Op* op) const {
    const GraphNode& node = graph_.nodes[n];
    return node.kind == GraphNodeKind::backward && node.op == op;
  }
  bool ends(const GraphNode& node, NormChain* chain) const {
    if (node.op == relu_ || (node.op == activation_ && choice_of(node, "act_type") == "relu")) {
      chain->activation = "relu";
      return true;
    }
    if (node.op != clip_) return false;
    chain->activation = "clip";
    chain->low = number_of(node, "a_min"), chain->high = number_of(node, "a_max");
    return true;
  }
  // The one backward call that reads the output of this activation as its output.
  NodeId backward_of(const GraphNode& end) const {
    const ValueId z = end.first_value;
    for (NodeId user : users_.of(z)) {
      const GraphNode& node = graph_.nodes[user];
      if (is_backward(user, end.op) && graph_.operands_of(node)[node.num_out_grads + node.num_inputs] == z)
        return user;
    }
    return kNone;
  }

  const Graph& graph_;
  const ValueUsers users_;
  std::vector<bool> kept_;
  const Op *const relu_ = &find_op("relu"), *const activation_ = &find_op("Activation"),
                  *const clip_ = &find_op("clip");
};

}  // namespace

NodeId norm_of(const Graph& graph, const GraphNode& backward) {
  const ValueId mean = graph.operands_of(backward)[backward.num_out_grads + backward.num_inputs + 1];
  return graph.values[mean].node;
}

NormChains find_norm_chains(const Graph& graph) {
  NormChains chains;
  const ChainSearch search(graph);
  const Op* norm = &find_op("BatchNorm");
  for (NodeId n = 0; n < graph.forward_end; ++n) {
    NormChain chain;
    if (graph.nodes[n].op != norm || graph.nodes[n].kind != GraphNodeKind::forward || !search.find(n, &chain))
      continue;
    for (NodeId member : {chain.norm, chain.end, chain.end_backward, chain.norm_backward})
      chains[member] = chain;
  }
  return chains;
}

}  // namespace mixgrad
