// Filling a new replica. The primary logs nothing while it does: what the replica gets is the state at one place of the log,
// and it has every later step from then on.
#include <algorithm>

#include "kvstore/protocol/replica.h"

namespace mixgrad::kvstore::protocol {
namespace {
constexpr uint32_t kPartsUnderway = 8;
constexpr uint32_t kMaxParts = 1u << 24;
}  // namespace

void Replica::begin_transfers(Time now, Actions& actions) {
  if (!is_primary() || !paused_ || !transfers_.empty() || log_.applied() != log_.tail()) return;
  // The new replica has no log of what came before: nobody may need that when it leads.
  for (const auto& [server, peer] : peers_) {
    if (!peer.known || peer.applied < log_.applied()) return;
  }
  Transfer transfer;
  Ledger ledger = ledger_;
  if (!context_.safeguards.transfers_marks) {
    for (auto& [piece, record] : ledger.pieces) record.marks.clear();
  }
  transfer.ledger = ledger.bytes();
  transfer.at = now;
  const auto add = [&](PieceId piece) {
    const uint32_t parts = context_.table->parts(slot_, piece);
    for (uint32_t part = 0; part < parts; ++part) transfer.parts.emplace_back(piece, part);
  };
  add(kSlotItself);
  for (const auto& [piece, record] : ledger_.pieces) add(piece);
  for (const uint32_t server : view().slots[slot_].filling) {
    send_parts(server, transfers_[server] = transfer, actions);
  }
}

void Replica::send_parts(uint32_t server, Transfer& transfer, Actions& actions) {
  const uint32_t end = std::min(transfer.count(), transfer.acknowledged + kPartsUnderway);
  for (; transfer.sent < end; ++transfer.sent) {
    Part part;
    part.epoch = view().epoch;
    part.slot = slot_;
    part.number = transfer.sent;
    part.count = transfer.count();
    net::Payload payload;
    if (part.number == 0) {
      payload = net::Payload::of(transfer.ledger);
    } else {
      const auto& [piece, number] = transfer.parts[part.number - 1];
      Value value = context_.table->part(slot_, piece, number);
      part.piece = piece;
      part.part = number;
      part.format = value.format;
      payload = std::move(value.payload);
    }
    actions.send(NodeId::server(server), Kind::part, part, std::move(payload));
  }
}

void Replica::send_filled(uint32_t server, Actions& actions) const {
  actions.send(NodeId::scheduler(), Kind::filled, Filled{view().epoch, slot_, server});
}

// From now on commits wait for the new replica, so it lacks nothing when the scheduler counts on it.
bool Replica::on_part_ack(Time now, uint32_t server, const PartAck& ack, Actions& actions) {
  const auto at = transfers_.find(server);
  if (!is_primary() || at == transfers_.end()) return !context_.safeguards.fences;
  Transfer& transfer = at->second;
  if (ack.next > transfer.sent) return false;
  if (transfer.done || ack.next <= transfer.acknowledged) return true;
  transfer.acknowledged = ack.next;
  transfer.at = now;
  if (ack.next < transfer.count()) {
    send_parts(server, transfer, actions);
    return true;
  }
  transfer.done = true;
  peers_[server] = {true, log_.applied(), log_.applied(), log_.applied(), now};
  send_filled(server, actions);
  const bool all =
      std::all_of(transfers_.begin(), transfers_.end(), [](const auto& t) { return t.second.done; });
  if (all) {
    paused_ = false;
    close_all(actions);
  }
  return true;
}

bool Replica::on_part(uint32_t server, const Part& part, const net::Message& message, Actions& actions) {
  if (role_ == Role::learner) {
    if (part.count == 0 || part.count > kMaxParts || part.number >= part.count) return false;
    if (part.number == next_part_ && (next_part_ == 0 || part.count == count_parts_)) {
      if (!install(part, message.payload)) return false;
      count_parts_ = part.count;
      if (++next_part_ == count_parts_) {
        restore(std::move(arriving_));
        arriving_ = {};
        verified_ = log_.applied();
        role_ = Role::backup;
        context_.table->filled(slot_, view().epoch, ledger_);
        send_filled(context_.self, actions);
      }
    }
  } else if (count_parts_ == 0) {
    return !context_.safeguards.fences;  // nobody fills it
  }
  actions.send(NodeId::server(server), Kind::part_ack, PartAck{view().epoch, slot_, next_part_});
  return true;
}

bool Replica::install(const Part& part, const net::Payload& payload) {
  if (part.number == 0) return arriving_.read(payload.data, payload.bytes);
  std::string about;
  if (part.piece != kSlotItself) {
    const PieceRecord* record = arriving_.find(part.piece);
    if (!record) return false;
    about = record->about;
  }
  return context_.table->install(slot_, part.piece, about, part.part, {part.format, payload});
}

}  // namespace mixgrad::kvstore::protocol
