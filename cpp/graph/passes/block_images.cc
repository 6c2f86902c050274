#include <limits>

#include "graph/passes/memory_plan.h"
#include "graph/passes/node_fields.h"
#include "graph/passes/norm_chains.h"
#include "graph/passes/passes.h"
#include "graph/rewrite.h"
#include "kernels/convolution/conv_plan.h"

namespace mixgrad {
namespace {

// What a node does with the images among its operands and values.
enum class ImageRole : uint8_t {
  plain,        // wants them channels first
  convolution,  // takes each in either layout
  norm,
  pooling,
  pixelwise,  // element by element, like the two before: all of its images are in one layout
};

// Values that must have one layout form a class. A class goes into blocks when convolutions touch many more bytes of it
// than would be turned at its edges.
class ImageBlocks {
 public:
  explicit ImageBlocks(const Graph& graph)
      : graph_(graph),
        writer_(graph),
        written_(mutated_values(graph)),
        roles_(graph.nodes.size(), ImageRole::plain),
        class_of_(graph.values.size()),
        blocked_(graph.values.size(), false),
        turned_(graph.values.size(), kNone) {
    for (ValueId v = 0; v < class_of_.size(); ++v) class_of_[v] = v;
  }

  Graph run() {
    bool any = false;
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      roles_[n] = role_of(graph_.nodes[n]);
      any |= roles_[n] == ImageRole::convolution;
      join(n);
    }
    if (!any || !choose()) return graph_;
    chains_ = find_norm_chains(graph_);
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) write(n);
    return writer_.finish();
  }

 private:
  bool is_image(ValueId v) const {
    const GraphValue& value = graph_.values[v];
    return value.dtype == DType::float32 && value.shape.ndim() == 4 && value.shape.size() > 0 &&
           value.shape[1] % kConvBlock == 0;
  }
  bool there(ValueId v) const { return !graph_.values[v].absent; }
  static bool same_kind(const GraphValue& a, const GraphValue& b) {
    return a.shape == b.shape && a.dtype == b.dtype;
  }

  // Calls f(value) for operands and values, absent ones too.
  template <class F>
  void each_value(const GraphNode& node, const F& f) const {
    for (ValueId v : graph_.operands_of(node)) f(v);
    for (uint32_t i = 0; i < node.num_values; ++i) f(node.first_value + i);
  }

  // Of convolutions.
  ValueId data_of(const GraphNode& node) const {
    return graph_.operands_of(node)[node.kind == GraphNodeKind::backward ? node.num_out_grads : 0];
  }
  ValueId out_of(const GraphNode& node) const {
    return node.kind == GraphNodeKind::backward ? graph_.operands_of(node)[0] : node.first_value;
  }

  ImageRole role_of(const GraphNode& node) const {
    if (!node.is_call() || node.device.kind != DeviceKind::cpu) return ImageRole::plain;
    const size_t first_input = node.kind == GraphNodeKind::backward ? node.num_out_grads : 0;
    const Span<const ValueId> operands = graph_.operands_of(node);
    const bool backward = node.kind == GraphNodeKind::backward;
    const ValueId out = backward ? (operands.size() > 0 ? operands[0] : kNone) : node.first_value;
    if (operands.size() <= first_input || out == kNone) return ImageRole::plain;
    const ValueId data = operands[first_input];
    if (node.op == convolution_)
      return takes_convolution(node, data, out) ? ImageRole::convolution : ImageRole::plain;
    if (!is_image(data)) return ImageRole::plain;
    if (node.op == norm_) {
      const int64_t axis = integer_of(node, "axis");
      const GraphNode& forward = backward ? graph_.nodes[norm_of(graph_, node)] : node;
      // Backward reads beta, too.
      bool floats = (axis == 1 || axis == -3) && !written_[graph_.operands_of(forward)[2]];
      each_value(node, [&](ValueId v) { floats = floats && graph_.values[v].dtype == DType::float32; });
      return floats ? ImageRole::norm : ImageRole::plain;
    }
    if (node.op == pooling_) return first_channels(node) ? ImageRole::pooling : ImageRole::plain;
    const bool elements = node.op->is_pointwise || node.op == activation_ || node.op == sum_;
    bool alike = elements;
    each_value(node, [&](ValueId v) { alike = alike && same_kind(graph_.values[v], graph_.values[data]); });
    for (uint32_t i = 0; alike && i < operands.size(); ++i) alike = !node.mutates(i);
    return alike ? ImageRole::pixelwise : ImageRole::plain;
  }
  static bool first_channels(const GraphNode& node) {
    const std::string layout = choice_of(node, "layout");
    return layout == "None" || layout == "NCHW";
  }
  bool takes_convolution(const GraphNode& node, ValueId data, ValueId out) const {
    const Shape &from = graph_.values[data].shape, &to = graph_.values[out].shape;
    if (graph_.values[data].dtype != DType::float32 || from.ndim() != 4 || from.size() == 0 || to.size() == 0)
      return false;
    const int64_t groups = integer_of(node, "num_group");
    const bool depthwise = groups == from[1] && groups == to[1];
    const bool whole =
        groups > 0 && from[1] % (groups * kConvBlock) == 0 && to[1] % (groups * kConvBlock) == 0;
    return first_channels(node) && (groups == 1 || depthwise || whole);
  }

  // Whether operand or value v of a node is an image whose layout the node's role ties to that of the others.
  bool tied(ImageRole role, ValueId v) const {
    if (role == ImageRole::pixelwise) return true;
    // Gradients of gamma and beta are no images; a single pixel is the same in both layouts.
    const Shape& shape = graph_.values[v].shape;
    return shape.ndim() == 4 && !(role == ImageRole::pooling && shape.size(2, 4) == 1);
  }

  ValueId root(ValueId v) {
    while (class_of_[v] != v) v = class_of_[v] = class_of_[class_of_[v]];
    return v;
  }
  void join(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const ImageRole role = roles_[n];
    if (role == ImageRole::plain || role == ImageRole::convolution) return;
    ValueId first = kNone;
    each_value(node, [&](ValueId v) {
      if (!there(v) || !tied(role, v)) return;
      if (first == kNone)
        first = root(v);
      else
        class_of_[root(v)] = first;
    });
  }

  bool choose() {
    const size_t n = graph_.values.size();
    std::vector<double> gain(n, 0), cost(n, 0);
    std::vector<bool> turns(n, false);
    const auto turn = [&](ValueId v) {
      if (!turns[v]) cost[root(v)] += static_cast<double>(graph_.values[v].bytes());
      turns[v] = true;
    };
    const auto never = [&](ValueId v) { cost[root(v)] = std::numeric_limits<double>::infinity(); };
    for (NodeId i = 0; i < graph_.nodes.size(); ++i) {
      const GraphNode& node = graph_.nodes[i];
      const bool backward = node.kind == GraphNodeKind::backward;
      each_value(node, [&](ValueId v) {
        if (!there(v)) return;
        if (roles_[i] == ImageRole::convolution) {
          const bool image = v == data_of(node) || v == out_of(node) || (backward && v == node.first_value);
          if (image)
            gain[root(v)] += static_cast<double>(graph_.values[v].bytes());
          else
            never(v);
        } else if (roles_[i] == ImageRole::plain || !tied(roles_[i], v)) {
          turn(v);
        }
      });
    }
    for (ValueId v : graph_.heads) never(v);
    for (ValueId v : graph_.gradients) {
      if (v != kNone) never(v);
    }
    for (ValueId v = 0; v < n; ++v) {
      if (written_[v]) never(v);
    }
    bool any = false;
    for (ValueId v = 0; v < n; ++v) {
      const ValueId c = root(v);
      blocked_[v] = is_image(v) && gain[c] > 2 * cost[c];
      any |= blocked_[v];
    }
    return any;
  }

  static Shape blocked_shape(Shape shape) {
    shape[1] /= kConvBlock;
    shape.push_back(kConvBlock);
    return shape;
  }

  // The new value of an old one in the layout asked for.
  ValueId in_layout(ValueId old, bool blocked, const GraphNode& user) {
    const GraphValue& value = graph_.values[old];
    Graph& to = writer_.graph();
    if (value.absent && value.node == kNone)
      return to.add_absent(blocked ? to.pool->keep(blocked_shape(value.shape)) : value.shape, value.dtype);
    if (blocked_[old] == blocked) return writer_.mapped(old);
    if (turned_[old] != kNone) return turned_[old];
    const ValueId from[] = {writer_.mapped(old)};
    return turned_[old] = turn(from, value.shape, blocked, user);
  }
  ValueId turn(Span<const ValueId> from, const Shape& plain, bool blocked, const GraphNode& user) {
    GraphNode node;
    node.kind = GraphNodeKind::forward;
    node.device = user.device;
    node.source = user.source;
    node.training = user.training;
    node.op = blocked ? to_blocked_ : to_plain_;
    const NamedValue channels[] = {{"channels", Value(plain[1])}};
    Graph& to = writer_.graph();
    node.params = blocked ? to_blocked_->defaults.get() : to.pool->keep(make_params(*to_plain_, channels));
    node.name = to.ending(user.name, blocked ? "_blocked" : "_plain");
    const ValueId made = to.nodes[to.add(std::move(node), from, 1)].first_value;
    to.set_shape(made, blocked ? blocked_shape(plain) : plain);
    to.values[made].dtype = DType::float32;
    return made;
  }

  void write(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const ImageRole role = roles_[n];
    if (!node.is_call()) {
      writer_.copy(n);
      for (uint32_t i = 0; i < node.num_values; ++i) block_value(node, node.first_value + i);
      return;
    }
    writer_.reach(n);
    const auto found = chains_.find(n);
    const NormChain* chain = found == chains_.end() ? nullptr : &found->second;
    if (chain && !blocked_[graph_.nodes[chain->norm].first_value]) chain = nullptr;
    if (chain && (n == chain->end || n == chain->end_backward)) return;
    if (role == ImageRole::convolution) return write_convolution(n);
    bool blocked = false;
    if (role != ImageRole::plain) {
      each_value(node, [&](ValueId v) { blocked |= there(v) && blocked_[v] && tied(role, v); });
    }
    if (!blocked) return write_plain(n);
    std::vector<ValueId> operands;
    for (ValueId v : graph_.operands_of(node))
      operands.push_back(in_layout(v, is_image(v) && tied(role, v), node));
    GraphNode changed = node;
    std::vector<NamedValue> fields;
    if (role == ImageRole::norm) {
      changed.op = image_norm_;
      if (chain)
        fields = {{"activation", Value(chain->activation)},
                  {"low", Value(chain->low)},
                  {"high", Value(chain->high)}};
      if (chain) {
        const GraphNode &norm = graph_.nodes[chain->norm], &end = graph_.nodes[chain->end];
        changed.name = writer_.graph().pool->keep(norm.name.str() + "+" + end.name.str());
        changed.mirrored = norm.mirrored || end.mirrored;
        changed.stage = norm.stage || end.stage;
      }
      if (node.kind == GraphNodeKind::backward) {
        if (chain) {
          changed.name = changed.name.with("_backward");
          operands[0] = in_layout(graph_.operands_of(graph_.nodes[chain->end_backward])[0], true, node);
        }
        const GraphNode& forward = graph_.nodes[norm_of(graph_, node)];
        operands[node.num_out_grads + 2] = writer_.mapped(graph_.operands_of(forward)[2]);  // beta
      }
    } else if (role == ImageRole::pooling) {
      changed.op = image_pooling_;
      if (!tied(role, out_of(node))) fields.push_back({"out_layout", Value("plain")});
    }
    if (role != ImageRole::pixelwise)
      changed.params = writer_.graph().pool->keep(params_like(*changed.op, node, fields));
    const NodeId id = writer_.put(n, std::move(changed), operands);
    Graph& to = writer_.graph();
    for (uint32_t i = 0; i < node.num_values; ++i) {
      const ValueId v = node.first_value + i;
      if (is_image(v) && tied(role, v))
        to.set_shape(to.nodes[id].first_value + i, blocked_shape(graph_.values[v].shape));
      else
        block_value(node, v);
    }
    if (chain && n == chain->norm) {
      writer_.replace(graph_.nodes[chain->end].first_value, writer_.mapped(node.first_value));
    }
  }

  void write_plain(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    std::vector<ValueId> operands;
    for (ValueId v : graph_.operands_of(node)) operands.push_back(in_layout(v, false, node));
    writer_.put(n, node, operands);
    for (uint32_t i = 0; i < node.num_values; ++i) block_value(node, node.first_value + i);
  }
  // What a node made in plain order, for users that want blocks.
  void block_value(const GraphNode& node, ValueId v) {
    if (!blocked_[v] || !there(v)) return;
    const ValueId from[] = {writer_.mapped(v)};
    turned_[v] = from[0];
    writer_.replace(v, turn(from, graph_.values[v].shape, true, node));
  }

  void write_convolution(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const bool backward = node.kind == GraphNodeKind::backward;
    const ValueId data = data_of(node), out = out_of(node);
    const bool data_blocked = blocked_[data], out_blocked = blocked_[out];
    if (!data_blocked && !out_blocked) return write_plain(n);
    std::vector<ValueId> operands;
    for (ValueId v : graph_.operands_of(node))
      operands.push_back(in_layout(v, (v == data || v == out) && blocked_[v], node));
    const auto full = [&](const char* field, int64_t rest) {
      const Shape given = tuple_of(node, field);
      return given.ndim() > 0 ? given : Shape::filled(2, rest);
    };
    const Shape stride = full("stride", 1), dilate = full("dilate", 1), pad = full("pad", 0);
    const TupleValue stride_value(stride), dilate_value(dilate), pad_value(pad);
    const NamedValue fields[] = {{"stride", stride_value},
                                 {"dilate", dilate_value},
                                 {"pad", pad_value},
                                 {"data_layout", Value(data_blocked ? "blocked" : "plain")},
                                 {"out_layout", Value(out_blocked ? "blocked" : "plain")}};
    GraphNode changed = node;
    changed.op = image_convolution_;
    changed.params = writer_.graph().pool->keep(params_like(*image_convolution_, node, fields));
    writer_.put(n, std::move(changed), operands);
    // The data's gradient comes in the layout of the data.
    const ValueId made = node.first_value, at = writer_.mapped(made);
    const bool made_blocked = backward ? data_blocked : out_blocked;
    if (made_blocked) writer_.graph().set_shape(at, blocked_shape(graph_.values[made].shape));
    if (!there(made) || blocked_[made] == made_blocked) return;
    const ValueId from[] = {at};
    turned_[made] = at;
    writer_.replace(made, turn(from, graph_.values[made].shape, blocked_[made], node));
  }

  const Graph& graph_;
  GraphWriter writer_;
  const std::vector<bool> written_;
  std::vector<ImageRole> roles_;
  std::vector<ValueId> class_of_;
  std::vector<bool> blocked_;
  std::vector<ValueId> turned_;  // per old value the new one in the other layout
  NormChains chains_;
  const Op *const convolution_ = &find_op("Convolution"), *const norm_ = &find_op("BatchNorm"),
                  *const pooling_ = &find_op("Pooling"), *const activation_ = &find_op("Activation"),
                  *const sum_ = &find_op("add_n");
  const Op *const image_convolution_ = &find_op("_image_convolution"),
                  *const image_norm_ = &find_op("_image_batch_norm"),
                  *const image_pooling_ = &find_op("_image_pooling"),
                  *const to_blocked_ = &find_op("_to_blocked"), *const to_plain_ = &find_op("_to_plain");
};

// An image that the forward part turns and the backward part reads in both layouts would be kept twice: the backward part
// turns it again. Also what only gives the turned elements another shape.
void turn_again(Graph& graph) {
  const Op *const to_blocked = &find_op("_to_blocked"), *const to_plain = &find_op("_to_plain");
  std::vector<bool> turned(graph.values.size(), false);
  for (NodeId n = 0; n < graph.forward_end; ++n) {
    GraphNode& node = graph.nodes[n];
    if (node.kind != GraphNodeKind::forward) continue;
    const bool view = node.op->same_elements && turned[graph.operands_of(node)[0]];
    if (!view && node.op != to_blocked && node.op != to_plain) continue;
    node.mirrored = true;
    turned[node.first_value] = true;
  }
}

int64_t least_bytes(const Graph& graph) { return plan_memory(graph, {true, false}).live_bytes(); }

}  // namespace

Graph block_images(Graph graph) {
  if (!any_call_of(graph, {"Convolution"})) return graph;
  const int64_t before = least_bytes(graph);
  graph = ImageBlocks(graph).run();
  if (least_bytes(graph) > before) turn_again(graph);
  return graph;
}

}  // namespace mixgrad
