#include "graph/passes/memory_plan.h"

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
    before_.assign(n, kNone);
    is_head_.assign(n, false);
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
    for (ValueId v : graph.heads) {
      plan_.outside[v] = v;
      is_head_[v] = true;
    }
    for (ValueId v : graph.gradients) {
      if (v != kNone) plan_.outside[v] = v;
    }
  }

  MemoryPlan run() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      for (uint32_t i = 0; i < node.num_values; ++i) {
        const ValueId v = node.first_value + i;
        if (graph_.values[v].absent) continue;
        if (plan_.outside[v] != kNone) {
          if (i == 0 && options_.inplace && is_head_[v] && n < graph_.forward_end) give_memory(n, v);
          continue;
        }
        if (i == 0 && options_.inplace && (share_elements(n, v) || take_operand(n, v))) continue;
        new_buffer(n, v);
      }
    }
    drop_empty_buffers();
    lay_out_arenas();
    return std::move(plan_);
  }

 private:
  using Buffer = MemoryPlan::Buffer;

  bool same_size(ValueId a, ValueId b) const {
    const GraphValue &x = graph_.values[a], &y = graph_.values[b];
    return x.bytes() == y.bytes() && size_of(x.dtype) == size_of(y.dtype);
  }

  // Operand 0 of a call that gives its elements back under another shape, if nobody writes either of them; else kNone.
  ValueId viewed(const GraphNode& node, ValueId v) const {
    if (node.kind != GraphNodeKind::forward || !node.op->same_elements || node.num_operands == 0)
      return kNone;
    const ValueId of = graph_.operands_of(node)[0];
    const bool same = graph_.values[of].dtype == graph_.values[v].dtype && same_size(of, v);
    return same && !mutated_[v] && !mutated_[of] ? of : kNone;
  }

  bool share_elements(NodeId n, ValueId v) {
    const GraphNode& node = graph_.nodes[n];
    const ValueId of = viewed(node, v);
    if (of == kNone) return false;
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

  // An operand of the node whose memory no later node reads and the node's first value may take; else kNone.
  ValueId replaceable(NodeId n, ValueId v) const {
    const GraphNode& node = graph_.nodes[n];
    if (node.kind == GraphNodeKind::forward ? !node.op->inplace : !node.op->grad_inplace) return kNone;
    const Span<const ValueId> operands = graph_.operands_of(node);
    for (uint32_t i = 0; i < operands.size(); ++i) {
      const uint32_t b = plan_.buffer_of[operands[i]];
      if (b == kNone || plan_.buffers[b].last != n || node.mutates(i) || !same_size(operands[i], v)) continue;
      if (plan_.arenas[plan_.buffers[b].arena].device == node.device) return operands[i];
    }
    return kNone;
  }

  bool take_operand(NodeId n, ValueId v) {
    const ValueId of = replaceable(n, v);
    return of != kNone && join(v, plan_.buffer_of[of], graph_.nodes[n]);
  }

  bool join(ValueId v, uint32_t b, const GraphNode& node) {
    Buffer& buffer = plan_.buffers[b];
    if (plan_.arenas[buffer.arena].device != node.device) return false;
    plan_.buffer_of[v] = b;
    buffer.last = std::max(buffer.last, last_use_[v]);
    before_[v] = newest_[b];
    newest_[b] = v;
    return true;
  }

  // What a head of the forward part is computed over lies in the head's own memory, which nothing else uses until then.
  void give_memory(NodeId n, ValueId head) {
    const GraphNode& node = graph_.nodes[n];
    if (!node.is_call()) return;
    ValueId of = viewed(node, head);
    if (of == kNone || plan_.buffer_of[of] == kNone ||
        plan_.arenas[plan_.buffers[plan_.buffer_of[of]].arena].device != node.device)
      of = replaceable(n, head);
    if (of == kNone) return;
    for (ValueId v = newest_[plan_.buffer_of[of]]; v != kNone; v = before_[v]) {
      plan_.buffer_of[v] = kNone;
      plan_.outside[v] = head;
    }
  }

  void drop_empty_buffers() {
    std::vector<uint32_t> number(plan_.buffers.size(), kNone);
    uint32_t kept = 0;
    for (uint32_t b = 0; b < number.size(); ++b) {
      if (plan_.buffer_of[newest_[b]] != b) continue;
      plan_.buffers[kept] = plan_.buffers[b];
      number[b] = kept++;
    }
    plan_.buffers.resize(kept);
    for (uint32_t& b : plan_.buffer_of) b = b == kNone ? kNone : number[b];
    drop_empty_arenas();
  }

  void drop_empty_arenas() {
    std::vector<bool> used(plan_.arenas.size(), false);
    for (const Buffer& buffer : plan_.buffers) used[buffer.arena] = true;
    std::vector<uint32_t> number(used.size(), kNone);
    uint32_t kept = 0;
    for (uint32_t a = 0; a < used.size(); ++a) {
      if (!used[a]) continue;
      plan_.arenas[kept] = plan_.arenas[a];
      number[a] = kept++;
    }
    plan_.arenas.resize(kept);
    for (Buffer& buffer : plan_.buffers) buffer.arena = number[buffer.arena];
  }

  void new_buffer(NodeId n, ValueId v) {
    Buffer buffer;
    buffer.arena = arena_of(graph_.nodes[n].device);
    buffer.first = n;
    buffer.last = last_use_[v];
    buffer.bytes = whole_lines(graph_.values[v].bytes());
    plan_.buffer_of[v] = static_cast<uint32_t>(plan_.buffers.size());
    plan_.buffers.push_back(buffer);
    newest_.push_back(v);
  }

  uint32_t arena_of(Device device) {
    uint32_t a = 0;
    while (a < plan_.arenas.size() && plan_.arenas[a].device != device) ++a;
    if (a == plan_.arenas.size()) plan_.arenas.push_back({device});
    return a;
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
  std::vector<bool> is_head_;
  // Values of a buffer, chained: per buffer the one made last, per value the one made before it.
  std::vector<ValueId> newest_, before_;
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
  for (const Arena& arena : arenas) sum += arena.device.is_here() ? arena.bytes : 0;
  return sum;
}

int64_t MemoryPlan::live_bytes() const {
  int64_t sum = 0;
  for (const Arena& arena : arenas) sum += arena.device.is_here() ? arena.live_bytes : 0;
  return sum;
}

MemoryPlan plan_memory(const Graph& graph, const MemoryPlanOptions& options) {
  for (const GraphValue& value : graph.values) {
    if (value.shape.known() && value.dtype != DType::unknown) continue;
    fail(Status::shape, "[memory plan] shape ", value.shape, " or dtype of a value",
         value.node == kNone ? "" : " of '" + graph.nodes[value.node].name.str() + "'",
         " is not known; infer first");
  }
  return Planner(graph, options).run();
}

}  // namespace mixgrad
