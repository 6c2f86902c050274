#include "graph/passes/recompute_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/passes/memory_plan.h"

namespace mixgrad {
namespace {

constexpr double kCheap = 1.5;  // nanoseconds per element: normalisation, activations, pooling lie below
constexpr size_t kSteps = 24;   // thresholds between cheap and costly nodes
constexpr double kMostVisits = 4'000'000;  // nodes looked at in one search, about a second
constexpr double kAll = std::numeric_limits<double>::infinity();

}  // namespace

RecomputeChoice::RecomputeChoice(const Graph& graph) {
  const NodeId end = graph.forward_end;
  sketch_ = graph;
  must_keep_.assign(end, false);
  forced_.assign(end, true);
  costs_.assign(end, 0);
  weights_.assign(end, kAll);
  made_.assign(end, 0);
  for (NodeId n = 0; n < end; ++n) {
    const GraphNode& node = graph.nodes[n];
    must_keep_[n] = !node.is_call() || node.op->acts || node.transfer != kNone;
    for (uint32_t i = 0; i < node.num_operands; ++i)
      must_keep_[n] = must_keep_[n] || (node.mutates(i) && !is_normalisation(*node.op));
    if (!node.is_call()) continue;
    if (node.stage) stages_.push_back(n);
    int64_t elements = 1;
    for (const GraphValue& value : graph.values_of(node)) {
      elements += value.shape.size();
      made_[n] += value.absent ? 0 : value.bytes();
    }
    costs_[n] = again_cost(graph, node);
    weights_[n] = costs_[n] / static_cast<double>(elements);
  }
  for (ValueId v : graph.heads) {
    if (graph.values[v].node < end) must_keep_[graph.values[v].node] = true;
  }
  for (NodeId n = 0; n < end; ++n) forced_[n] = must_keep_[n] || !graph.nodes[n].mirrored;
  for (GraphNode& node : sketch_.nodes) {
    node.name = NodeName();
    node.params = nullptr;
  }

  std::vector<double> sorted;
  for (NodeId n = 0; n < end; ++n) {
    if (!must_keep_[n]) sorted.push_back(weights_[n]);
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const size_t stride = sorted.size() / kSteps + 1;
  for (size_t i = 0; i < sorted.size(); i += stride) {
    if (steps_.empty() || sorted[i] > 1.02 * steps_.back()) steps_.push_back(sorted[i]);
  }
  steps_.push_back(kAll);

  // Bytes of values made up to node n and read after it in the forward part.
  last_.assign(graph.values.size(), 0);
  for (NodeId n = 0; n < end; ++n) {
    for (ValueId v : graph.operands_of(graph.nodes[n])) last_[v] = n;
  }
  std::vector<int64_t> change(size_t{end} + 1, 0);
  for (NodeId n = 0; n < end; ++n) {
    const GraphNode& node = graph.nodes[n];
    for (uint32_t i = 0; node.is_call() && i < node.num_values; ++i) {
      const ValueId v = node.first_value + i;
      if (last_[v] <= n || graph.values[v].absent) continue;
      change[n] += graph.values[v].bytes();
      change[last_[v]] -= graph.values[v].bytes();
    }
  }
  int64_t now = 0;
  for (NodeId n = 0; n < end; ++n) crossing_.push_back(now += change[n]);
}

RecomputeChoice::Plan RecomputeChoice::try_out(Kept kept) {
  Plan plan;
  Recomputed made = write_recomputed(sketch_, kept, costs_, std::move(room_));
  plan.kept = std::move(kept);
  plan.bytes = plan_memory(made.graph, {true, false}).live_bytes();
  plan.cost = made.cost;
  room_ = std::move(made.graph);
  return plan;
}

void RecomputeChoice::add_border(NodeId border, Kept& kept) const {
  for (NodeId n = 0; n <= border; ++n) {
    const GraphNode& node = sketch_.nodes[n];
    for (uint32_t i = 0; i < node.num_values; ++i) kept[n] = kept[n] || last_[node.first_value + i] > border;
  }
}

Kept RecomputeChoice::segments(int count, double heavy) const {
  Kept kept = must_keep_;
  const NodeId end = static_cast<NodeId>(kept.size());
  int64_t total = 0;
  for (NodeId n = 0; n < end; ++n) {
    kept[n] = kept[n] || (weights_[n] > heavy && forced_[n]);
    total += made_[n];
  }
  int64_t made = 0;
  int border = 1;
  NodeId from = 0;
  for (NodeId n = 0; n < end && border < count; ++n) {
    made += made_[n];
    if (made < total / count * border) continue;
    // Of the nodes around, the border that the fewest bytes cross; of stages that the user named, the next.
    NodeId best = n;
    if (!stages_.empty()) {
      const auto stage = std::lower_bound(stages_.begin(), stages_.end(), std::max(from, n));
      if (stage == stages_.end()) break;
      best = *stage;
    } else {
      const NodeId reach = std::max<NodeId>(2, end / static_cast<NodeId>(2 * count));
      for (NodeId at = std::max(from, n > reach ? n - reach : 0); at < std::min(end, n + reach); ++at) {
        if (crossing_[at] < crossing_[best]) best = at;
      }
    }
    add_border(best, kept);
    from = best + 1;
    ++border;
  }
  return kept;
}

// The number of plans that may be compared: fewer of graphs that take long to plan.
size_t RecomputeChoice::tries() const {
  return static_cast<size_t>(std::max(24.0, kMostVisits / static_cast<double>(sketch_.nodes.size() * 5)));
}

std::vector<int> RecomputeChoice::counts(size_t at_most) const {
  const size_t most = std::min<size_t>(64, must_keep_.size() / 4 + 1);
  std::vector<int> found;
  for (double growth = 1.06; found.empty() || found.size() > at_most; growth *= 1.2) {
    found.clear();
    for (double count = 1; count <= static_cast<double>(most);
         count = std::max(count + 1, std::floor(count * growth)))
      found.push_back(static_cast<int>(count));
    if (growth > 100) break;
  }
  return found;
}

std::vector<double> RecomputeChoice::steps(size_t at_most) const {
  std::vector<double> found;
  const size_t stride = (steps_.size() + at_most - 1) / at_most;
  for (size_t i = steps_.size(); i > 0; i -= std::min(i, stride)) found.push_back(steps_[i - 1]);
  return found;
}

Kept RecomputeChoice::cheap() {
  Plan best = try_out(forced_);
  for (const int count : counts(tries())) {
    Plan plan = try_out(segments(count, kCheap));
    if (plan.bytes < best.bytes) best = std::move(plan);
  }
  return std::move(best.kept);
}

Kept RecomputeChoice::least() { return within(0); }

Kept RecomputeChoice::within(int64_t bytes) {
  Plan best = try_out(forced_);
  if (best.bytes <= bytes) return std::move(best.kept);
  const size_t side = std::max<size_t>(4, static_cast<size_t>(std::sqrt(static_cast<double>(tries()))));
  const std::vector<double> thresholds = steps(side);
  for (const int count : counts(side)) {
    for (const double heavy : thresholds) {
      Plan plan = try_out(segments(count, heavy));
      const bool fits = plan.bytes <= bytes, best_fits = best.bytes <= bytes;
      if (fits && best_fits ? plan.cost < best.cost : fits || (!best_fits && plan.bytes < best.bytes))
        best = std::move(plan);
    }
  }
  if (best.bytes <= bytes) refine(best, bytes);
  return std::move(best.kept);
}

void RecomputeChoice::refine(Plan& plan, int64_t bytes) {
  std::vector<NodeId> again;
  for (NodeId n = 0; n < plan.kept.size(); ++n) {
    if (!plan.kept[n] && forced_[n] && made_[n] > 0) again.push_back(n);
  }
  const auto keep = [&](Span<const NodeId> nodes) {
    Kept kept = plan.kept;
    for (NodeId n : nodes) kept[n] = true;
    Plan more = try_out(std::move(kept));
    if (more.bytes > bytes || more.cost >= plan.cost) return false;
    plan = std::move(more);
    return true;
  };
  // As many of the costliest per byte as fit; then single ones, the costliest first.
  std::stable_sort(again.begin(), again.end(), [&](NodeId a, NodeId b) {
    return costs_[a] * static_cast<double>(made_[b]) > costs_[b] * static_cast<double>(made_[a]);
  });
  size_t low = 0, high = again.size();
  while (low < high) {
    const size_t middle = (low + high + 1) / 2;
    if (keep(Span<const NodeId>(again.data() + low, middle - low)))
      low = middle;
    else
      high = middle - 1;
  }
  const size_t most = std::min<size_t>(tries(), 40);
  std::vector<NodeId> rest(again.begin() + static_cast<std::ptrdiff_t>(low), again.end());
  std::stable_sort(rest.begin(), rest.end(), [&](NodeId a, NodeId b) { return costs_[a] > costs_[b]; });
  if (rest.size() > most) rest.resize(most);
  for (const NodeId n : rest) keep(Span<const NodeId>(&n, 1));
}

}  // namespace mixgrad
