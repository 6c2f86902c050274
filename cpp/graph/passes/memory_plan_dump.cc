// The memory plan for people, and the check that it is sound.
#include <map>
#include <string>

#include "base/error.h"
#include "graph/passes/memory_plan.h"

namespace mixgrad {
namespace {

std::string planned_name(const Graph& graph, ValueId v) {
  const GraphValue& value = graph.values[v];
  if (value.node == kNone) return text("%", v);
  const GraphNode& node = graph.nodes[value.node];
  return node.num_values == 1 ? node.name.str() : text(node.name, ":", value.index);
}

struct Life {
  NodeId made = 0, last = 0;
};

std::vector<Life> lives(const Graph& graph) {
  std::vector<Life> out(graph.values.size());
  for (NodeId n = 0; n < graph.nodes.size(); ++n) {
    const GraphNode& node = graph.nodes[n];
    for (ValueId v : graph.operands_of(node)) out[v].last = n;
    for (uint32_t i = 0; i < node.num_values; ++i) out[node.first_value + i] = {n, n};
  }
  return out;
}

// A node whose first value lies in the memory of one of its operands.
bool may_lie_over(const Graph& graph, ValueId v) {
  const GraphValue& value = graph.values[v];
  const GraphNode& node = graph.nodes[value.node];
  return value.index == 0 && node.is_call() &&
         (node.kind == GraphNodeKind::forward ? node.op->inplace : node.op->grad_inplace);
}

}  // namespace

std::string dump(const MemoryPlan& plan, const Graph& graph) {
  std::vector<std::string> names(plan.buffers.size());
  for (ValueId v = 0; v < plan.buffer_of.size(); ++v) {
    const uint32_t b = plan.buffer_of[v];
    if (b == kNone) continue;
    names[b] += (names[b].empty() ? "" : " ") + planned_name(graph, v) + " " + graph.values[v].shape.str();
  }
  std::string out;
  for (uint32_t a = 0; a < plan.arenas.size(); ++a) {
    const MemoryPlan::Arena& arena = plan.arenas[a];
    out += text("arena ", arena.device.name(), ": ", arena.bytes, " bytes, at least ", arena.live_bytes,
                " are alive at once, ", arena.value_bytes, " without sharing\n");
    std::multimap<int64_t, uint32_t> by_offset;
    for (uint32_t b = 0; b < plan.buffers.size(); ++b) {
      if (plan.buffers[b].arena == a) by_offset.emplace(plan.buffers[b].offset, b);
    }
    for (const auto& [offset, b] : by_offset) {
      const MemoryPlan::Buffer& buffer = plan.buffers[b];
      out += text("  [", offset, ", ", offset + buffer.bytes, ") nodes ", buffer.first, " to ", buffer.last,
                  ": ", names[b], '\n');
    }
  }
  return out;
}

namespace {

// Values that lie in one place, in the order they are made: each is read for the last time before the next is made, or by the
// node that makes it and may write over it, or all from there on have the same elements.
void check_members(const Graph& graph, const std::vector<Life>& life, const std::vector<ValueId>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const ValueId earlier = values[j], later = values[i];
      if (life[earlier].last < life[later].made) continue;
      if (life[earlier].last == life[later].made && may_lie_over(graph, later)) continue;
      bool views = true;
      for (size_t k = j + 1; k <= i; ++k) {
        const GraphNode& maker = graph.nodes[graph.values[values[k]].node];
        views &= maker.kind == GraphNodeKind::forward && maker.op->same_elements;
      }
      if (!views)
        fail(Status::internal, "[memory plan] '", planned_name(graph, later), "' overwrites '",
             planned_name(graph, earlier), "', which is needed later");
    }
  }
}

}  // namespace

void check_memory_plan(const MemoryPlan& plan, const Graph& graph) {
  std::vector<Life> life = lives(graph);
  for (ValueId v : graph.heads) life[v].last = static_cast<NodeId>(graph.nodes.size());
  // Values of each buffer, and of each place outside.
  std::vector<std::vector<ValueId>> members(plan.buffers.size()), outside(graph.values.size());
  for (ValueId v = 0; v < graph.values.size(); ++v) {
    const uint32_t b = plan.buffer_of[v];
    if (graph.values[v].absent) continue;
    if (b == kNone && plan.outside[v] == kNone)
      fail(Status::internal, "[memory plan] '", planned_name(graph, v), "' has no memory");
    if (b == kNone) {
      outside[plan.outside[v]].push_back(v);
      continue;
    }
    members[b].push_back(v);
    const MemoryPlan::Buffer& buffer = plan.buffers[b];
    if (buffer.first > life[v].made || buffer.last < life[v].last || buffer.bytes < graph.values[v].bytes())
      fail(Status::internal, "[memory plan] the buffer of '", planned_name(graph, v),
           "' is too short for it");
    if (buffer.offset < 0 || buffer.offset + buffer.bytes > plan.arenas[buffer.arena].bytes)
      fail(Status::internal, "[memory plan] '", planned_name(graph, v), "' lies outside its arena");
  }
  for (const std::vector<ValueId>& values : members) check_members(graph, life, values);
  for (const std::vector<ValueId>& values : outside) check_members(graph, life, values);
  for (size_t i = 0; i < plan.buffers.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const MemoryPlan::Buffer &a = plan.buffers[i], &b = plan.buffers[j];
      const bool together = a.first <= b.last && b.first <= a.last;
      if (a.arena == b.arena && together && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes)
        fail(Status::internal, "[memory plan] two buffers that are alive at once overlap");
    }
  }
}

}  // namespace mixgrad
