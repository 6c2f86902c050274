#include "graph/passes/memory_plan.h"

#include <map>

#include "base/error.h"
#include "graph/passes/arena_layout.h"

namespace mixgrad {
namespace {

constexpr int64_t kLine = 64;  // every value starts on a cache line

int64_t whole_lines(int64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

class Planner {
 public:
  Planner(const Graph& graph, const MemoryPlanOptions& options)
      : graph_(graph), options_(options), mutated_(mutated_values(graph)) {
    const size_t n = graph.values.size();
    plan_.buffer_of.assign(n, kNone);
    plan_.outside.assign(n, kNone);
    last_use_.assign(n, 0);
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
      const GraphNode& node = graph.nodes[id];
      for (ValueId v : graph.operands_of(node)) last_use_[v] = id;
      const bool given = !node.is_call();
      for (uint32_t i = 0; i < node.num_values; ++i) {
        const ValueId v = node.first_value + i;
        last_use_[v] = id;
        if (given && !graph.values[v].absent) plan_.outside[v] = v;
      }
    }
    for (ValueId v : graph.heads) plan_.outside[v] = v;
    for (ValueId v : graph.gradients) {
      if (v != kNone) plan_.outside[v] = v;
    }
  }

  MemoryPlan run() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      for (uint32_t i = 0; i < node.num_values; ++i) {
        const ValueId v = node.first_value + i;
        if (graph_.values[v].absent || plan_.outside[v] != kNone) continue;
        if (i == 0 && options_.inplace && (share_elements(n, v) || take_operand(n, v))) continue;
        new_buffer(n, v);
      }
    }
    lay_out_arenas();
    return std::move(plan_);
  }

 private:
  using Buffer = MemoryPlan::Buffer;

  bool same_size(ValueId a, ValueId b) const {
    const GraphValue &x = graph_.values[a], &y = graph_.values[b];
    return x.bytes() == y.bytes() && size_of(x.dtype) == size_of(y.dtype);
  }

  // A view of operand 0: nobody may write either of them afterwards.
  bool share_elements(NodeId n, ValueId v) {
    const GraphNode& node = graph_.nodes[n];
    if (node.kind != GraphNodeKind::forward || !node.op->same_elements || node.num_operands == 0)
      return false;
    const ValueId of = graph_.operands_of(node)[0];
    if (mutated_[v] || mutated_[of] || graph_.values[of].dtype != graph_.values[v].dtype || !same_size(of, v))
      return false;
    if (plan_.outside[of] != kNone) {
      // What the caller holds may be changed between the two parts of a run, by the caller.
      const NodeId maker = graph_.values[of].node;
      if (maker == kNone || graph_.nodes[maker].device != node.device) return false;
      if (graph_.nodes[maker].role == VariableRole::gradient) return false;
      plan_.outside[v] = plan_.outside[of];
      return true;
    }
    if (plan_.buffer_of[of] == kNone) return false;
    return join(v, plan_.buffer_of[of], node);
  }

  // The memory of an operand that no later node reads.
  bool take_operand(NodeId n, ValueId v) {
    const GraphNode& node = graph_.nodes[n];
    if (node.kind == GraphNodeKind::forward ? !node.op->inplace : !node.op->grad_inplace) return false;
    const Span<const ValueId> operands = graph_.operands_of(node);
    for (uint32_t i = 0; i < operands.size(); ++i) {
      const ValueId of = operands[i];
      const uint32_t b = plan_.buffer_of[of];
      if (b == kNone || plan_.buffers[b].last != n || node.mutates(i) || !same_size(of, v)) continue;
      if (join(v, b, node)) return true;
    }
    return false;
  }

  bool join(ValueId v, uint32_t b, const GraphNode& node) {
    Buffer& buffer = plan_.buffers[b];
    if (plan_.arenas[buffer.arena].device != node.device) return false;
    plan_.buffer_of[v] = b;
    buffer.last = std::max(buffer.last, last_use_[v]);
    return true;
  }

  void new_buffer(NodeId n, ValueId v) {
    Buffer buffer;
    buffer.arena = arena_of(graph_.nodes[n].device);
    buffer.first = n;
    buffer.last = last_use_[v];
    buffer.bytes = whole_lines(graph_.values[v].bytes());
    plan_.buffer_of[v] = static_cast<uint32_t>(plan_.buffers.size());
    plan_.buffers.push_back(buffer);
  }

  uint32_t arena_of(Device device) {
    const auto [at, fresh] = arena_numbers_.emplace(device, static_cast<uint32_t>(plan_.arenas.size()));
    if (fresh) {
      plan_.arenas.emplace_back();
      plan_.arenas.back().device = device;
    }
    return at->second;
  }

  void lay_out_arenas() {
    for (uint32_t a = 0; a < plan_.arenas.size(); ++a) {
      MemoryPlan::Arena& arena = plan_.arenas[a];
      std::vector<ArenaBlock> blocks;
      std::vector<uint32_t> numbers;
      for (uint32_t b = 0; b < plan_.buffers.size(); ++b) {
        const Buffer& buffer = plan_.buffers[b];
        if (buffer.arena != a) continue;
        blocks.push_back({buffer.first, buffer.last, buffer.bytes, arena.value_bytes});
        numbers.push_back(b);
        arena.value_bytes += buffer.bytes;
      }
      arena.live_bytes = live_peak(blocks);
      arena.bytes = options_.co_share ? lay_out(blocks) : arena.value_bytes;
      for (size_t i = 0; i < blocks.size(); ++i) plan_.buffers[numbers[i]].offset = blocks[i].offset;
    }
  }

  const Graph& graph_;
  const MemoryPlanOptions options_;
  const std::vector<bool> mutated_;
  std::vector<NodeId> last_use_;
  std::map<Device, uint32_t> arena_numbers_;
  MemoryPlan plan_;
};

}  // namespace

MemoryPlanOptions memory_plan_options(const std::string& setting) {
  if (setting == "naive") return {false, false};
  if (setting == "inplace") return {true, false};
  if (setting == "co-share") return {false, true};
  if (setting == "both") return {true, true};
  fail(Status::invalid_argument, "[memory plan] setting '", setting,
       "'; expected naive, inplace, co-share or both");
}

int64_t MemoryPlan::bytes() const {
  int64_t sum = 0;
  for (const Arena& arena : arenas) sum += arena.bytes;
  return sum;
}

int64_t MemoryPlan::live_bytes() const {
  int64_t sum = 0;
  for (const Arena& arena : arenas) sum += arena.live_bytes;
  return sum;
}

MemoryPlan plan_memory(const Graph& graph, const MemoryPlanOptions& options) {
  for (const GraphValue& value : graph.values) {
    if (value.shape.known() && value.dtype != DType::unknown) continue;
    fail(Status::shape, "[memory plan] shape ", value.shape, " or dtype of a value",
         value.node == kNone ? "" : " of '" + graph.nodes[value.node].name + "'",
         " is not known; infer first");
  }
  return Planner(graph, options).run();
}

}  // namespace mixgrad
