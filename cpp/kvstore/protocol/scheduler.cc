#include "kvstore/protocol/scheduler.h"

#include <algorithm>

namespace mixgrad::kvstore::protocol {

Scheduler::Node* Scheduler::of_process(NodeId id, uint64_t incarnation) {
  const auto at = nodes_.find(id);
  if (at == nodes_.end() || incarnation == 0 || at->second.process.incarnation() != incarnation)
    return nullptr;
  return &at->second;
}

void Scheduler::on_message(Time now, const net::NodeName& from, net::Message message, Actions& actions) {
  NodeId id;
  const auto with = [&](auto in, auto take) {
    return decode(message.fields.data(), message.fields.size(), in) && take(in);
  };
  bool sound = NodeId::parse(from, id) && id.role != Role::scheduler;
  if (started_ < 0) started_ = now;
  if (sound) {
    const bool is_worker = id.role == Role::worker;
    switch (static_cast<Kind>(message.kind)) {
      case Kind::heartbeat:
        sound = with(Heartbeat(), [&](Heartbeat& in) { return on_heartbeat(now, id, in, actions); });
        break;
      case Kind::report:
        sound =
            with(Report(), [&](Report& in) { return on_report(now, id, std::move(in), message, actions); });
        break;
      case Kind::filled:
        sound = !is_worker && with(Filled(), [&](Filled& in) { return on_filled(id, in); });
        break;
      case Kind::join:
        sound = is_worker && with(Join(), [&](Join& in) {
                  if (Node* node = of_process(id, in.incarnation)) {
                    if (node->from == kNotYet && in.from != kNotYet) changed_ = true, node->from = in.from;
                  }
                  return true;
                });
        break;
      case Kind::leave:
        sound = is_worker && with(Leave(), [&](Leave& in) {
                  if (Node* node = of_process(id, in.incarnation)) {
                    if (!node->has_left) changed_ = node->has_left = true;
                    if (has_left(id.number)) actions.send(id, Kind::left, in);
                  }
                  return true;
                });
        break;
      case Kind::barrier:
        sound = is_worker && with(Barrier(), [&](Barrier& in) { return on_barrier(id, in, actions); });
        break;
      default: sound = false;
    }
  }
  if (!sound) {
    ++nonsense_;
    ++actions.nonsense;
  }
  consider(now, actions);
}

void Scheduler::on_time(Time now, Actions& actions) {
  if (started_ < 0) started_ = now;
  if (now < due_) return;
  due_ = now + timing_.heartbeat / 2;
  changed_ = true;  // somebody may have fallen silent
  consider(now, actions);
}

bool Scheduler::on_heartbeat(Time now, NodeId id, const Heartbeat& in, Actions& actions) {
  Node& node = nodes_[id];
  const uint64_t before = node.process.incarnation();
  const uint64_t repeated = in.scheduler == incarnation_ ? in.count : 0;
  if (repeated > node.count) return false;
  const bool lives = node.process.meets(in.incarnation, repeated, node.count);
  if (lives && before != in.incarnation) {
    Node fresh;
    fresh.process = node.process;
    fresh.count = node.count;
    fresh.before = before;
    fresh.before_count = node.count;
    for (const auto& [other, one] : nodes_) {
      if (id.role == Role::server && other.role == Role::server) fresh.counts_then[other.number] = one.count;
    }
    node = std::move(fresh);
    changed_ = true;
  }
  Answer out;
  out.scheduler = incarnation_;
  out.count = ++node.count;
  out.incarnation = in.incarnation;
  out.beat = in.beat;
  out.wants_report = lives && !node.reported && !node.is_unfit;
  if (view_.epoch.number == 0) out.waits_for = waits_for();
  actions.send(id, Kind::answer, out);
  if (!lives) {
    if (in.incarnation == node.before && repeated > node.before_count) {
      actions.send(id, Kind::unfit,
                   Unfit{in.incarnation, "[scheduler] another process has taken the place of " + id.str() +
                                             " while it lives; expected one process for each number"});
    }
    return true;
  }
  if (node.reported && now - node.heard >= timing_.dead_after) changed_ = true;
  node.heard = now;
  node.repeated = std::max(node.repeated, repeated);
  if (node.epoch != in.epoch) changed_ = true;
  node.epoch = in.epoch;
  if (highest_ < in.epoch) {
    highest_ = in.epoch;
    changed_ = true;
  }
  const bool behind = view_.epoch.number > 0 && in.epoch != view_.epoch;
  if (behind) send_view(id, node, actions);
  return true;
}

void Scheduler::send_view(NodeId id, const Node& node, Actions& actions) const {
  if (!node.reported) return;
  actions.send(id, Kind::view, ViewIs{incarnation_, node.process.incarnation()},
               net::Payload::of(encoded(view_)));
}

bool Scheduler::on_report(Time now, NodeId id, Report in, const net::Message& message, Actions& actions) {
  View view;
  if (message.payload.bytes > kMaxViewBytes || in.contact.size() > kMaxContactBytes ||
      in.holdings.size() > kMaxSlots || in.filled.size() > kMaxSlots) {
    return false;
  }
  if (message.payload.bytes > 0 &&
      (!decode(message.payload.data, message.payload.bytes, view) || !view.is_sound())) {
    return false;
  }
  Node* node = of_process(id, in.incarnation);
  if (!node || in.scheduler != incarnation_ || node->reported) return true;
  if (id.role == Role::worker) {
    const Rounds* expected = view_.epoch.number > 0 ? &view_.rounds : nullptr;
    NodeId other;
    for (const auto& [other_id, other_node] : nodes_) {
      if (expected || other_id.role != Role::worker || !other_node.reported) continue;
      expected = &other_node.report.rounds;
    }
    if (expected && !(*expected == in.rounds)) {
      node->is_unfit = true;
      actions.send(
          id, Kind::unfit,
          Unfit{in.incarnation, "[worker] " + id.str() + " wants rounds of policy '" + in.rounds.str() +
                                    "'; the store's other workers expect '" + expected->str() + "'"});
      return true;
    }
  }
  if (view.epoch.number > 0 && view.slots.size() != membership_.slots) {
    node->is_unfit = true;
    actions.send(id, Kind::unfit,
                 Unfit{in.incarnation, "[scheduler] " + id.str() + " knows a store of " +
                                           std::to_string(view.slots.size()) + " slots; expected " +
                                           std::to_string(membership_.slots)});
    return true;
  }
  if (highest_ < view.epoch) highest_ = view.epoch;
  for (const Holding& one : in.holdings) {
    if (highest_ < one.origin) highest_ = one.origin;
  }
  node->heard = now;
  node->report = std::move(in);
  node->view = std::move(view);
  node->reported = changed_ = true;
  barriers_ = std::max(barriers_, node->report.barriers);
  return true;
}

// Whether all servers that hold a slot follow a view without it: a later scheduler will not wait for it.
bool Scheduler::has_left(uint32_t rank) const {
  if (view_.epoch.number == 0 || view_.worker(rank)) return false;
  const auto follows = [&](uint32_t server) {
    const auto at = nodes_.find(NodeId::server(server));
    return at != nodes_.end() && at->second.epoch == view_.epoch;
  };
  return std::all_of(view_.slots.begin(), view_.slots.end(), [&](const Placement& slot) {
    return std::all_of(slot.full.begin(), slot.full.end(), follows);
  });
}

bool Scheduler::on_filled(NodeId id, const Filled& in) {
  if (in.epoch != view_.epoch) return true;
  const uint32_t* primary = view_.primary(in.slot);
  if (!primary || (*primary != id.number && in.server != id.number)) return false;
  const auto& filling = view_.slots[in.slot].filling;
  if (std::find(filling.begin(), filling.end(), in.server) == filling.end()) return false;
  if (filled_.emplace(in.slot, in.server).second) changed_ = true;
  return true;
}

// Workers that the barrier waits for.
std::vector<uint32_t> Scheduler::missing_at_barrier() const {
  std::vector<uint32_t> ranks;
  for (const Participant& worker : view_.workers) {
    if (worker.from == kNotYet) continue;
    const auto at = nodes_.find(NodeId::worker(worker.number));
    const bool there = at != nodes_.end() && at->second.process.incarnation() == worker.incarnation &&
                       at->second.at_barrier > barriers_;
    if (!there) ranks.push_back(worker.number);
  }
  return ranks;
}

void Scheduler::pass_barriers(Actions& actions) {
  bool anybody = false;
  for (const auto& [id, node] : nodes_) anybody |= node.at_barrier > barriers_;
  if (!anybody || view_.epoch.number == 0 || !missing_at_barrier().empty()) return;
  ++barriers_;
  view_.barriers = barriers_;
  for (const Participant& worker : view_.workers) {
    actions.send(NodeId::worker(worker.number), Kind::barrier_passed, BarrierPassed{incarnation_, barriers_});
  }
}

bool Scheduler::on_barrier(NodeId id, const Barrier& in, Actions& actions) {
  Node* node = of_process(id, in.incarnation);
  if (!node || view_.epoch.number == 0) return true;
  const Participant* worker = view_.worker(id.number);
  if (!worker || worker->incarnation != in.incarnation) return true;
  if (in.number <= barriers_) {
    actions.send(id, Kind::barrier_passed, BarrierPassed{incarnation_, barriers_});
    return true;
  }
  node->at_barrier = std::max(node->at_barrier, in.number);
  pass_barriers(actions);
  if (in.number <= barriers_) return true;
  Waiting out;
  out.request.incarnation = in.incarnation;
  out.request.number = in.number;
  out.kind = Kind::barrier;
  for (const uint32_t rank : missing_at_barrier()) {
    if (out.whom.size() > 200) break;
    out.whom += (out.whom.empty() ? "" : ", ") + NodeId::worker(rank).str();
  }
  actions.send(id, Kind::waiting, out);
  return true;
}

}  // namespace mixgrad::kvstore::protocol
