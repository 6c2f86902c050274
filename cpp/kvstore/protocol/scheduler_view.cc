// What the next view is, and when it is made.
#include <algorithm>

#include "kvstore/protocol/scheduler.h"

namespace mixgrad::kvstore::protocol {

ServerHealth Scheduler::health(Time now, const Return& back) const {
  ServerHealth health;
  for (const Participant& server : view_.servers) {
    health.dead_since[server.number] = started_ + timing_.dead_after;
  }
  for (const auto& [id, node] : nodes_) {
    if (id.role != Role::server || !node.reported) continue;
    if (back.held.count(id.number)) {  // it does not take part yet
      health.dead_since[id.number] = started_;
      continue;
    }
    health.dead_since[id.number] = node.heard + timing_.dead_after;
    if (!is_live(now, node)) continue;
    health.live.insert(id.number);
    health.heard[id.number] = node.heard;
    if (node.epoch == view_.epoch) health.following.insert(id.number);
  }
  for (const Participant& server : view_.servers) {
    const auto at = nodes_.find(NodeId::server(server.number));
    const uint64_t known = at == nodes_.end() ? 0 : at->second.process.incarnation();
    // One that has not said yet what it has may have it.
    if (known == 0 || known == server.incarnation || !at->second.reported || back.held.count(server.number))
      health.holding.insert(server.number);
  }
  return health;
}

void Scheduler::consider(Time now, Actions& actions) {
  if (!changed_ || now - issued_ < timing_.view_gap) return;
  changed_ = false;
  if (view_.epoch.number == 0) {
    if (!can_start(now)) return;
    issue(now, next_view(now), actions);
  } else {
    View next = next_view(now);
    // Somebody follows a view of a scheduler that ended, which this one never heard of: all others get a higher number.
    if (!next.same_as(view_) || view_.epoch < highest_) issue(now, std::move(next), actions);
  }
  pass_barriers(actions);
}

void Scheduler::issue(Time now, View next, Actions& actions) {
  next.epoch = {std::max(highest_.number, view_.epoch.number) + 1, incarnation_};
  highest_ = next.epoch;
  next.barriers = barriers_;
  view_ = std::move(next);
  filled_.clear();
  issued_ = now;
  due_ = std::min(due_, now + timing_.view_gap);
  changed_ = true;
  for (const auto& [id, node] : nodes_) {
    if (is_live(now, node)) send_view(id, node, actions);
  }
}

View Scheduler::next_view(Time now) const {
  View next = view_;
  const Return back = returning(now);
  const ServerHealth servers = health(now, back);
  next.servers.clear();
  std::set<uint32_t> all;
  for (const Participant& server : view_.servers) all.insert(server.number);
  for (const auto& [id, node] : nodes_) {
    if (id.role == Role::server && node.reported) all.insert(id.number);
  }
  for (const uint32_t number : all) {
    const auto at = nodes_.find(NodeId::server(number));
    if (at != nodes_.end() && at->second.reported && !back.held.count(number)) {
      next.servers.push_back({number, at->second.process.incarnation(), 0, servers.live.count(number) > 0,
                              at->second.report.disk, at->second.report.contact});
    } else {
      Participant same = *view_.server(number);
      same.live = false;
      next.servers.push_back(same);
    }
  }
  for (uint32_t slot = 0; slot < next.slots.size(); ++slot) {
    const Placement& present = view_.slots[slot];
    if (present.lost) continue;
    if (back.waiting.count(slot)) {  // but for those that came back with nothing
      auto& full = next.slots[slot].full;
      full.erase(std::remove_if(full.begin(), full.end(),
                                [&](uint32_t server) {
                                  const Node* const node = returned(server);
                                  return node && node->reported && !keeps(server);
                                }),
                 full.end());
      continue;
    }
    const auto leader = back.leaders.find(slot);
    if (leader != back.leaders.end()) {
      next.slots[slot] = {{leader->second}, heaviest(slot, servers.live, next.replicas), false};
      auto& filling = next.slots[slot].filling;
      filling.erase(std::remove(filling.begin(), filling.end(), leader->second), filling.end());
      continue;
    }
    std::vector<uint32_t> filled;
    for (const uint32_t server : present.filling) {
      if (filled_.count({slot, server})) filled.push_back(server);
    }
    next.slots[slot] = next_placement(slot, present, filled, servers, next.replicas);
  }
  next_workers(now, next);
  return next;
}

void Scheduler::next_workers(Time now, View& next) const {
  const bool waits = view_.rounds.policy == Policy::wait;
  std::map<uint32_t, Participant> workers;
  for (const Participant& worker : view_.workers) {
    workers[worker.number] = worker;
    if (now - started_ >= timing_.dead_after) workers[worker.number].live = false;  // until it is heard
  }
  for (const auto& [id, node] : nodes_) {
    if (id.role != Role::worker) continue;
    const auto at = workers.find(id.number);
    const bool known = at != workers.end();
    const bool live = is_live(now, node);
    if (node.has_left) {
      workers.erase(id.number);
      continue;
    }
    if (!node.reported) {
      if (known) at->second.live = false;
      continue;
    }
    Participant& worker = workers[id.number];
    const bool same = known && worker.incarnation == node.process.incarnation();
    // Who comes back into a store that did not wait begins like a new worker.
    if (!known || (!same && !waits)) worker.from = kNotYet;
    if (worker.from == kNotYet) worker.from = node.from;
    worker.number = id.number;
    worker.incarnation = node.process.incarnation();
    worker.contact = node.report.contact;
    worker.live = live;
  }
  const bool had = !view_.workers.empty();
  next.workers.clear();
  for (const auto& [rank, worker] : workers) {
    if (worker.live || waits) next.workers.push_back(worker);
  }
  next.ended = view_.ended || (had && workers.empty());
}

}  // namespace mixgrad::kvstore::protocol
