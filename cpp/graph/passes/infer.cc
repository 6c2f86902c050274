#include "graph/passes/infer.h"

#include "base/error.h"
#include "base/nearest.h"
#include "graph/passes/probe.h"

namespace mixgrad {
namespace {

constexpr size_t kShownSteps = 8;  // of a path in a message

// What is inferred.
enum class Fact { shape, dtype };

bool is_known(const GraphValue& value, Fact fact) {
  return fact == Fact::shape ? value.shape.known() : value.dtype != DType::unknown;
}
std::string shown(const GraphValue& value, Fact fact) {
  return fact == Fact::shape ? value.shape.str() : name_of(value.dtype);
}

// "data (2, 3) -> fc1 (2, 4) -> relu1": from an input to the node, along the first operand that is no weight.
std::string path_to(const Graph& graph, NodeId last, Fact fact) {
  std::vector<std::string> steps;
  NodeId at = last;
  while (true) {
    const GraphNode& node = graph.nodes[at];
    const std::string name = node.name.empty() ? std::string("?") : node.name.str();
    steps.push_back(at == last ? "'" + name + "'" : name + " " + shown(graph.values[node.first_value], fact));
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

class Inference {
 public:
  Inference(Graph& graph, Fact fact, bool open_zeros)
      : graph_(graph), fact_(fact), waiting_(graph.nodes.size(), false), open_zeros_(open_zeros) {}

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
    for (size_t next = 0; next < queue_.size(); ++next) {
      const NodeId n = queue_[next];
      waiting_[n] = false;
      ask(n);
    }
    queue_.clear();
  }

  void set_dtype(ValueId v, DType dtype) {
    graph_.values[v].dtype = dtype;
    wake(v, kNone);
  }

 private:
  void ask(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    if (node.kind != GraphNodeKind::forward) return;
    // The operands, then what it makes.
    places_.clear();
    for (ValueId v : graph_.operands_of(node)) places_.push_back(v);
    for (uint32_t i = 0; i < node.num_values; ++i) places_.push_back(node.first_value + i);
    try {
      fact_ == Fact::shape ? ask_shapes(node) : ask_dtypes(node);
    } catch (const Error& error) {
      fail(error.status(), error.message(), "; at node '", node.name,
           "', path from the inputs: ", path_to(graph_, n, fact_));
    }
    for (size_t i = 0; i < places_.size(); ++i) {
      // Users come later in running order, so the first walk has yet to reach them.
      if (learn(i) && (i < node.num_operands || running_ == kNone)) wake(places_[i], n);
    }
  }

  void ask_shapes(const GraphNode& node) {
    shapes_.resize(places_.size());
    for (size_t i = 0; i < places_.size(); ++i) shapes_[i] = graph_.values[places_[i]].shape;
    const Span<Shape> in(shapes_.data(), node.num_operands),
        out(shapes_.data() + node.num_operands, node.num_values);
    ShapeInfer info(*node.op, in, out, open_zeros_);
    node.op->shape_fn(*node.op, node.params->data(), info);
    probe_shapes(*node.op, node.params->data(), in, out, open_zeros_);
    for (const Shape& s : out) {
      if (s.known()) check_extents(s, sizeof(double), node.op->name.c_str());
    }
  }

  void ask_dtypes(const GraphNode& node) {
    dtypes_.resize(places_.size());
    for (size_t i = 0; i < places_.size(); ++i) dtypes_[i] = graph_.values[places_[i]].dtype;
    DTypeInfer info(*node.op, Span<DType>(dtypes_.data(), node.num_operands),
                    Span<DType>(dtypes_.data() + node.num_operands, node.num_values));
    node.op->dtype_fn(*node.op, node.params->data(), info);
  }

  // Whether the answer about that place is news.
  bool learn(size_t i) {
    GraphValue& value = graph_.values[places_[i]];
    if (fact_ == Fact::shape) {
      if (value.shape == shapes_[i]) return false;
      graph_.set_shape(places_[i], shapes_[i]);
    } else {
      if (value.dtype == dtypes_[i]) return false;
      value.dtype = dtypes_[i];
    }
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
  const Fact fact_;
  ValueUsers users_;  // found when first needed: often shapes only flow forward
  std::vector<bool> waiting_;
  std::vector<NodeId> queue_;
  // Of the node that is asked.
  std::vector<ValueId> places_;
  std::vector<Shape> shapes_;
  std::vector<DType> dtypes_;
  const bool open_zeros_;
  NodeId running_ = kNone;  // during the first walk
};

// Throws naming the variables whose fact is missing, or the first node whose value stays unknown.
void require_all(const Graph& graph, Fact fact) {
  const Status status = fact == Fact::shape ? Status::shape : Status::dtype;
  const char* const what = fact == Fact::shape ? "shape" : "dtype";
  std::string missing;
  size_t count = 0;
  const auto note = [&](const std::vector<NodeId>& variables) {
    for (NodeId id : variables) {
      const GraphValue& value = graph.values[graph.nodes[id].first_value];
      if (is_known(value, fact) || ++count > kShownSteps) continue;
      missing += (missing.empty() ? "'" : ", '") + graph.nodes[id].name.str() + "' " + shown(value, fact);
    }
  };
  note(graph.arguments);
  note(graph.auxiliaries);
  for (const GraphValue& value : graph.values) {
    if (is_known(value, fact) || value.node == kNone) continue;
    const std::string path = path_to(graph, value.node, fact);
    if (missing.empty())
      fail(status, "[infer] the ", what, " of output ", value.index, " of '", graph.nodes[value.node].name,
           "' does not follow from its inputs: ", path);
    fail(status, "[infer] the ", what, "s of ", missing, count > kShownSteps ? ", ..." : "",
         " do not follow from those given; first unknown on the path ", path);
  }
}

}  // namespace

void infer_shapes(Graph& graph, bool partial, bool open_zeros) {
  Inference(graph, Fact::shape, open_zeros).run();
  if (!partial) require_all(graph, Fact::shape);
}

void infer_dtypes(Graph& graph, const InferOptions& options) {
  Inference inference(graph, Fact::dtype, true);
  inference.run();
  const auto suppose_float32 = [&](ValueId v) {
    if (graph.values[v].dtype != DType::unknown) return;
    inference.set_dtype(v, DType::float32);
    inference.settle();
  };
  for (const ValueId v : options.float32_if_open) suppose_float32(v);
  for (const auto* variables : {&graph.arguments, &graph.auxiliaries}) {
    for (size_t i = 0; options.default_float32 && i < variables->size(); ++i)
      suppose_float32(graph.nodes[(*variables)[i]].first_value);
  }
  if (!options.partial) require_all(graph, Fact::dtype);
}

Graph infer(Graph graph, const InferOptions& options) {
  if (!options.shape_if_open.empty()) infer_shapes(graph, true, options.open_zeros);
  for (const auto& [v, shape] : options.shape_if_open) {
    if (!graph.values[v].shape.known()) graph.set_shape(v, shape);
  }
  infer_shapes(graph, options.partial, options.open_zeros);
  infer_dtypes(graph, options);
  return graph;
}

ValueId find_variable(const Graph& graph, const std::string& name) {
  Strings known;
  for (const std::vector<NodeId>* list : {&graph.arguments, &graph.auxiliaries}) {
    for (NodeId id : *list) {
      if (graph.nodes[id].name == name) return graph.nodes[id].first_value;
      if (kTexts) known.push_back(graph.nodes[id].name.str());
    }
  }
  fail(Status::not_found, "[symbol] no argument or auxiliary state is called '", name, "'",
       nearest_names(name, known));
}

}  // namespace mixgrad
