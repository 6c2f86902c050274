// A primary and its replicas: what is logged goes to all of them, and is committed when all have it.
#include <algorithm>

#include "kvstore/protocol/replica.h"

namespace mixgrad::kvstore::protocol {
namespace {
constexpr uint64_t kEntriesUnderway = 256;  // to one replica
}

// What is in the log may have been acknowledged by the primary before, so it is sent again, under this view.
void Replica::lead(Time now, Actions& actions) {
  const Placement& placement = view().slots[slot_];
  verified_ = log_.tail();
  for (size_t i = 1; i < placement.full.size(); ++i) peers_[placement.full[i]].at = now;
  paused_ = !placement.filling.empty();
  for (uint64_t i = log_.applied() + 1; i <= log_.tail(); ++i) note_in_flight(log_.find(i)->entry);
  keep_pending_of_view();
  for (auto& [server, peer] : peers_) send_commit(server, actions);  // answered by what it has
  LogStep opening;
  opening.entry.step = Step::opening;
  opened_at_ = log_.tail() + 1;
  propose(std::move(opening), actions);
  begin_transfers(now, actions);
  close_all(actions);
}

void Replica::note_in_flight(const Entry& entry) {
  InFlight& flight = in_flight_[entry.piece];
  ++flight.steps;
  flight.round = std::max(flight.round, entry.round);
  for (const Mark& mark : entry.marks) flight.marks[mark.rank] = mark.sequence;
}

void Replica::propose(LogStep step, Actions& actions) {
  step.entry.origin = view().epoch;
  step.entry.slot = slot_;
  step.entry.index = log_.tail() + 1;
  step.entry.commit = log_.applied();
  note_in_flight(step.entry);
  context_.table->logged(step.entry, step.payload);
  log_.append(std::move(step));
  verified_ = log_.tail();
  for (auto& [server, peer] : peers_) {
    if (peer.known) send_rest(server, peer, actions);
  }
  advance(actions);
}

void Replica::send_entry(uint32_t server, Peer& peer, uint64_t index, Actions& actions) {
  const LogStep& step = *log_.find(index);
  Entry entry = step.entry;
  entry.epoch = view().epoch;
  entry.commit = log_.applied();
  entry.trim = trim_index();
  peer.sent = index;
  actions.send(NodeId::server(server), Kind::entry, entry, step.payload, step.priority);
}

void Replica::send_rest(uint32_t server, Peer& peer, Actions& actions) {
  const uint64_t last = std::min(log_.tail(), peer.verified + kEntriesUnderway);
  for (uint64_t i = std::max(peer.sent, peer.verified) + 1; i <= last; ++i)
    send_entry(server, peer, i, actions);
}

void Replica::send_commit(uint32_t server, Actions& actions) const {
  actions.send(NodeId::server(server), Kind::commit,
               Commit{view().epoch, slot_, log_.applied(), trim_index()});
}

uint64_t Replica::trim_index() const {
  uint64_t index = log_.applied();
  for (const auto& [server, peer] : peers_) index = std::min(index, peer.known ? peer.applied : 0);
  return index;
}

void Replica::advance(Actions& actions) {
  uint64_t index = log_.tail();
  if (context_.safeguards.waits_for_replicas) {
    for (const auto& [server, peer] : peers_) index = std::min(index, peer.known ? peer.verified : 0);
  }
  const uint64_t before = log_.applied();
  apply_up_to(std::max(index, before), actions);
  log_.trim(trim_index());
  if (log_.applied() == before) return;
  for (const auto& [server, peer] : peers_) send_commit(server, actions);
}

bool Replica::on_entry_ack(Time now, uint32_t server, const EntryAck& ack, Actions& actions) {
  const auto at = peers_.find(server);
  if (!is_primary() || at == peers_.end()) return !context_.safeguards.fences;
  Peer& peer = at->second;
  // It has applied nothing that is not here, and it lacks nothing that is not kept.
  if (ack.applied > ack.verified || ack.verified > log_.tail()) return false;
  if (ack.verified + 1 < log_.first()) return peer.known;  // overtaken by a later one
  const bool moved = !peer.known || ack.verified > peer.verified || ack.applied > peer.applied;
  if (!peer.known) peer.sent = ack.verified;
  peer.known = true;
  peer.verified = std::max(peer.verified, ack.verified);
  peer.applied = std::max(peer.applied, ack.applied);
  if (moved) peer.at = now;
  send_rest(server, peer, actions);
  advance(actions);
  begin_transfers(now, actions);
  return true;
}

std::string Replica::slow_replicas() const {
  std::string names;
  for (const auto& [server, peer] : peers_) {
    if (peer.known && peer.verified == log_.tail()) continue;
    names += (names.empty() ? "" : ", ") + NodeId::server(server).str();
  }
  for (const auto& [server, transfer] : transfers_) {
    if (!transfer.done)
      names += (names.empty() ? "" : ", ") + NodeId::server(server).str() + " (being filled)";
  }
  return names;
}

}  // namespace mixgrad::kvstore::protocol
