#include "kvstore/protocol/server.h"

#include <algorithm>

#include "base/error.h"

namespace mixgrad::kvstore::protocol {

Server::Server(uint32_t number, uint64_t incarnation, std::string contact, const Timing& timing, Table& table)
    : session_(NodeId::server(number), incarnation, timing), contact_(std::move(contact)) {
  context_.self = number;
  context_.view = &session_.view();
  context_.table = &table;
  context_.timing = timing;
  for (Restored& one : table.restored()) {
    Ledger ledger;
    if (one.slot >= kMaxSlots || one.snapshot == 0 || !ledger.read(one.ledger.data(), one.ledger.size())) {
      fail(Status::format, "[server] the ledger of slot ", one.slot, " in snapshot ", one.snapshot,
           " makes no sense");
    }
    restored_.push_back({one.slot, one.snapshot, ledger.index + one.steps.size(), one.origin});
    Replica& replica = replicas_.try_emplace(one.slot, one.slot, context_).first->second;
    if (!replica.restore(std::move(ledger), std::move(one.steps)))
      fail(Status::format, "[server] the log of slot ", one.slot, " has no order");
  }
  last_view_ = table.last_view();
}

void Server::on_message(Time now, const net::NodeName& from, net::Message message, Actions& actions) {
  if (!failure().empty()) return;
  NodeId id;
  bool sound = NodeId::parse(from, id) && id != session_.self();
  if (sound) {
    switch (id.role) {
      case Role::scheduler: sound = on_scheduler(now, message, actions); break;
      case Role::server: sound = on_server(now, id.number, message, actions); break;
      case Role::worker: sound = on_worker(now, id.number, message, actions); break;
    }
  }
  context_.table->settle();
  if (sound) return;
  ++context_.counters.nonsense;
  ++actions.nonsense;
}

bool Server::on_scheduler(Time now, const net::Message& message, Actions& actions) {
  switch (session_.on_message(now, message, actions)) {
    case Session::News::nonsense: return false;
    case Session::News::wants_report: session_.send_report(report(), last_view_, actions); break;
    case Session::News::adopted: adopt(now, actions); break;
    case Session::News::unfit:
    case Session::News::none: break;
  }
  return true;
}

Report Server::report() const {
  Report out;
  out.contact = contact_;
  out.holdings = restored_;
  out.disk = context_.table->disk();
  for (const auto& [slot, replica] : replicas_) {
    if (replica.is_filled()) out.filled.push_back(slot);
  }
  return out;
}

void Server::adopt(Time now, Actions& actions) {
  actions.view_changed = true;
  context_.table->follows(view());
  for (uint32_t slot = 0; slot < view().slots.size(); ++slot) {
    replicas_.try_emplace(slot, slot, context_).first->second.adopt(now, actions);
  }
  restored_.clear();
  last_view_.clear();
  due_ = now + context_.timing.retry;
}

Replica* Server::of_view(Time now, const Epoch& epoch, uint32_t slot) {
  if (view().epoch.number == 0) return nullptr;
  if (epoch != view().epoch && context_.safeguards.fences) {
    ++context_.counters.fenced;
    if (view().epoch < epoch) session_.soon(now);
    return nullptr;
  }
  const auto at = replicas_.find(slot);
  return at == replicas_.end() ? nullptr : &at->second;
}

template <class T>
bool Server::request(Time now, uint32_t rank, Kind kind, const net::Message& message, Actions& actions,
                     bool (Replica::*take)(uint32_t, const T&, const net::Message&, Actions&)) {
  T in;
  if (!decode(message.fields.data(), message.fields.size(), in)) return false;
  const Request& request = in.request;
  const bool is_command = kind == Kind::command;
  if (!is_command && request.target == kSlotItself) return false;
  if (view().epoch.number == 0) return true;
  if (is_command && request.target >= view().slots.size()) return false;
  const uint32_t slot = is_command ? static_cast<uint32_t>(request.target) : view().slot_of(request.target);
  Replica* replica = of_view(now, request.epoch, slot);
  const Participant* worker = view().worker(rank);
  if (!replica || replica->role() != Replica::Role::primary || !worker ||
      worker->incarnation != request.incarnation) {
    // A worker behind asks the scheduler; one ahead repeats it when this server has followed.
    if (request.epoch < view().epoch) {
      actions.send(
          NodeId::worker(rank), Kind::refused,
          Refused{{view().epoch, request.incarnation, request.target, request.number}, kind, std::string()});
    }
    return true;
  }
  return (replica->*take)(rank, in, message, actions);
}

bool Server::on_worker(Time now, uint32_t rank, const net::Message& message, Actions& actions) {
  switch (static_cast<Kind>(message.kind)) {
    case Kind::init: return request<Init>(now, rank, Kind::init, message, actions, &Replica::on_init);
    case Kind::push: return request<Push>(now, rank, Kind::push, message, actions, &Replica::on_push);
    case Kind::pull: return request<Pull>(now, rank, Kind::pull, message, actions, &Replica::on_pull);
    case Kind::command:
      return request<Command>(now, rank, Kind::command, message, actions, &Replica::on_command);
    default: return false;
  }
}

bool Server::on_server(Time now, uint32_t server, net::Message& message, Actions& actions) {
  const auto& fields = message.fields;
  // Calls `take` with the message and the replica that it is for.
  const auto with = [&](auto in, bool from_primary, auto take) {
    if (!decode(fields.data(), fields.size(), in)) return false;
    if (in.slot >= kMaxSlots) return false;
    Replica* replica = of_view(now, in.epoch, in.slot);
    if (!replica) return true;
    const uint32_t* primary = view().primary(in.slot);
    if (from_primary && context_.safeguards.fences && (!primary || *primary != server)) return false;
    return take(*replica, in);
  };
  switch (static_cast<Kind>(message.kind)) {
    case Kind::entry:
      return with(Entry(), true, [&](Replica& to, Entry& in) {
        return to.on_entry(server, std::move(in), message, actions);
      });
    case Kind::commit:
      return with(Commit(), true, [&](Replica& to, Commit& in) { return to.on_commit(server, in, actions); });
    case Kind::part:
      return with(Part(), true,
                  [&](Replica& to, Part& in) { return to.on_part(server, in, message, actions); });
    case Kind::entry_ack:
      return with(EntryAck(), false,
                  [&](Replica& to, EntryAck& in) { return to.on_entry_ack(now, server, in, actions); });
    case Kind::part_ack:
      return with(PartAck(), false,
                  [&](Replica& to, PartAck& in) { return to.on_part_ack(now, server, in, actions); });
    default: return false;
  }
}

void Server::on_time(Time now, Actions& actions) {
  if (!failure().empty()) return;
  session_.on_time(now, actions);
  if (now < due_) return;
  due_ = now + context_.timing.retry / 2;
  for (auto& [slot, replica] : replicas_) replica.on_time(now, actions);
  context_.table->settle();
}

Time Server::wake() const { return failure().empty() ? std::min(session_.wake(), due_) : kNever; }

}  // namespace mixgrad::kvstore::protocol
