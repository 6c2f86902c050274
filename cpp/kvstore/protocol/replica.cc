#include "kvstore/protocol/replica.h"

#include <algorithm>

namespace mixgrad::kvstore::protocol {

bool Replica::restore(Ledger ledger, std::vector<LogStep> steps) {
  ledger_ = std::move(ledger);
  log_.reset(ledger_.index);
  for (LogStep& step : steps) {
    if (step.entry.index != log_.tail() + 1) return false;
    log_.append(std::move(step));
  }
  return true;
}

void Replica::forget() {
  context_.table->clear(slot_);
  restore({});
  desks_.clear();
}

void Replica::adopt(Time now, Actions& actions) {
  const Placement& placement = view().slots[slot_];
  const bool led = is_primary();
  const auto is_in = [&](const std::vector<uint32_t>& list) {
    return std::find(list.begin(), list.end(), context_.self) != list.end();
  };
  peers_.clear();
  transfers_.clear();
  in_flight_.clear();
  arriving_ = {};
  ahead_.clear();
  next_part_ = count_parts_ = 0;
  paused_ = has_acknowledged_ = owes_ = false;
  owed_bytes_ = 0;
  if (!placement.full.empty() && placement.full[0] == context_.self) {
    role_ = Role::primary;
  } else if (is_in(placement.full)) {
    role_ = Role::backup;
  } else {
    if (role_ != Role::none || log_.tail() > 0) forget();
    role_ = is_in(placement.filling) ? Role::learner : Role::none;
  }
  verified_ = opened_at_ = log_.applied();
  if (!is_primary() || !led) desks_.clear();
  if (is_primary()) lead(now, actions);
}

void Replica::apply_up_to(uint64_t index, Actions& actions) {
  while (log_.applied() < index && context_.failure.empty()) {
    const LogStep step = *log_.find(log_.applied() + 1);
    apply(step);
    if (!is_primary()) continue;
    const auto flight = in_flight_.find(step.entry.piece);
    if (flight != in_flight_.end() && --flight->second.steps == 0) in_flight_.erase(flight);
    answer_applied(step, actions);
  }
}

void Replica::apply(const LogStep& step) {
  const Entry& entry = step.entry;
  const Value value{entry.format, step.payload};
  log_.applied_one();
  ledger_.note(entry);
  ++context_.counters.applied;
  if (entry.step == Step::opening) return;
  if (is_snapshot(entry)) {
    uint64_t number = 0;
    const auto* bytes = static_cast<const uint8_t*>(step.payload.data);
    for (size_t i = 0; i < step.payload.bytes && i < 8; ++i) number |= uint64_t{bytes[i]} << (8 * i);
    context_.table->snapshot(slot_, number, ledger_.bytes());
    return;
  }
  if (context_.table->apply(as_applied(entry, value, &ledger_))) return;
  context_.failure = "[server] step " + std::to_string(entry.index) + " of slot " + std::to_string(slot_) +
                     " makes no sense to the table; expected one that a primary has checked";
}

void Replica::on_time(Time now, Actions& actions) {
  if (is_filled()) send_filled(context_.self, actions);
  if (role_ == Role::backup && owes_) acknowledge(view().slots[slot_].full[0], actions);
  if (!is_primary()) return;
  for (auto& [server, peer] : peers_) {
    if (peer.known && peer.verified == log_.tail() && peer.applied == log_.applied()) {
      peer.at = now;  // what it is sent next has its time from then on
      continue;
    }
    if (now - peer.at < context_.timing.retry) continue;
    peer.at = now;
    peer.sent = peer.verified;
    if (peer.known && peer.verified < log_.tail()) {
      send_rest(server, peer, actions);
    } else {
      send_commit(server, actions);
    }
  }
  for (auto& [server, transfer] : transfers_) {
    if (now - transfer.at < context_.timing.retry) continue;
    transfer.at = now;
    if (transfer.done) {
      send_filled(server, actions);
    } else {
      transfer.sent = transfer.acknowledged;
      send_parts(server, transfer, actions);
    }
  }
}

}  // namespace mixgrad::kvstore::protocol
