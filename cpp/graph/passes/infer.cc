#include "graph/passes/infer.h"

#include <vector>

#include "base/error.h"
#include "graph/nearest.h"
#include "graph/passes/probe.h"

namespace mixgrad {
namespace {

constexpr size_t kShownSteps = 8;  // of a path in a message

struct ShapeRule {
  using Fact = Shape;
  static const Shape& of(const GraphValue& value) { return value.shape; }
  static void set(Graph& graph, ValueId v, const Shape& shape) { graph.set_shape(v, shape); }
  static bool known(const Shape& shape) { return shape.known(); }
  static void ask(const GraphNode& node, Span<Shape> in, Span<Shape> out, bool open_zeros) {
    ShapeInfer info(*node.op, in, out, open_zeros);
    node.op->shape_fn(*node.op, node.params->data(), info);
    probe_shapes(*node.op, node.params->data(), in, out, open_zeros);
    for (const Shape& s : out) {
      if (s.known()) check_extents(s, sizeof(double), node.op->name.c_str());
    }
  }
  static bool holds(const GraphValue& value) { return known(value.shape); }
  static std::string shown(const GraphValue& value) { return Shape(value.shape).str(); }
};

struct DTypeRule {
  using Fact = DType;
  static DType of(const GraphValue& value) { return value.dtype; }
  static void set(Graph& graph, ValueId v, DType dtype) { graph.values[v].dtype = dtype; }
  static bool known(DType dtype) { return dtype != DType::unknown; }
  static void ask(const GraphNode& node, Span<DType> in, Span<DType> out, bool) {
    DTypeInfer info(*node.op, in, out);
    node.op->dtype_fn(*node.op, node.params->data(), info);
  }
  static bool holds(const GraphValue& value) { return known(value.dtype); }
  static std::string shown(const GraphValue& value) { return name_of(value.dtype); }
};

// "data (2, 3) -> fc1 (2, 4) -> relu1": from an input to the node, along the first operand that is no weight.
std::string path_to(const Graph& graph, NodeId last, std::string (*shown)(const GraphValue&)) {
  std::vector<std::string> steps;
  NodeId at = last;
  while (true) {
    const GraphNode& node = graph.nodes[at];
    const std::string name = node.name.empty() ? std::string("?") : node.name.str();
    steps.push_back(at == last ? "'" + name + "'" : name + " " + shown(graph.values[node.first_value]));
    NodeId next = kNone;
    for (ValueId v : graph.operands_of(node)) {
      const NodeId producer = graph.values[v].node;
      if (producer == kNone) continue;
      if (next == kNone || (!graph.nodes[next].is_call() && graph.nodes[producer].is_call())) next = producer;
    }
    if (next == kNone) break;
    at = next;
  }
  std::string path;
  for (size_t i = steps.size(); i-- > 0;) {
    if (steps.size() > kShownSteps && i == steps.size() - 3) {
      path += "... -> ";
      i = kShownSteps - 3;
    }
    path += steps[i] + (i > 0 ? " -> " : "");
  }
  return path;
}

template <class Rule>
class Inference {
 public:
  using Fact = typename Rule::Fact;
  explicit Inference(Graph& graph, bool open_zeros = true)
      : graph_(graph), waiting_(graph.nodes.size(), false), open_zeros_(open_zeros) {}

  // Everything once in order, then whatever changed.
  void run() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      running_ = n;
      fetch_ahead(graph_, n);
      ask(n);
    }
    running_ = kNone;
    settle();
  }

  void settle() {
    while (!queue_.empty()) {
      const NodeId n = queue_[next_++];
      if (next_ == queue_.size()) queue_.clear(), next_ = 0;
      waiting_[n] = false;
      ask(n);
    }
  }

  void set(ValueId v, const Fact& fact) {
    Rule::set(graph_, v, fact);
    wake(v, kNone);
  }

 private:
  void ask(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    if (node.kind != GraphNodeKind::forward) return;
    const Span<const ValueId> operands = graph_.operands_of(node);
    in_.resize(operands.size());
    out_.resize(node.num_values);
    for (size_t i = 0; i < operands.size(); ++i) in_[i] = Rule::of(graph_.values[operands[i]]);
    for (uint32_t i = 0; i < node.num_values; ++i) out_[i] = Rule::of(graph_.values[node.first_value + i]);
    try {
      Rule::ask(node, in_, out_, open_zeros_);
    } catch (const Error& error) {
      fail(error.status(), error.message(), "; at node '", node.name,
           "', path from the inputs: ", path_to(graph_, n, &Rule::shown));
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      if (learn(operands[i], in_[i])) wake(operands[i], n);
    }
    for (uint32_t i = 0; i < node.num_values; ++i) {
      // Users come later in running order, so the first walk has yet to reach them.
      if (learn(node.first_value + i, out_[i]) && running_ == kNone) wake(node.first_value + i, n);
    }
  }

  bool learn(ValueId v, const Fact& fact) {
    if (Rule::of(graph_.values[v]) == fact) return false;
    Rule::set(graph_, v, fact);
    return true;
  }

  // Asks the nodes next to a value again; those that the first walk has yet to reach are asked anyway.
  void wake(ValueId v, NodeId from) {
    const NodeId producer = graph_.values[v].node;
    if (producer != kNone) push(producer, from);
    if (users_.first.empty()) users_ = find_users(graph_);
    for (NodeId user : users_.of(v)) push(user, from);
  }
  void push(NodeId n, NodeId from) {
    const bool to_come = running_ != kNone && n > running_;
    if (n == from || to_come || waiting_[n]) return;
    if (graph_.nodes[n].kind != GraphNodeKind::forward) return;
    waiting_[n] = true;
    queue_.push_back(n);
  }

  Graph& graph_;
  ValueUsers users_;  // found when first needed: often shapes only flow forward
  std::vector<bool> waiting_;
  std::vector<NodeId> queue_;  // from next_ on
  size_t next_ = 0;
  std::vector<Fact> in_, out_;
  const bool open_zeros_;
  NodeId running_ = kNone;  // during the first walk
};

// Throws naming the variables whose fact is missing, or the first node whose value stays unknown.
void require_all(const Graph& graph, Status status, const char* what, bool (*holds)(const GraphValue&),
                 std::string (*shown)(const GraphValue&)) {
  std::string missing;
  size_t count = 0;
  const auto note = [&](const std::vector<NodeId>& variables) {
    for (NodeId id : variables) {
      const GraphValue& value = graph.values[graph.nodes[id].first_value];
      if (holds(value) || ++count > kShownSteps) continue;
      missing += (missing.empty() ? "'" : ", '") + graph.nodes[id].name.str() + "' " + shown(value);
    }
  };
  note(graph.arguments);
  note(graph.auxiliaries);
  for (const GraphValue& value : graph.values) {
    if (holds(value) || value.node == kNone) continue;
    const std::string path = path_to(graph, value.node, shown);
    if (missing.empty())
      fail(status, "[infer] the ", what, " of output ", value.index, " of '", graph.nodes[value.node].name,
           "' does not follow from its inputs: ", path);
    fail(status, "[infer] the ", what, "s of ", missing, count > kShownSteps ? ", ..." : "",
         " do not follow from those given; first unknown on the path ", path);
  }
}

}  // namespace

void infer_shapes(Graph& graph, bool partial, bool open_zeros) {
  Inference<ShapeRule>(graph, open_zeros).run();
  if (!partial) require_all(graph, Status::shape, "shape", &ShapeRule::holds, &ShapeRule::shown);
}

void infer_dtypes(Graph& graph, const InferOptions& options) {
  Inference<DTypeRule> inference(graph);
  inference.run();
  const auto suppose_float32 = [&](ValueId v) {
    if (graph.values[v].dtype != DType::unknown) return;
    inference.set(v, DType::float32);
    inference.settle();
  };
  for (const ValueId v : options.float32_if_open) suppose_float32(v);
  for (const auto* variables : {&graph.arguments, &graph.auxiliaries}) {
    for (size_t i = 0; options.default_float32 && i < variables->size(); ++i)
      suppose_float32(graph.nodes[(*variables)[i]].first_value);
  }
  if (!options.partial) require_all(graph, Status::dtype, "dtype", &DTypeRule::holds, &DTypeRule::shown);
}

Graph infer(Graph graph, const InferOptions& options) {
  infer_shapes(graph, options.partial, options.open_zeros);
  infer_dtypes(graph, options);
  return graph;
}

ValueId find_variable(const Graph& graph, const std::string& name) {
  Strings known;
  for (const std::vector<NodeId>* list : {&graph.arguments, &graph.auxiliaries}) {
    for (NodeId id : *list) {
      if (graph.nodes[id].name == name) return graph.nodes[id].first_value;
      known.push_back(graph.nodes[id].name.str());
    }
  }
  fail(Status::not_found, "[symbol] no argument or auxiliary state is called '", name, "'",
       nearest_names(name, known));
}

}  // namespace mixgrad
