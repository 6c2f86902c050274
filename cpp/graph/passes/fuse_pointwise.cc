#include <algorithm>

#include "base/order.h"
#include "graph/passes/passes.h"
#include "graph/rewrite.h"
#include "launch/pointwise_group.h"

namespace mixgrad {
namespace {

// Calls of one group at most: enough that reading and writing cost little, few enough for any cache.
constexpr size_t kMostGrouped = 64;
constexpr int64_t kSmallGrowth = 65536;  // bytes that a group may keep longer than its calls would

// Joins calls, in running order, to the groups of their operands. A group runs where its last call stood, so it is closed
// once a call outside it uses one of its values: everything outside then lies before the whole group or behind it.
class PointwiseGrouping {
 public:
  explicit PointwiseGrouping(const Graph& graph)
      : graph_(graph), group_of_(graph.nodes.size(), kNone), kept_(graph.values.size(), false) {
    for (const ValueId v : graph.heads) kept_[v] = true;
    for (const ValueId v : graph.gradients) {
      if (v != kNone) kept_[v] = true;
    }
    wanted_ = kept_;
    written_ = mutated_values(graph);
    number_.assign(graph.values.size(), kNone);
  }

  Graph run() {
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      place(n);
      calls_ += graph_.nodes[n].is_call();
    }
    size_t nodes = graph_.nodes.size(), values = graph_.values.size();
    for (Group& group : groups_) {
      sort_by(group.members, [](NodeId a, NodeId b) { return a < b; });
      if (group.members.size() > 1) nodes -= group.members.size() - 1;
      if (group.members.size() > 1) values -= group.members.size() - 1;
    }
    GraphWriter writer(graph_, nodes, values);
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      writer.reach(n);
      const uint32_t g = group_of_[n] == kNone ? kNone : find(group_of_[n]);
      if (g == kNone || groups_[g].members.size() == 1)
        writer.copy(n);
      else if (groups_[g].members.back() == n)
        write(groups_[g], writer);
    }
    return writer.finish();
  }

 private:
  struct Group {
    std::vector<NodeId> members;  // in running order once it is complete
    uint32_t calls = 0;           // of the graph up to the last of them
    bool open = true;
    uint32_t joined = kNone;  // the group that took its members
  };

  uint32_t find(uint32_t g) {
    while (groups_[g].joined != kNone) {
      const uint32_t next = groups_[g].joined;
      if (groups_[next].joined != kNone) groups_[g].joined = groups_[next].joined;
      g = next;
    }
    return g;
  }

  const Shape& shape_of(const GraphNode& node) const {
    for (uint32_t i = 0; i + 1 < node.num_values; ++i) {
      if (!graph_.values[node.first_value + i].absent) return graph_.values[node.first_value + i].shape;
    }
    return graph_.values[node.first_value + node.num_values - 1].shape;
  }

  bool fits(const GraphNode& node) const {
    if (!node.is_call() || node.device.kind != DeviceKind::cpu || node.random_slot != kNone) return false;
    const bool backward = node.kind == GraphNodeKind::backward;
    if (backward ? !node.op->backward_by_element : !node.op->by_element || node.num_values != 1) return false;
    const Shape& shape = shape_of(node);
    if (shape.size() == 0 || node.num_operands == 0) return false;
    bool makes = false;
    for (const GraphValue& value : graph_.values_of(node)) makes |= !value.absent;
    if (!makes) return false;
    for (const ValueId v : graph_.operands_of(node)) {
      if (written_[v]) return false;  // the group would read it at another time
    }
    for (const GraphValue& value : graph_.values_of(node)) {
      if (!value.absent && value.shape != shape) return false;
    }
    return true;
  }

  // Bytes that lie in working memory.
  int64_t inner_bytes(ValueId v) const {
    const GraphValue& value = graph_.values[v];
    const bool inner =
        !value.absent && value.node != kNone && !kept_[v] && graph_.nodes[value.node].is_call();
    return inner ? value.bytes() : 0;
  }

  // Whether the group may wait for node n: what its calls read stays until then, in the place of what they make. A sum of
  // gradients that come one after another would keep them all.
  bool may_wait(uint32_t g, NodeId n) {
    const Group& group = groups_[g];
    if (calls_ == group.calls) return true;  // nothing runs in between
    if (last_use_.empty()) find_last_uses();
    int64_t growth = 0;
    std::vector<ValueId> seen;
    for (const NodeId member : group.members) {
      const GraphNode& node = graph_.nodes[member];
      for (const ValueId v : graph_.operands_of(node)) {
        if (last_use_[v] >= n || inner_bytes(v) == 0) continue;
        const NodeId maker = graph_.values[v].node;
        if (group_of_[maker] != kNone && find(group_of_[maker]) == g) continue;
        if (std::find(seen.begin(), seen.end(), v) != seen.end()) continue;
        seen.push_back(v);
        growth += inner_bytes(v);
      }
      for (uint32_t i = 0; i < node.num_values; ++i) {
        const ValueId v = node.first_value + i;
        if (last_use_[v] >= n) growth -= inner_bytes(v);
      }
    }
    return growth <= kSmallGrowth;
  }

  void find_last_uses() {
    last_use_.assign(graph_.values.size(), 0);
    for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
      for (const ValueId v : graph_.operands_of(graph_.nodes[n])) last_use_[v] = n;
    }
  }

  void place(NodeId n) {
    const GraphNode& node = graph_.nodes[n];
    const bool joins = fits(node);
    std::vector<uint32_t>& with = with_;
    with.clear();
    size_t size = 1;
    for (const ValueId v : graph_.operands_of(node)) {
      const NodeId maker = graph_.values[v].node;
      if (maker == kNone || group_of_[maker] == kNone) continue;
      const uint32_t g = find(group_of_[maker]);
      if (std::find(with.begin(), with.end(), g) != with.end()) continue;
      Group& group = groups_[g];
      const GraphNode& first = graph_.nodes[group.members[0]];
      const bool same_part = (n < graph_.forward_end) == (group.members[0] < graph_.forward_end);
      if (joins && group.open && same_part && first.device == node.device &&
          shape_of(first) == shape_of(node) && size + group.members.size() <= kMostGrouped &&
          may_wait(g, n)) {
        with.push_back(g);
        size += group.members.size();
      } else {
        group.open = false;
        wanted_[v] = true;
      }
    }
    if (!joins) return;
    if (with.size() > 1) {
      sort_by(with,
              [&](uint32_t a, uint32_t b) { return groups_[a].members.size() > groups_[b].members.size(); });
    }
    if (with.empty()) {
      with.push_back(static_cast<uint32_t>(groups_.size()));
      groups_.emplace_back();
    }
    Group& into = groups_[with[0]];
    for (size_t i = 1; i < with.size(); ++i) {
      Group& from = groups_[with[i]];
      into.members.insert(into.members.end(), from.members.begin(), from.members.end());
      from.members.clear();
      from.joined = with[0];
    }
    into.members.push_back(n);
    into.calls = calls_ + 1;
    group_of_[n] = with[0];
  }

  static std::string name_of_group(const Graph& graph, const std::vector<NodeId>& members) {
    std::string name = graph.nodes[members[0]].name;
    if (members.size() > 4) return name + "+..+" + graph.nodes[members.back()].name.str();
    for (size_t i = 1; i < members.size(); ++i) name += "+" + graph.nodes[members[i]].name.str();
    return name;
  }

  void write(const Group& members, GraphWriter& writer) {
    auto group = std::make_shared<PointwiseGroup>();
    group->calls.reserve(members.members.size());
    group->numbers.reserve(4 * members.members.size());
    group->dtypes.reserve(2 * members.members.size());
    group->shape = shape_of(graph_.nodes[members.members[0]]);
    std::vector<ValueId> inputs, made, inner;
    for (const NodeId n : members.members) {
      const GraphNode& node = graph_.nodes[n];
      for (const ValueId v : graph_.operands_of(node)) {
        const NodeId maker = graph_.values[v].node;
        if (graph_.values[v].absent || number_[v] != kNone) continue;
        if (group_of_[maker] != kNone && find(group_of_[maker]) == find(group_of_[n])) continue;
        number_[v] = static_cast<uint32_t>(inputs.size());
        inputs.push_back(v);
      }
    }
    for (const ValueId v : inputs) group->dtypes.push_back(graph_.values[v].dtype);
    group->num_inputs = static_cast<uint32_t>(inputs.size());
    for (const NodeId n : members.members) {
      const GraphNode& node = graph_.nodes[n];
      PointwiseGroup::Call call;
      call.op = node.op;
      call.params = node.params->data();
      call.backward = node.kind == GraphNodeKind::backward;
      call.training = node.training;
      call.num_out_grads = node.num_out_grads;
      call.num_inputs = node.num_inputs;
      call.first = static_cast<uint32_t>(group->numbers.size());
      call.num_operands = node.num_operands;
      call.num_results = node.num_values;
      for (const ValueId v : graph_.operands_of(node))
        group->numbers.push_back(graph_.values[v].absent ? PointwiseGroup::kAbsent : number_[v]);
      for (ValueId v = node.first_value; v < node.first_value + node.num_values; ++v) {
        if (graph_.values[v].absent) {
          group->numbers.push_back(PointwiseGroup::kAbsent);
          continue;
        }
        number_[v] = static_cast<uint32_t>(group->dtypes.size());
        inner.push_back(v);
        group->numbers.push_back(number_[v]);
        group->dtypes.push_back(graph_.values[v].dtype);
        if (wanted_[v]) made.push_back(v);
      }
      group->calls.push_back(std::move(call));
    }
    if (made.empty()) {  // what nobody uses, while pruning is off
      ValueId v = graph_.nodes[members.members.back()].first_value;
      while (graph_.values[v].absent) ++v;
      made.push_back(v);
    }
    for (const ValueId v : made) group->outputs.push_back(number_[v]);
    group->finish();
    for (const auto* values : {&inputs, &inner}) {
      for (const ValueId v : *values) number_[v] = kNone;  // other groups count anew
    }

    GraphNode node = graph_.nodes[members.members.back()];
    node.kind = GraphNodeKind::forward;
    node.op = &pointwise_group_op();
    node.params = writer.graph().pool->keep(pointwise_group_params(std::move(group)));
    node.name = writer.graph().pool->keep(name_of_group(graph_, members.members));
    node.num_out_grads = node.num_inputs = 0;
    for (ValueId& v : inputs) v = writer.mapped(v);
    const NodeId id = writer.graph().add(std::move(node), inputs, static_cast<uint32_t>(made.size()));
    for (size_t o = 0; o < made.size(); ++o) {
      const ValueId to = writer.graph().nodes[id].first_value + static_cast<ValueId>(o);
      writer.graph().values[to].shape = graph_.values[made[o]].shape;
      writer.graph().values[to].dtype = graph_.values[made[o]].dtype;
      writer.replace(made[o], to);
    }
  }

  const Graph& graph_;
  std::vector<uint32_t> group_of_;  // per node, before groups were joined
  std::vector<Group> groups_;
  std::vector<bool> kept_, written_;
  std::vector<bool> wanted_;      // values that something outside their group uses
  std::vector<NodeId> last_use_;  // per value; found when first needed
  std::vector<uint32_t> number_;  // per value, in the group being written
  std::vector<uint32_t> with_;    // groups that the node being placed joins
  uint32_t calls_ = 0;            // before the node being placed
};

}  // namespace

Graph fuse_pointwise(const Graph& graph) { return PointwiseGrouping(graph).run(); }

namespace {

Graph run_pointwise_pass(Graph graph, const PassOptions&) { return fuse_pointwise(graph); }
const bool kPointwiseRegistered = register_pass(Pass::pointwise, run_pointwise_pass);

}  // namespace
}  // namespace mixgrad
