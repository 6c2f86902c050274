#include "base/error.h"
#include "base/parallel.h"
#include "graph/passes/node_fields.h"
#include "graph/passes/passes.h"
#include "graph/rewrite.h"
#include "kernels/convolution/conv_choice.h"

namespace mixgrad {
namespace {

// Values that only fused convolutions, pooling and Concat make and use lie in blocks of 16 channels, which is how their loops
// work; where one of them meets a plain residual, or the other way round, an image is turned. Pooling reads and writes the
// same layout: in blocks it is the pooling of an image with one more axis, whose channels come last. What it makes is
// turned for those who want it plain, which costs little beside what its input would cost. Concat joins whole blocks.
class LayoutChoice {
 public:
  explicit LayoutChoice(const Graph& graph)
      : graph_(graph),
        writer_(graph),
        blocked_(graph.values.size(), false),
        turned_(graph.values.size(), kNone) {}

  Graph run() {
    choose();
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      if (pools(node) && blocked_[node.first_value])
        write_pooling(n);
      else if (joins(node) && blocked_[node.first_value])
        write_concat(n);
      else if (serves_[n] &&
               (blocked_[node.first_value] || blocked_[data_of(node)] || blocked_[last_of(node)]))
        write(n);
      else
        copy_plain(n);
    }
    return writer_.finish();
  }

 private:
  bool fused(const GraphNode& node) const { return node.op == convolution_ && node.is_call(); }
  bool pools(const GraphNode& node) const {
    if (node.op != pooling_ || !node.is_call() || node.kind != GraphNodeKind::forward) return false;
    const GraphValue& data = graph_.values[data_of(node)];
    const std::string layout = choice_of(node, "layout");
    return (layout == "None" || layout == "NCHW" || layout == "NCW") && data.dtype == DType::float32 &&
           (data.shape.ndim() == 3 || data.shape.ndim() == 4) && choice_of(node, "pool_type") != "lp" &&
           node.device.kind == DeviceKind::cpu;
  }
  // Concat of channels, each image's a multiple of 16.
  bool joins(const GraphNode& node) const {
    if (node.op != concat_ || !node.is_call() || node.device.kind != DeviceKind::cpu) return false;
    const int64_t dim = integer_of(node, "dim"), axes = graph_.values[node.first_value].shape.ndim();
    bool fits = (axes == 3 || axes == 4) && (dim == 1 || dim + axes == 1);
    for (ValueId v : graph_.operands_of(node)) {
      const GraphValue& image = graph_.values[v];
      fits = fits && image.dtype == DType::float32 && image.shape[1] % kConvBlock == 0;
    }
    return fits;
  }
  bool all_blocked(const GraphNode& node) const {
    bool all = true;
    for (ValueId v : graph_.operands_of(node)) all = all && blocked_[v];
    return all;
  }
  bool made_by_pooling(ValueId v) const {
    return graph_.values[v].node != kNone && pools(graph_.nodes[graph_.values[v].node]);
  }
  ValueId data_of(const GraphNode& node) const { return graph_.operands_of(node)[0]; }
  // The residual, if there is one.
  ValueId last_of(const GraphNode& node) const {
    return graph_.operands[node.first_operand + node.num_operands - 1];
  }

  static bool few_lanes_idle(int64_t channels) {
    const int64_t lanes = conv_blocks(channels) * kConvBlock;
    return 2 * lanes <= 3 * channels;
  }
  // Whether the convolution runs on blocked data and makes blocked output.
  bool serves_blocks(const GraphNode& node) const {
    const Shape kernel = tuple_of(node, "kernel"), stride = tuple_of(node, "stride"),
                dilate = tuple_of(node, "dilate"), pad = tuple_of(node, "pad");
    const Shape &data = graph_.values[data_of(node)].shape, &out = graph_.values[node.first_value].shape;
    ConvProblem problem;
    problem.data = problem.out = ConvLayout::blocked;
    problem.threads = num_threads();
    nn_backend::ConvShape& s = problem.shape;
    s.batch = data[0], s.channels = data[1], s.filters = out[1];
    s.groups = integer_of(node, "num_group");
    for (int i = 0; i < kernel.ndim(); ++i) {
      const int at = 3 - kernel.ndim() + i;
      s.in[at] = data[2 + i], s.out[at] = out[2 + i];
      s.kernel[at] = kernel[i], s.stride[at] = stride[i], s.dilate[at] = dilate[i], s.pad[at] = pad[i];
    }
    return conv_algorithm(problem) != ConvAlgorithm::automatic;
  }

  void choose() {
    serves_.assign(graph_.nodes.size(), false);
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      if (pools(node)) blocked_[node.first_value] = blocked_[data_of(node)];
      if (joins(node)) blocked_[node.first_value] = all_blocked(node);
      if (!fused(node)) continue;
      serves_[n] = serves_blocks(node);
      if (!serves_[n]) continue;
      blocked_[node.first_value] = few_lanes_idle(graph_.values[node.first_value].shape[1]);
    }
    for (ValueId v : graph_.heads) {
      // A head is plain, and with it what was pooled to it.
      for (; v != kNone; v = made_by_pooling(v) ? data_of(graph_.nodes[graph_.values[v].node]) : kNone)
        blocked_[v] = false;
    }
    while (settle()) {
    }
  }

  // Makes those values plain that somebody reads plain, or nobody in blocks. What is joined from plain values is plain, and
  // makes all of them plain. Whether anything changed.
  bool settle() {
    bool changed = false;
    const auto make_plain = [&](ValueId v) {
      changed = changed || blocked_[v];
      blocked_[v] = false;
    };
    std::vector<bool> used(graph_.values.size(), false);
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      const Span<const ValueId> in = graph_.operands_of(node);
      const bool residual = serves_[n] && integer_of(node, "residual") != 0;
      const bool joined = joins(node) && blocked_[node.first_value] && all_blocked(node);
      const bool loses = (joins(node) && !joined) || (pools(node) && !blocked_[data_of(node)]);
      if (loses) make_plain(node.first_value);
      for (size_t i = 0; i < in.size(); ++i) {
        const bool reads = serves_[n] && (i == 0 || (residual && i + 1 == in.size()));
        if (reads || joined || pools(node))
          used[in[i]] = true;
        else if (!made_by_pooling(in[i]))
          make_plain(in[i]);
      }
    }
    for (ValueId v = 0; v < used.size(); ++v) {
      if (!used[v] && !made_by_pooling(v)) make_plain(v);
    }
    return changed;
  }

  // The new value of an old one in the layout asked for.
  ValueId in_layout(ValueId old, bool blocked, const GraphNode& user) {
    if (blocked_[old] == blocked) return writer_.mapped(old);
    if (turned_[old] != kNone) return turned_[old];
    const Shape& plain = graph_.values[old].shape;
    GraphNode turn;
    turn.kind = GraphNodeKind::forward;
    turn.device = user.device;
    turn.source = user.source;
    turn.op = blocked ? to_blocked_ : to_plain_;
    const NamedValue channels[] = {{"channels", Value(plain[1])}};
    Graph& to = writer_.graph();
    turn.params = blocked ? to_blocked_->defaults.get() : to.pool->keep(make_params(*to_plain_, channels));
    turn.name = to.ending(user.name, blocked ? "_blocked" : "_plain");
    const ValueId from = writer_.mapped(old);
    return turned_[old] = add(std::move(turn), Span<const ValueId>(&from, 1), plain, blocked);
  }

  ValueId add(GraphNode node, Span<const ValueId> operands, Shape shape, bool blocked) {
    if (blocked) {
      shape[1] = conv_blocks(shape[1]);
      shape.push_back(kConvBlock);
    }
    Graph& to = writer_.graph();
    const ValueId made = to.nodes[to.add(std::move(node), operands, 1)].first_value;
    to.set_shape(made, shape);
    to.values[made].dtype = DType::float32;
    return made;
  }

  // A node that reads plain values.
  void copy_plain(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    std::vector<std::pair<ValueId, ValueId>> changed;
    for (ValueId v : graph_.operands_of(node)) {
      if (!blocked_[v]) continue;
      const ValueId plain = in_layout(v, false, node);
      changed.push_back({v, writer_.mapped(v)});
      writer_.replace(v, plain);
    }
    writer_.copy(n);
    for (const auto& [old, blocked] : changed) writer_.replace(old, blocked);
  }

  void write_pooling(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const Shape& data = graph_.values[data_of(node)].shape;
    const bool global = integer_of(node, "global_pool") != 0;
    // Blocks of channels become the first of the axes of positions.
    const auto with_blocks = [&](const char* field, int64_t rest) {
      Shape all{rest}, given = tuple_of(node, field);
      if (global || given.ndim() == 0) given = Shape::filled(data.ndim() - 2, rest);
      for (int64_t extent : given) all.push_back(extent);
      return all;
    };
    Shape kernel = with_blocks("kernel", 1);
    for (int i = 2; global && i < data.ndim(); ++i) kernel[i - 1] = data[i];
    const Shape stride = with_blocks("stride", 1), pad = with_blocks("pad", 0);
    const TupleValue kernel_value(kernel), stride_value(stride), pad_value(pad);
    const NamedValue changes[] = {{"kernel", kernel_value},
                                  {"stride", stride_value},
                                  {"pad", pad_value},
                                  {"global_pool", Value(false)},
                                  {"layout", Value(data.ndim() == 4 ? "NDHWC" : "NHWC")}};
    GraphNode changed = node;
    changed.params = writer_.graph().pool->keep(params_like(*pooling_, node, changes));
    const ValueId from = writer_.mapped(data_of(node));
    writer_.replace(node.first_value, add(std::move(changed), Span<const ValueId>(&from, 1),
                                          graph_.values[node.first_value].shape, true));
  }

  void write_concat(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    std::vector<ValueId> operands;
    for (ValueId v : graph_.operands_of(node)) operands.push_back(writer_.mapped(v));
    const NamedValue dim[] = {{"dim", Value(1)}};
    GraphNode changed = node;
    changed.params = graph_.pool->keep(params_like(*concat_, node, dim));
    writer_.replace(node.first_value,
                    add(std::move(changed), operands, graph_.values[node.first_value].shape, true));
  }

  void write(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const bool to_blocked = blocked_[node.first_value];
    const Span<const ValueId> in = graph_.operands_of(node);
    std::vector<ValueId> operands;
    for (ValueId v : in) operands.push_back(writer_.mapped(v));
    if (integer_of(node, "residual") != 0) operands.back() = in_layout(in[in.size() - 1], to_blocked, node);
    const NamedValue layouts[] = {{"data_layout", Value(blocked_[in[0]] ? "blocked" : "plain")},
                                  {"out_layout", Value(to_blocked ? "blocked" : "plain")}};
    GraphNode changed = node;
    changed.params = writer_.graph().pool->keep(params_like(*convolution_, node, layouts));
    writer_.replace(node.first_value,
                    add(std::move(changed), operands, graph_.values[node.first_value].shape, to_blocked));
  }

  const Graph& graph_;
  GraphWriter writer_;
  std::vector<bool> blocked_;
  std::vector<bool> serves_;     // per node, whether it is a convolution that runs on blocks
  std::vector<ValueId> turned_;  // per old value the new one in the other layout
  const Op *const convolution_ = find_op_or_null("_fused_convolution"),
                  *const to_blocked_ = find_op_or_null("_to_blocked"),
                  *const to_plain_ = find_op_or_null("_to_plain"),
                  *const pooling_ = find_op_or_null("Pooling"), *const concat_ = find_op_or_null("Concat");
};

}  // namespace

Graph choose_layouts(Graph graph) {
  return any_call_of(graph, {"_fused_convolution"}) ? LayoutChoice(graph).run() : std::move(graph);
}

}  // namespace mixgrad
