// How a scheduler begins: with a new store, or where another scheduler left off.
//
// A later view than the last that anybody reports may exist: the scheduler before made it, and who followed it is silent or has
// restarted and forgotten. Going on from the earlier view could then lose updates that the later one acknowledged. Two things
// exclude it. Nothing is acknowledged in a view before all its full replicas follow it, and each view keeps a full replica of
// the one before; so if the very processes that are a slot's full replicas in the last known view have reported, and know of no later
// one, nothing was acknowledged in a later one. Or everybody whom the last known view names has reported: whoever saw an acknowledgement followed that view.
// Where servers write everything down, also which view they follow, it is enough that all of them have reported.
#include <algorithm>

#include "kvstore/protocol/placement.h"
#include "kvstore/protocol/scheduler.h"

namespace mixgrad::kvstore::protocol {

const View* Scheduler::last_view() const {
  const View* last = nullptr;
  for (const auto& [id, node] : nodes_) {
    if (node.reported && node.view.epoch.number > 0 && (!last || last->epoch < node.view.epoch))
      last = &node.view;
  }
  return last;
}

std::vector<NodeId> Scheduler::unreported(const View& last) const {
  std::set<NodeId> needed;
  for (uint32_t i = 0; i < membership_.servers; ++i) needed.insert(NodeId::server(i));
  if (last.epoch.number == 0) {
    for (uint32_t i = 0; i < membership_.workers; ++i) needed.insert(NodeId::worker(i));
  }
  for (const Participant& server : last.servers) needed.insert(NodeId::server(server.number));
  for (const Participant& worker : last.workers) needed.insert(NodeId::worker(worker.number));
  std::vector<NodeId> list;
  for (const NodeId& id : needed) {
    const auto at = nodes_.find(id);
    if ((at == nodes_.end() || !at->second.reported) && !given_up_.count(id)) list.push_back(id);
  }
  return list;
}

bool Scheduler::is_certain(const View& last) const {
  const auto is_here = [&](uint32_t number) {
    const auto at = nodes_.find(NodeId::server(number));
    return at != nodes_.end() && at->second.reported &&
           at->second.process.incarnation() == last.server(number)->incarnation;
  };
  for (const Placement& slot : last.slots) {
    if (!std::all_of(slot.full.begin(), slot.full.end(), is_here)) return false;
  }
  return true;
}

// Whether all servers have reported, and all that are full somewhere have what they had written down. Who followed a later view would
// say so.
bool Scheduler::is_written_down(const View& last) const {
  const auto node_of = [&](uint32_t number) -> const Node* {
    const auto at = nodes_.find(NodeId::server(number));
    return at != nodes_.end() && at->second.reported ? &at->second : nullptr;
  };
  for (uint32_t i = 0; i < membership_.servers; ++i) {
    if (!node_of(i) && !given_up_.count(NodeId::server(i))) return false;
  }
  for (const Participant& server : last.servers) {
    const Node* const node = node_of(server.number);
    if (!node && given_up_.count(NodeId::server(server.number))) continue;
    if (!node) return false;
    const bool is_full = std::any_of(last.slots.begin(), last.slots.end(), [&](const Placement& slot) {
      return std::find(slot.full.begin(), slot.full.end(), server.number) != slot.full.end();
    });
    const bool knows = node->process.incarnation() == server.incarnation ||
                       (server.disk != 0 && node->report.disk == server.disk);
    if (is_full && !knows) return false;
  }
  return true;
}

// A view that nobody follows any more: all that is known of it was written down. Workers begin with it as with a new store, and those
// that had left it are not waited for long. Returns whether they are there.
bool Scheduler::begins_again(Time now, View& last) const {
  // Of one that ended nobody was left: all begin anew, and may take their time.
  const Time patience = std::max(timing_.patience, timing_.dead_after) * (last.ended ? 6 : 1);
  const bool is_late = now - started_ >= patience;
  for (const Participant& worker : last.workers) {
    const auto at = nodes_.find(NodeId::worker(worker.number));
    const bool is_here = at != nodes_.end() && at->second.reported;
    if (worker.number < membership_.workers && !is_here) return false;
  }
  last.workers.clear();
  last.ended = false;
  last.barriers = 0;
  for (const auto& [id, node] : nodes_) {
    if (id.role != Role::worker || !node.reported) continue;
    last.rounds = node.report.rounds;
    const uint64_t from = id.number < membership_.workers ? 0 : kNotYet;
    last.workers.push_back({id.number, node.process.incarnation(), from, true, 0, node.report.contact});
  }
  if (last.workers.empty()) return false;
  size_t here = 0;
  for (const Participant& worker : last.workers) here += worker.number < membership_.workers;
  return here == membership_.workers || is_late;
}

// Makes `view_` what the next view is derived from, if it is known.
bool Scheduler::can_start(Time now) {
  const View* last = last_view();
  const View none;
  const std::vector<NodeId> awaited = unreported(last ? *last : none);
  const bool all = awaited.empty();
  if (!last) {
    View first;
    if (!all || !fresh_view(first)) return false;
    view_ = std::move(first);
    return true;
  }
  // Who has not reported after so long is dead, as far as anybody can tell. Workers know what nobody writes down: which barriers were passed.
  const bool is_written = is_written_down(*last);
  const bool awaits_worker =
      std::any_of(awaited.begin(), awaited.end(), [](const NodeId& id) { return id.role == Role::worker; });
  if (!all && (!is_written || awaits_worker) && now - started_ < timing_.dead_after) return false;
  if (!all && !is_written && safeguards_.waits_for_reports && !is_certain(*last)) return false;
  View from = *last;
  const bool any_follows = std::any_of(nodes_.begin(), nodes_.end(), [](const auto& one) {
    const Participant* const self = one.second.view.participant(one.first);
    return one.second.reported && self && self->incarnation == one.second.process.incarnation();
  });
  if (is_written && !any_follows && !begins_again(now, from)) return false;
  const Epoch epoch = last->epoch;
  view_ = std::move(from);
  last = &view_;
  barriers_ = std::max(barriers_, last->barriers);
  for (const auto& [id, node] : nodes_) {  // the scheduler before may have known, or not
    if (!node.reported || node.view.epoch != epoch) continue;
    for (const uint32_t slot : node.report.filled) filled_.emplace(slot, id.number);
  }
  return true;
}

// Of a store that nobody knows: empty, or from snapshots.
bool Scheduler::fresh_view(View& first) const {
  std::set<uint32_t> servers;
  // slot -> snapshot -> servers
  std::map<uint32_t, std::map<uint64_t, std::map<uint32_t, const Holding*>>> restored;
  for (const auto& [id, node] : nodes_) {
    if (!node.reported) continue;
    const uint64_t incarnation = node.process.incarnation();
    if (id.role == Role::worker) {
      first.rounds = node.report.rounds;
      const uint64_t from = id.number < membership_.workers ? 0 : kNotYet;
      first.workers.push_back({id.number, incarnation, from, true, 0, node.report.contact});
      continue;
    }
    servers.insert(id.number);
    first.servers.push_back({id.number, incarnation, 0, true, node.report.disk, node.report.contact});
    for (const Holding& one : node.report.holdings) {
      if (one.snapshot > 0 && one.slot < membership_.slots)
        restored[one.slot][one.snapshot][id.number] = &one;
    }
  }
  first.replicas = membership_.replicas;
  first.slots.resize(membership_.slots);
  // The newest snapshot that has all slots.
  uint64_t snapshot = 0;
  if (restored.size() == membership_.slots) {
    for (const auto& [number, holders] : restored[0]) {
      const bool whole = std::all_of(restored.begin(), restored.end(),
                                     [n = number](const auto& slot) { return slot.second.count(n) > 0; });
      if (whole) snapshot = number;
    }
  }
  if (snapshot == 0 && !restored.empty()) return false;  // waits_for() says so
  for (uint32_t slot = 0; slot < membership_.slots; ++slot) {
    std::vector<uint32_t>& full = first.slots[slot].full;
    if (snapshot == 0) {
      full = heaviest(slot, servers, membership_.replicas);
      continue;
    }
    const auto& holders = restored[slot][snapshot];
    const bool are_logs = std::any_of(holders.begin(), holders.end(),
                                      [](const auto& one) { return one.second->origin.number > 0; });
    std::set<uint32_t> numbers;
    for (const auto& [server, holding] : holders) numbers.insert(server);
    full = are_logs ? std::vector<uint32_t>{*furthest(holders)} : heaviest(slot, numbers, 1);
  }
  return true;
}

std::string Scheduler::waits_for() const {
  if (view_.epoch.number > 0) return "";
  const View* last = last_view();
  const View none;
  std::string names;
  std::vector<NodeId> missing = unreported(last ? *last : none);
  if (last && last->workers.empty()) {
    for (uint32_t i = 0; i < membership_.workers; ++i) {
      const auto at = nodes_.find(NodeId::worker(i));
      if (at == nodes_.end() || !at->second.reported) missing.push_back(NodeId::worker(i));
    }
  }
  for (const NodeId& id : missing) {
    if (names.size() > 200) return names + " and more";
    names += (names.empty() ? "" : ", ") + id.str();
  }
  return names.empty() && !last ? "a snapshot that has all slots" : names;
}

}  // namespace mixgrad::kvstore::protocol
