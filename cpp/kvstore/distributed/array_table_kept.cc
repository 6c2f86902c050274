// What a server's table keeps on disk, and has from there.
#include "base/error.h"
#include "base/warning.h"
#include "exec/imperative/mode.h"
#include "kvstore/distributed/array_table.h"

namespace mixgrad::kvstore {

bool ArrayTable::apply(const protocol::Applied& step) {
  if (!apply_step(step)) return false;
  if (!snapshots_) return true;
  snapshots_->applied(step.slot, step.index);
  if (step.ledger && snapshots_->is_due(step.slot))
    snapshots_->write(step.slot, state_of(step.slot, *step.ledger));
  return true;
}

// As another server would be given it. Values stay as they are: only what rules keep is copied.
SlotState ArrayTable::state_of(uint32_t slot, const protocol::Ledger& ledger) {
  const Unrecorded quiet;
  SlotState state;
  state.ledger = ledger.bytes();
  const auto add = [&](protocol::PieceId piece) {
    for (uint32_t i = 0, count = parts(slot, piece); i < count; ++i)
      state.parts.push_back({piece, i, part(slot, piece, i)});
  };
  add(protocol::kSlotItself);
  for (const auto& [piece, record] : ledger.pieces) add(piece);
  return state;
}

void ArrayTable::clear(uint32_t slot) {
  slots_.erase(slot);
  if (snapshots_) snapshots_->clear(slot);
}

uint64_t ArrayTable::disk() const { return snapshots_ ? snapshots_->disk() : 0; }

std::string ArrayTable::last_view() { return snapshots_ ? snapshots_->last_view() : ""; }

void ArrayTable::follows(const protocol::View& view) {
  if (snapshots_) snapshots_->follows(view);
}

void ArrayTable::logged(const protocol::Entry& entry, const net::Payload& payload) {
  if (snapshots_) snapshots_->logged(entry, payload);
}

void ArrayTable::filled(uint32_t slot, const protocol::Epoch& epoch, const protocol::Ledger& ledger) {
  if (snapshots_) snapshots_->filled(slot, epoch, state_of(slot, ledger));
}

void ArrayTable::settle() {
  if (snapshots_) snapshots_->settle();
}

void ArrayTable::snapshot(uint32_t slot, uint64_t number, const std::string& ledger) {
  protocol::Ledger known;
  if (snapshots_ && known.read(ledger.data(), ledger.size())) {
    snapshots_->applied(slot, known.index);
    snapshots_->write(slot, state_of(slot, known));
    return;
  }
  warn(text("[kvstore server] snapshot ", number, " of slot ", slot,
            " is not kept: this server was given no folder (MIXGRAD_SNAPSHOTS)"));
}

std::vector<protocol::Restored> ArrayTable::restored() {
  if (!snapshots_) return {};
  return snapshots_->restore(
      [this](uint32_t slot, const SlotState::Part& part, const std::string& about) {
        return install(slot, part.piece, about, part.part, part.value);
      },
      [this](const protocol::Applied& step) { return apply_step(step); });
}

}  // namespace mixgrad::kvstore
