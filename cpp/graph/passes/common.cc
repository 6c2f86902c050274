#include "graph/passes/passes.h"
#include "graph/rewrite.h"

namespace mixgrad {
namespace {

bool equal_params(const GraphNode& a, const GraphNode& b) {
  if (a.params == b.params) return true;
  for (const Field& field : a.op->schema->fields) {
    if (field.get(a.params->data()).get().str() != field.get(b.params->data()).get().str()) return false;
  }
  return true;
}

// Whether two calls on the same values give the same values.
bool equal_calls(const Graph& graph, const GraphNode& a, const GraphNode& b) {
  if (a.op != b.op || a.kind != b.kind || a.num_operands != b.num_operands || a.device != b.device)
    return false;
  if (a.training != b.training && (a.op->depends_on_mode || a.kind == GraphNodeKind::backward)) return false;
  const Span<const ValueId> x = graph.operands_of(a), y = graph.operands_of(b);
  for (size_t i = 0; i < x.size(); ++i) {
    const GraphValue &p = graph.values[x[i]], &q = graph.values[y[i]];
    const bool both_absent = p.node == kNone && q.node == kNone && p.shape == q.shape && p.dtype == q.dtype;
    if (x[i] != y[i] && !both_absent) return false;
  }
  return equal_params(a, b);
}

uint64_t mix_hash(uint64_t hash, uint64_t more) {
  hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

uint64_t hash_params(const GraphNode& node) {
  uint64_t hash = 1;
  for (const Field& field : node.op->schema->fields)
    hash = mix_hash(hash, std::hash<std::string>()(field.get(node.params->data()).get().str()));
  return hash;
}

uint64_t hash_operands(const Graph& graph, const GraphNode& node) {
  uint64_t hash = mix_hash(reinterpret_cast<uintptr_t>(node.op), static_cast<uint64_t>(node.kind));
  for (ValueId v : graph.operands_of(node)) hash = mix_hash(hash, graph.values[v].node == kNone ? kNone : v);
  return hash;
}

// Nodes by hash, in one small array, since a large graph waits for little but memory: at most two thirds of the places are
// in use.
class Seen {
 public:
  explicit Seen(size_t nodes) {
    size_t size = 16;
    while (2 * size < 3 * nodes) size *= 2;
    places_.assign(size, {0, kNone});
  }
  // The first node of that hash for which `same` holds, kNone when there is none; then `fresh` takes its place.
  template <class Same>
  NodeId find(uint64_t whole_hash, NodeId fresh, const Same& same) {
    if (3 * (count_ + 1) > 2 * places_.size()) grow();
    const uint32_t hash = static_cast<uint32_t>(whole_hash >> 32);
    const size_t mask = places_.size() - 1;
    size_t at = hash & mask;
    for (; places_[at].node != kNone; at = (at + 1) & mask) {
      if (places_[at].hash == hash && same(places_[at].node)) return places_[at].node;
    }
    places_[at] = {hash, fresh};
    ++count_;
    return kNone;
  }

 private:
  struct Place {
    uint32_t hash;
    NodeId node;
  };

  void grow() {
    std::vector<Place> old(2 * places_.size(), {0, kNone});
    old.swap(places_);
    const size_t mask = places_.size() - 1;
    for (const Place& place : old) {
      if (place.node == kNone) continue;
      size_t at = place.hash & mask;
      while (places_[at].node != kNone) at = (at + 1) & mask;
      places_[at] = place;
    }
  }

  std::vector<Place> places_;
  size_t count_ = 0;
};

// Looks for the node among those before it. Reading parameters costs more than all else, and most calls are the only ones
// of their operator on their operands; so parameters are part of the hash only of the others, of which there may be many
// (slices of one value).
class Calls {
 public:
  explicit Calls(const Graph& graph) : graph_(graph), seen_(graph.nodes.size()) {}

  NodeId find(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const uint64_t hash = hash_operands(graph_, node);
    const NodeId first = seen_.find(hash, n, [&](NodeId other) { return same_operands(other, n); });
    if (first == kNone || equal_calls(graph_, graph_.nodes[first], node)) return first;
    return seen_.find(mix_hash(hash, hash_params(node)), n,
                      [&](NodeId other) { return equal_calls(graph_, graph_.nodes[other], node); });
  }

 private:
  bool same_operands(NodeId a, NodeId b) const {
    const GraphNode &x = graph_.nodes[a], &y = graph_.nodes[b];
    return x.op == y.op && x.kind == y.kind && hash_operands(graph_, x) == hash_operands(graph_, y);
  }

  const Graph& graph_;
  Seen seen_;
};

}  // namespace

Graph merge_common(Graph graph, int64_t constant_bytes) {
  const std::vector<bool> mutated = mutated_values(graph);
  std::vector<bool> own(graph.values.size(), false);
  for (ValueId v : graph.gradients) {
    if (v != kNone) own[v] = true;
  }
  const auto mergeable = [&](const GraphNode& node) {
    if (!node.is_call() || node.op->needs_random) return false;
    for (ValueId v : graph.operands_of(node)) {
      if (mutated[v]) return false;
    }
    for (uint32_t i = 0; i < node.num_values; ++i) {
      if (own[node.first_value + i] || mutated[node.first_value + i]) return false;
    }
    // A large value made from nothing costs more to keep than to make.
    return node.num_operands > 0 || graph.values[node.first_value].bytes() <= constant_bytes;
  };
  Replacements made_before(graph);
  Calls calls(graph);
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    made_before.apply(n);
    const GraphNode& node = graph.nodes[n];
    if (!mergeable(node)) continue;
    const NodeId same = calls.find(n);
    if (same == kNone) continue;
    // This one stays without users; prune takes it.
    const GraphNode& first = graph.nodes[same];
    for (uint32_t i = 0; i < node.num_values; ++i) {
      const ValueId kept = first.first_value + i, again = node.first_value + i;
      if (!graph.values[again].absent && graph.values[kept].absent)
        continue;  // the first call does not make it
      made_before.set(again, kept);
    }
  }
  made_before.finish();
  return graph;
}

namespace {

Graph run_common_pass(Graph graph, const PassOptions& options) {
  return merge_common(std::move(graph), options.constant_bytes);
}
const bool kCommonRegistered = register_pass(Pass::common, run_common_pass);

}  // namespace
}  // namespace mixgrad
