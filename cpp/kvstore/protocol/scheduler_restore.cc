// Slots whose servers all ended, and came back with what they had written down.
//
// Every full replica of a view writes down each step before it says that it has it, and a step counts when all have said so. Who becomes full
// in a view was filled under a primary that had begun to lead it. So each full replica of the last view has, written down, all that
// was ever acknowledged. What their logs have beyond that may differ; of those that are back the one goes on whose last step was
// made in the latest view, and of these the one with the longest log: should a machine have lost what it had not brought to its disk, that is the one that
// lost least.
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

// Whether a server that came back has all that it had written down before.
bool Scheduler::keeps(uint32_t server) const {
  const Node* const node = returned(server);
  return node && node->reported && node->report.disk != 0 && node->report.disk == view_.server(server)->disk;
}

// Whether the others go on without it, for now.
bool Scheduler::is_missed(Time now, uint32_t server) const {
  if (given_up_.count(NodeId::server(server))) return true;
  const auto at = nodes_.find(NodeId::server(server));
  const Time heard = at == nodes_.end() ? started_ : at->second.heard_since(started_);
  return now - heard >= std::max(timing_.patience, timing_.dead_after);
}

// Null pointers stand for empty logs.
const uint32_t* Scheduler::furthest(const std::map<uint32_t, const Holding*>& holders) {
  const uint32_t* leader = nullptr;
  Epoch origin;
  uint64_t tail = 0;
  for (const auto& [server, holding] : holders) {
    const Epoch of_this = holding ? holding->origin : Epoch();
    const uint64_t end = holding ? holding->tail : 0;
    if (leader && (of_this < origin || (of_this == origin && end <= tail))) continue;
    leader = &server;
    origin = of_this;
    tail = end;
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
  std::map<uint32_t, std::map<uint32_t, const Holding*>> stuck;  // by slot: who is back, and what it has
  bool all_ready = true;
  for (uint32_t slot = 0; slot < view_.slots.size(); ++slot) {
    if (view_.slots[slot].lost) continue;
    std::vector<const Node*> back;
    std::map<uint32_t, const Holding*> holders;
    bool is_ready = true, may_hold = false, any_live = false;
    for (const uint32_t server : view_.slots[slot].full) {
      const Node* const node = returned(server);
      if (node) back.push_back(node);
      is_ready &= (node && node->reported) || is_missed(now, server);
      may_hold |= node && (!node->reported || keeps(server));
      if (keeps(server)) holders[server] = node->holding(slot);
    }
    for (const uint32_t server : view_.slots[slot].full)
      any_live |= !returned(server) && has_lived_since(now, server, back);
    if (any_live || !may_hold) continue;
    all_ready &= is_ready && !holders.empty();
    stuck.emplace(slot, std::move(holders));
  }
  for (const auto& [slot, holders] : stuck) {
    if (all_ready) {
      out.leaders[slot] = *furthest(holders);
      continue;
    }
    out.waiting.insert(slot);
    for (const auto& [server, holding] : holders) out.held.insert(server);
  }
  return out;
}

}  // namespace mixgrad::kvstore::protocol
