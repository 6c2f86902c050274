#include <unordered_map>

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

// Many calls on one value may differ in their parameters only (slices), so these are part of the hash.
using ParamHashes = std::unordered_map<const ParamsBox*, uint64_t>;

uint64_t hash_params(const GraphNode& node, ParamHashes& known) {
  const auto [place, fresh] = known.emplace(node.params.get(), 1);
  if (!fresh) return place->second;
  uint64_t& hash = place->second;
  for (const Field& field : node.op->schema->fields)
    hash = mix_hash(hash, std::hash<std::string>()(field.get(node.params->data()).get().str()));
  return hash;
}

uint64_t hash_call(const Graph& graph, const GraphNode& node, ParamHashes& known) {
  uint64_t hash = mix_hash(reinterpret_cast<uintptr_t>(node.op), static_cast<uint64_t>(node.kind));
  hash = mix_hash(hash, hash_params(node, known));
  for (ValueId v : graph.operands_of(node)) hash = mix_hash(hash, graph.values[v].node == kNone ? kNone : v);
  return hash;
}

}  // namespace

Graph merge_common(const Graph& graph, int64_t constant_bytes) {
  const std::vector<bool> mutated = mutated_values(graph);
  std::vector<bool> own(graph.values.size(), false);
  for (ValueId v : graph.gradients) {
    if (v != kNone) own[v] = true;
  }
  GraphWriter writer(graph);
  std::unordered_multimap<uint64_t, NodeId> seen;  // nodes of the new graph
  ParamHashes param_hashes;
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
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    const GraphNode& old = graph.nodes[n];
    const NodeId id = writer.copy(n);
    if (!mergeable(old)) continue;
    Graph& to = writer.graph();
    const uint64_t hash = hash_call(to, to.nodes[id], param_hashes);
    const auto range = seen.equal_range(hash);
    auto same = range.first;
    while (same != range.second && !equal_calls(to, to.nodes[same->second], to.nodes[id])) ++same;
    if (same == range.second) {
      seen.emplace(hash, id);
      continue;
    }
    // The copy just written stays without users; prune takes it.
    const GraphNode& first = to.nodes[same->second];
    for (uint32_t i = 0; i < old.num_values; ++i) {
      GraphValue& kept = to.values[first.first_value + i];
      const bool wanted = !graph.values[old.first_value + i].absent;
      if (wanted && kept.absent) continue;  // the first call does not make it
      writer.replace(old.first_value + i, first.first_value + i);
    }
  }
  return writer.finish();
}

}  // namespace mixgrad
