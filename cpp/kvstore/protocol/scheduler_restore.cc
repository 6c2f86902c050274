// Slots whose servers all ended, and came back with what they had written down.
//
// Whoever answered in a view had applied the view's first step before, and written that down; and everybody who is full in that view
// had written down that the step came (Stand::told) before it could be applied. So of servers among which are all full replicas of
// the last view, the one that led in the latest epoch that any of them was told of has everything that was acknowledged. If that one
// is not among them, the slot is lost.
#include <algorithm>

#include "kvstore/protocol/scheduler.h"

namespace mixgrad::kvstore::protocol {

const Scheduler::Node* Scheduler::returned(uint32_t server) const {
  const Participant* const known = view_.server(server);
  const auto at = nodes_.find(NodeId::server(server));
  if (!known || at == nodes_.end()) return nullptr;
  const uint64_t present = at->second.process.incarnation();
  return present != 0 && present != known->incarnation ? &at->second : nullptr;
}

const Holding* Scheduler::Node::holding(uint32_t slot) const {
  if (!reported) return nullptr;
  const auto at = std::find_if(report.holdings.begin(), report.holdings.end(),
                               [&](const Holding& one) { return one.slot == slot; });
  return at == report.holdings.end() ? nullptr : &*at;
}

const uint32_t* Scheduler::leader_of(const std::map<uint32_t, const Holding*>& holders) {
  const uint32_t* leader = nullptr;
  Epoch latest;
  for (const auto& [server, holding] : holders) latest = std::max(latest, holding->seen);
  for (const auto& [server, holding] : holders) {
    if (holding->leads && holding->seen == latest) leader = &server;
  }
  return leader;
}

// Whether it was there when these others had come back: one that ended before them may not count as dead yet.
bool Scheduler::has_lived_since(Time now, uint32_t server, const std::vector<const Node*>& others) const {
  const auto at = nodes_.find(NodeId::server(server));
  if (at == nodes_.end() || !is_live(now, at->second)) return false;
  return std::all_of(others.begin(), others.end(), [&](const Node* other) {
    const auto then = other->counts_then.find(server);
    return then == other->counts_then.end() || at->second.repeated > then->second;
  });
}

Scheduler::Return Scheduler::returning(Time now) const {
  Return out;
  std::vector<uint32_t> stuck;
  bool all_ready = true;
  for (uint32_t slot = 0; slot < view_.slots.size(); ++slot) {
    if (view_.slots[slot].lost) continue;
    std::vector<const Node*> back;
    bool is_ready = true, may_hold = false, any_live = false;
    for (const uint32_t server : view_.slots[slot].full) {
      const Node* const node = returned(server);
      if (node) back.push_back(node);
      is_ready &= node && node->reported;
      may_hold |= node && (!node->reported || node->holding(slot));
    }
    for (const uint32_t server : view_.slots[slot].full)
      any_live |= !returned(server) && has_lived_since(now, server, back);
    if (any_live || !may_hold) continue;
    stuck.push_back(slot);
    all_ready &= is_ready;
  }
  for (const uint32_t slot : stuck) {
    std::map<uint32_t, const Holding*> holders;
    for (const auto& [id, node] : nodes_) {
      if (id.role != Role::server || !returned(id.number)) continue;
      if (const Holding* const holding = node.holding(slot)) holders[id.number] = holding;
    }
    if (!all_ready) {
      out.waiting.insert(slot);
      for (const auto& [server, holding] : holders) out.held.insert(server);
    } else if (const uint32_t* const leader = leader_of(holders)) {
      out.leaders[slot] = *leader;
    }
  }
  return out;
}

}  // namespace mixgrad::kvstore::protocol
