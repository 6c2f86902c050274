#include "graph/passes/node_fields.h"
#include "graph/passes/passes.h"
#include "graph/rewrite.h"
#include "kernels/convolution/conv_plan.h"

namespace mixgrad {
namespace {

// An expanding convolution, a depthwise one and a 1x1 one in blocks of channels, the latter two with no other user before
// them: inverted residuals. They become one call, which keeps the expanded images out of memory. Without the first one
// (the depthwise convolution reads what others read, too) the other two do.
class Chaining {
 public:
  explicit Chaining(const Graph& graph)
      : graph_(graph), writer_(graph), users_(find_users(graph)), mutated_(mutated_values(graph)) {
    kept_.assign(graph.values.size(), false);
    for (ValueId v : graph.heads) kept_[v] = true;
  }

  Graph run() {
    std::vector<Chain> chains;
    chain_of_.assign(graph_.nodes.size(), kNone);
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      const Chain chain = chain_before(n);
      if (chain.project == kNone) continue;
      for (NodeId member : {chain.expand, chain.depthwise, chain.project}) {
        if (member != kNone) chain_of_[member] = static_cast<uint32_t>(chains.size());
      }
      chains.push_back(chain);
    }
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      writer_.reach(n);
      if (chain_of_[n] == kNone)
        writer_.copy(n);
      else if (chains[chain_of_[n]].project == n)
        write(chains[chain_of_[n]]);
    }
    return writer_.finish();
  }

 private:
  struct Chain {
    NodeId expand = kNone, depthwise = kNone, project = kNone;
  };

  bool fused(NodeId n) const {
    const GraphNode& node = graph_.nodes[n];
    return node.op == convolution_ && node.is_call() && tuple_of(node, "kernel").ndim() == 2 &&
           choice_of(node, "out_layout") == "blocked";
  }
  bool reads_blocked(NodeId n) const { return choice_of(graph_.nodes[n], "data_layout") == "blocked"; }
  const Shape& weight_of(NodeId n) const {
    return graph_.values[graph_.operands_of(graph_.nodes[n])[1]].shape;
  }
  static bool all_are(const Shape& shape, int64_t extent) {
    for (int64_t e : shape) {
      if (e != extent) return false;
    }
    return true;
  }
  bool single_pixels(NodeId n) const {
    const GraphNode& node = graph_.nodes[n];
    return all_are(tuple_of(node, "kernel"), 1) && all_are(tuple_of(node, "stride"), 1) &&
           all_are(tuple_of(node, "pad"), 0) && integer_of(node, "num_group") == 1;
  }
  bool depthwise(NodeId n) const {
    const GraphNode& node = graph_.nodes[n];
    const int64_t groups = integer_of(node, "num_group");
    return groups == integer_of(node, "num_filter") && weight_of(n)[1] == 1 && groups > 1 &&
           integer_of(node, "residual") == 0 && reads_blocked(n) && tuple_of(node, "kernel")[0] <= kMostRows;
  }
  bool expands(NodeId n) const {
    const GraphNode& node = graph_.nodes[n];
    if (integer_of(node, "num_group") != 1 || integer_of(node, "residual") != 0) return false;
    return reads_blocked(n) ? single_pixels(n)
                            : weight_of(n)[1] < kFewChannels && all_are(tuple_of(node, "dilate"), 1);
  }
  // The fused convolution that alone is read by n, which alone reads it; else kNone.
  NodeId before(NodeId n) const {
    const ValueId v = graph_.operands_of(graph_.nodes[n])[0];
    const NodeId maker = graph_.values[v].node;
    const bool alone =
        maker != kNone && chain_of_[maker] == kNone && !kept_[v] && users_.of(v).size() == 1 && fused(maker);
    return alone && graph_.nodes[maker].device == graph_.nodes[n].device ? maker : kNone;
  }
  bool alike(NodeId a, NodeId b, std::initializer_list<const char*> fields) const {
    for (const char* field : fields) {
      if (number_of(graph_.nodes[a], field) != number_of(graph_.nodes[b], field)) return false;
    }
    return true;
  }
  bool same_kind(NodeId a, NodeId b) const { return alike(a, b, {"no_bias", "norm", "fix_gamma", "eps"}); }
  bool written(NodeId n) const {
    for (ValueId v : graph_.operands_of(graph_.nodes[n])) {
      if (mutated_[v]) return true;
    }
    return false;
  }

  Chain chain_before(NodeId n) const {
    if (!fused(n) || !single_pixels(n) || !reads_blocked(n)) return {};
    Chain chain;
    const NodeId middle = before(n);
    if (middle == kNone || !depthwise(middle) || !same_kind(middle, n) || written(n) || written(middle))
      return {};
    const NodeId first = before(middle);
    const bool three =
        first != kNone && expands(first) && same_kind(first, middle) && !written(first) &&
        choice_of(graph_.nodes[first], "activation") == choice_of(graph_.nodes[middle], "activation") &&
        alike(first, middle, {"low", "high"});
    chain.expand = three ? first : kNone;
    chain.depthwise = middle;
    chain.project = n;
    return pays(chain) ? chain : Chain{};
  }

  // Smaller images between the layers stay in cache anyhow, and their threads share a layer better than bands of rows.
  bool pays(const Chain& chain) const {
    const Shape& image = graph_.values[graph_.operands_of(graph_.nodes[chain.depthwise])[0]].shape;
    return image[0] > 0 && image.size() / image[0] >= kLeastFloats;
  }

  void write(const Chain& chain) {
    const GraphNode &last = graph_.nodes[chain.project], &middle = graph_.nodes[chain.depthwise];
    const NodeId first = chain.expand != kNone ? chain.expand : chain.depthwise;
    const bool expands = chain.expand != kNone;
    const std::string inner = choice_of(middle, "activation"),
                      data = choice_of(graph_.nodes[first], "data_layout");
    const auto tuple = [&](NodeId n, const char* field) {
      return n == kNone ? TupleValue(Shape{}) : TupleValue(tuple_of(graph_.nodes[n], field));
    };
    const TupleValue tuples[] = {tuple(chain.expand, "kernel"),    tuple(chain.expand, "stride"),
                                 tuple(chain.expand, "pad"),       tuple(chain.depthwise, "kernel"),
                                 tuple(chain.depthwise, "stride"), tuple(chain.depthwise, "dilate"),
                                 tuple(chain.depthwise, "pad")};
    const NamedValue changes[] = {{"expand_kernel", tuples[0]},
                                  {"expand_stride", tuples[1]},
                                  {"expand_pad", tuples[2]},
                                  {"kernel", tuples[3]},
                                  {"stride", tuples[4]},
                                  {"dilate", tuples[5]},
                                  {"pad", tuples[6]},
                                  {"num_expanded", Value(integer_of(middle, "num_filter"))},
                                  {"data_layout", Value(data.c_str())},
                                  {"inner", Value(inner.c_str())},
                                  {"inner_low", Value(number_of(middle, "low"))},
                                  {"inner_high", Value(number_of(middle, "high"))}};
    GraphNode node = last;
    node.op = chain_;
    node.params = graph_.pool->keep(params_like(*chain_, last, changes));
    node.name = graph_.pool->keep((expands ? graph_.nodes[first].name + "+" : "") + middle.name.str() + "+" +
                                  last.name.str());
    std::vector<ValueId> operands{writer_.mapped(graph_.operands_of(graph_.nodes[first])[0])};
    for (NodeId n : {chain.expand, chain.depthwise, chain.project}) {
      if (n == kNone) continue;
      const Span<const ValueId> in = graph_.operands_of(graph_.nodes[n]);
      for (size_t i = 1; i < in.size(); ++i) operands.push_back(writer_.mapped(in[i]));
    }
    writer_.put(chain.project, std::move(node), operands);
  }

  static constexpr int64_t kLeastFloats = 65536;
  static constexpr int64_t kFewChannels = kConvBlock / 2, kMostRows = 32;
  const Graph& graph_;
  GraphWriter writer_;
  const ValueUsers users_;
  const std::vector<bool> mutated_;
  std::vector<bool> kept_;
  std::vector<uint32_t> chain_of_;  // per node the number of its chain
  const Op *const convolution_ = find_op_or_null("_fused_convolution"), *const chain_ = find_op_or_null(
                                                                            "_fused_convolution_chain");
};

}  // namespace

Graph chain_convolutions(Graph graph) {
  if (!find_op_or_null("_fused_convolution_chain") || !any_call_of(graph, {"_fused_convolution"}))
    return graph;
  return Chaining(graph).run();
}

namespace {

Graph run_chain_pass(Graph graph, const PassOptions&) { return chain_convolutions(std::move(graph)); }
const bool kChainRegistered = register_pass(Pass::chain, run_chain_pass);

}  // namespace
}  // namespace mixgrad
