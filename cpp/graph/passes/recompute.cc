#include "graph/passes/recompute.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <mutex>

#include "base/error.h"
#include "base/fork_mutex.h"
#include "graph/passes/memory_plan.h"
#include "graph/rewrite.h"

namespace mixgrad {
namespace {

using Kept = std::vector<bool>;  // by forward node

// Where to draw the line between cheap and costly nodes, in nanoseconds per element made. Normalisation and activations lie
// below the first; convolutions over few channels, whose outputs are large, in between; the last keeps nothing for its cost.
constexpr double kHeavy[] = {1.5, 3, 6, 12, 25, 1e30};

// Nanoseconds of a forward call, roughly.
double forward_cost(const Graph& graph, const GraphNode& node) {
  std::vector<Shape> in;
  int64_t elements = 0;
  for (ValueId v : graph.operands_of(node)) {
    in.push_back(graph.values[v].shape);
    elements += in.back().size();
  }
  if (node.op->cost_fn) return node.op->cost_fn(*node.op, node.params->data(), in);
  for (const GraphValue& value : graph.values_of(node)) elements += value.shape.size();
  return static_cast<double>(elements) * node.op->element_cost;
}

// Copies the backward part with clones of the nodes not kept, each just before its first use.
class Recomputation {
 public:
  Recomputation(const Graph& graph, const Kept& kept) : graph_(graph), kept_(kept), writer_(graph) {
    cloned_.assign(graph.forward_end, false);
  }

  Graph run() {
    for (NodeId n = 0; n < graph_.forward_end; ++n) writer_.copy(n);
    writer_.graph().forward_end = static_cast<NodeId>(writer_.graph().nodes.size());
    for (NodeId n = graph_.forward_end; n < graph_.nodes.size(); ++n) {
      for (ValueId v : graph_.operands_of(graph_.nodes[n])) {
        if (!graph_.values[v].absent && pending(v)) clone_chain(graph_.values[v].node);
      }
      writer_.copy(n);
    }
    return writer_.finish();
  }
  double extra_cost() const { return extra_cost_; }

 private:
  bool pending(ValueId v) const {
    const NodeId maker = graph_.values[v].node;
    return maker != kNone && maker < graph_.forward_end && !kept_[maker] && !cloned_[maker];
  }

  void clone_chain(NodeId last) {
    std::vector<NodeId> stack{last};
    while (!stack.empty()) {
      const NodeId n = stack.back();
      bool ready = true;
      for (ValueId v : graph_.operands_of(graph_.nodes[n])) {
        if (!pending(v)) continue;
        stack.push_back(graph_.values[v].node);
        ready = false;
        break;
      }
      if (!ready) continue;
      if (!cloned_[n]) clone(n);
      stack.pop_back();
    }
  }

  NodeId add(GraphNode node, Span<const ValueId> operands, Span<const GraphValue> like) {
    Graph& to = writer_.graph();
    const NodeId id = to.add(std::move(node), operands, static_cast<uint32_t>(like.size()));
    for (size_t i = 0; i < like.size(); ++i) {
      GraphValue& made = to.values[to.nodes[id].first_value + i];
      made.shape = like[i].shape;
      made.dtype = like[i].dtype;
      made.absent = like[i].absent;
    }
    return id;
  }

  void clone(NodeId n) {
    static const Op& copy = find_op("_copyto");
    const GraphNode& node = graph_.nodes[n];
    std::vector<ValueId> operands;
    const Span<const ValueId> old = graph_.operands_of(node);
    for (uint32_t i = 0; i < old.size(); ++i) {
      ValueId v = writer_.mapped(old[i]);
      if (node.mutates(i)) {  // a state has moved already; the clone moves a copy
        GraphNode keep;
        keep.kind = GraphNodeKind::forward;
        keep.op = &copy;
        keep.params = copy.defaults;
        keep.device = node.device;
        keep.name = node.name + "_state";
        const ValueId from[] = {v};
        v = writer_.graph().nodes[add(std::move(keep), from, {&graph_.values[old[i]], 1})].first_value;
      }
      operands.push_back(v);
    }
    GraphNode again = node;
    again.name += "_again";
    const NodeId id = add(std::move(again), operands, graph_.values_of(node));
    for (uint32_t i = 0; i < node.num_values; ++i)
      writer_.replace(node.first_value + i, writer_.graph().nodes[id].first_value + i);
    cloned_[n] = true;
    extra_cost_ += forward_cost(graph_, node);
  }

  const Graph& graph_;
  const Kept& kept_;
  GraphWriter writer_;
  std::vector<bool> cloned_;
  double extra_cost_ = 0;
};

class Choice {
 public:
  explicit Choice(const Graph& graph) : graph_(graph) {
    static const Op& norm = find_op("BatchNorm");
    const NodeId end = graph.forward_end;
    must_keep_.assign(end, false);
    weight_.assign(end, 0);
    for (NodeId n = 0; n < end; ++n) {
      const GraphNode& node = graph.nodes[n];
      must_keep_[n] = !node.is_call();
      for (uint32_t i = 0; i < node.num_operands; ++i)
        must_keep_[n] = must_keep_[n] || (node.mutates(i) && node.op != &norm);
      if (!node.is_call()) continue;
      int64_t elements = 1;
      for (const GraphValue& value : graph.values_of(node)) elements += value.shape.size();
      weight_[n] = forward_cost(graph, node) / static_cast<double>(elements);
    }
    for (ValueId v : graph.heads) {
      if (graph.values[v].node < end) must_keep_[graph.values[v].node] = true;
    }
    find_crossings();
  }

  Kept keep_all() const { return Kept(graph_.forward_end, true); }
  Kept forced() const {
    Kept kept = keep_all();
    for (NodeId n = 0; n < kept.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      const std::string* value = node.source ? node.source->attributes.find("__force_mirroring__") : nullptr;
      if (!must_keep_[n] && value && (*value == "True" || *value == "true" || *value == "1")) kept[n] = false;
    }
    return kept;
  }

  // Keeps what crosses the borders of `count` pieces of the forward part, and what costs more than `heavy` nanoseconds per
  // element made.
  Kept segments(int count, double heavy) const {
    Kept kept = must_keep_;
    for (NodeId n = 0; n < kept.size(); ++n) kept[n] = kept[n] || weight_[n] > heavy;
    const NodeId end = graph_.forward_end;
    int64_t total = 0;
    for (NodeId n = 0; n < end; ++n) total += made_bytes(n);
    int64_t made = 0;
    int border = 1;
    NodeId from = 0;
    for (NodeId n = 0; n < end && border < count; ++n) {
      made += made_bytes(n);
      if (made < total / count * border) continue;
      // Of the nodes around, the border that the fewest bytes cross.
      const NodeId reach = std::max<NodeId>(2, end / static_cast<NodeId>(2 * count));
      NodeId best = n;
      for (NodeId at = std::max(from, n > reach ? n - reach : 0); at < std::min(end, n + reach); ++at) {
        if (crossing_[at] < crossing_[best]) best = at;
      }
      keep_crossing(best, kept);
      from = best + 1;
      ++border;
    }
    return kept;
  }

 private:
  int64_t made_bytes(NodeId n) const {
    int64_t bytes = 0;
    if (!graph_.nodes[n].is_call()) return 0;
    for (const GraphValue& value : graph_.values_of(graph_.nodes[n]))
      bytes += value.absent ? 0 : value.bytes();
    return bytes;
  }

  // Bytes of values made up to node n and read after it in the forward part.
  void find_crossings() {
    const NodeId end = graph_.forward_end;
    last_.assign(graph_.values.size(), 0);
    for (NodeId n = 0; n < end; ++n) {
      for (ValueId v : graph_.operands_of(graph_.nodes[n])) last_[v] = n;
    }
    std::vector<int64_t> change(end + 1, 0);
    for (NodeId n = 0; n < end; ++n) {
      const GraphNode& node = graph_.nodes[n];
      for (uint32_t i = 0; node.is_call() && i < node.num_values; ++i) {
        const ValueId v = node.first_value + i;
        if (last_[v] <= n) continue;
        change[n] += graph_.values[v].bytes();
        change[last_[v]] -= graph_.values[v].bytes();
      }
    }
    crossing_.assign(end, 0);
    int64_t now = 0;
    for (NodeId n = 0; n < end; ++n) crossing_[n] = now += change[n];
  }

  void keep_crossing(NodeId border, Kept& kept) const {
    for (NodeId n = 0; n <= border; ++n) {
      const GraphNode& node = graph_.nodes[n];
      for (uint32_t i = 0; i < node.num_values; ++i)
        kept[n] = kept[n] || last_[node.first_value + i] > border;
    }
  }

  const Graph& graph_;
  Kept must_keep_;
  std::vector<double> weight_;
  std::vector<NodeId> last_;
  std::vector<int64_t> crossing_;
};

struct Candidate {
  Graph graph;
  int64_t bytes = std::numeric_limits<int64_t>::max();
  double cost = 0;
};

Candidate attempt(const Graph& graph, const Kept& kept) {
  Candidate made;
  Recomputation pass(graph, kept);
  made.graph = pass.run();
  made.cost = pass.extra_cost();
  made.bytes = plan_memory(made.graph, {true, false}).live_bytes();
  return made;
}

RecomputeOptions& default_options() {
  static RecomputeOptions options = [] {
    if (const char* given = std::getenv("MIXGRAD_RECOMPUTE")) return recompute_options(given);
    const char* mirror = std::getenv("MXNET_BACKWARD_DO_MIRROR");
    return recompute_options(mirror && std::string(mirror) == "1" ? "cheap" : "off");
  }();
  return options;
}
ForkMutex& default_mutex() {
  static ForkMutex mutex;
  return mutex;
}

}  // namespace

RecomputeOptions recompute_options(const std::string& setting) {
  using Goal = RecomputeOptions::Goal;
  if (setting == "off") return {Goal::off, 0};
  if (setting == "cheap") return {Goal::cheap, 0};
  if (setting == "least") return {Goal::least, 0};
  char* rest = nullptr;
  const double number = std::strtod(setting.c_str(), &rest);
  const std::string unit = rest;
  const double scale = unit.empty() ? 1 : unit == "KB" ? 1e3 : unit == "MB" ? 1e6 : unit == "GB" ? 1e9 : 0;
  if (rest == setting.c_str() || scale == 0 || !(number > 0) || number * scale > 1e18) {
    fail(Status::invalid_argument, "[recompute] setting '", setting,
         "'; expected off, cheap, least, or a budget such as 500MB or 2GB");
  }
  return {Goal::budget, static_cast<int64_t>(number * scale)};
}

RecomputeOptions default_recompute() {
  const std::lock_guard<ForkMutex> lock(default_mutex());
  return default_options();
}

void set_default_recompute(const std::string& setting) {
  const std::lock_guard<ForkMutex> lock(default_mutex());
  default_options() = recompute_options(setting);
}

Graph recompute(const Graph& graph, const RecomputeOptions& options) {
  using Goal = RecomputeOptions::Goal;
  if (graph.forward_end == graph.nodes.size()) return graph;  // predictions keep nothing anyway
  const Choice choice(graph);
  const Kept forced = choice.forced();
  if (options.goal == Goal::off) {
    const bool any = std::find(forced.begin(), forced.end(), false) != forced.end();
    return any ? Recomputation(graph, forced).run() : graph;
  }
  Candidate best = attempt(graph, forced);
  if (options.goal == Goal::budget && best.bytes <= options.bytes) return std::move(best.graph);
  const auto better = [&](const Candidate& c) {
    const bool fits = c.bytes <= options.bytes, best_fits = best.bytes <= options.bytes;
    if (options.goal != Goal::budget || !(fits || best_fits)) return c.bytes < best.bytes;
    return fits && (!best_fits || c.cost < best.cost);
  };
  const int most = std::min<int>(64, static_cast<int>(graph.forward_end / 4) + 1);
  for (const double heavy : kHeavy) {
    if (heavy > kHeavy[0] && options.goal == Goal::cheap) break;
    for (int count = 1; count <= most; count = count < 4 ? count + 1 : count * 3 / 2) {
      Candidate candidate = attempt(graph, choice.segments(count, heavy));
      if (better(candidate)) best = std::move(candidate);
    }
  }
  return std::move(best.graph);
}

}  // namespace mixgrad
