#include "kvstore/protocol/worker.h"

#include <algorithm>

namespace mixgrad::kvstore::protocol {

Worker::Worker(uint32_t rank, uint64_t incarnation, std::string contact, Rounds rounds, const Timing& timing)
    : rank_(rank),
      contact_(std::move(contact)),
      rounds_(rounds),
      timing_(timing),
      session_(NodeId::worker(rank), incarnation, timing) {}

bool Worker::is_member() const {
  const Participant* me = view().worker(rank_);
  return me && me->from != kNotYet;
}

Report Worker::report() const {
  Report out;
  out.contact = contact_;
  out.rounds = rounds_;
  out.barriers = barriers_;
  return out;
}

void Worker::on_message(Time now, const net::NodeName& from, net::Message message, Actions& actions) {
  NodeId id;
  bool sound = NodeId::parse(from, id) && id.role != Role::worker;
  if (sound) {
    sound = id.role == Role::scheduler ? on_scheduler(now, message, actions)
                                       : on_server(now, id.number, message, actions);
  }
  if (sound) return;
  ++nonsense_;
  ++actions.nonsense;
}

bool Worker::on_scheduler(Time now, const net::Message& message, Actions& actions) {
  const auto read = [&](auto& in) { return decode(message.fields.data(), message.fields.size(), in); };
  switch (static_cast<Kind>(message.kind)) {
    case Kind::barrier_passed: {
      BarrierPassed in;
      if (!read(in)) return false;
      if (session_.is_scheduler(in.scheduler)) pass_barriers(now, in.number, actions);
      return true;
    }
    case Kind::waiting: {
      Waiting in;
      if (!read(in)) return false;
      if (in.request.incarnation != session_.incarnation() || barriers_waiting_.empty()) return true;
      calls_.at(barriers_waiting_.front()).waits_for = in.whom;
      return true;
    }
    case Kind::left: {
      Leave in;
      if (!read(in)) return false;
      if (in.incarnation != session_.incarnation()) return true;
      std::vector<Ticket> left;
      for (const auto& [ticket, call] : calls_) {
        if (call.kind == Kind::leave) left.push_back(ticket);
      }
      for (const Ticket ticket : left) finish(now, ticket, {}, actions);
      return true;
    }
    default: break;
  }
  switch (session_.on_message(now, message, actions)) {
    case Session::News::nonsense: return false;
    case Session::News::wants_report: session_.send_report(report(), "", actions); break;
    case Session::News::adopted: adopt(now, actions); break;
    case Session::News::unfit:
      while (!calls_.empty()) {
        fail_call(now, calls_.begin()->first, Status::invalid_argument, session_.unfit(), actions);
      }
      break;
    case Session::News::none: break;
  }
  return true;
}

void Worker::pass_barriers(Time now, uint64_t number, Actions& actions) {
  if (number <= barriers_) return;
  barriers_ = number;
  // One that was never sent has no number yet.
  if (barriers_waiting_.empty()) return;
  const Ticket first = barriers_waiting_.front();
  const uint64_t waits = calls_.at(first).number;
  if (waits != 0 && waits <= number) finish(now, first, {}, actions);
}

// The first update of the piece was late: a worker that is behind does not send, one by one, what cannot count.
void Worker::skip_late(Time now, PieceId id, uint64_t round, Actions& actions) {
  Piece& piece = pieces_[id];
  Outcome late;
  late.fate = Fate::late;
  while (piece.updates.size() > 1 && calls_.at(piece.updates[1]).number <= round) {
    late.ticket = piece.updates[1];
    actions.outcomes.push_back(late);
    calls_.erase(late.ticket);
    piece.updates.erase(piece.updates.begin() + 1);
  }
  piece.next = std::max(piece.next, round + 1);
  finish(now, piece.updates.front(), std::move(late), actions);
}

void Worker::adopt(Time now, Actions& actions) {
  actions.view_changed = true;
  pass_barriers(now, view().barriers, actions);
  if (is_member()) {
    was_member_ = true;
    std::vector<Ticket> joined;
    for (const auto& [ticket, call] : calls_) {
      if (call.kind == Kind::join) joined.push_back(ticket);
    }
    for (const Ticket ticket : joined) finish_join(now, ticket, actions);
  } else if (was_member_) {  // it was thought dead: rounds went on without it
    wanted_from_ = 1;
    for (const auto& [id, piece] : pieces_) wanted_from_ = std::max(wanted_from_, piece.next);
    was_member_ = false;
    attempt(now, add(now, Kind::join, 0), actions);
  }
  std::vector<Ticket> lost;
  for (auto& [ticket, call] : calls_) {
    call.interval = timing_.retry;
    call.waits_for.clear();
    if (lost_slot(call) < view().slots.size()) {
      lost.push_back(ticket);
    } else {
      attempt(now, call, actions);
    }
  }
  for (const Ticket ticket : lost) fail_lost(now, ticket, actions);
}

void Worker::fail_lost(Time now, Ticket ticket, Actions& actions) {
  if (!calls_.count(ticket)) return;
  fail_call(now, ticket, Status::io,
            "slot " + std::to_string(lost_slot(calls_.at(ticket))) +
                " is lost: every server that held it ended; expected a new store from a snapshot",
            actions);
}

// A slot that the call needs and that is lost, or the number of slots.
size_t Worker::lost_slot(const Call& call) const {
  const auto& slots = view().slots;
  const bool of_piece = call.kind == Kind::init || call.kind == Kind::push || call.kind == Kind::pull;
  if (of_piece) {
    const uint32_t slot = view().slot_of(call.target);
    return slot < slots.size() && slots[slot].lost ? slot : slots.size();
  }
  if (call.kind != Kind::command) return slots.size();
  const auto at = std::find_if(slots.begin(), slots.end(), [](const Placement& slot) { return slot.lost; });
  return static_cast<size_t>(at - slots.begin());
}

Worker::Call* Worker::find(Kind kind, uint64_t target, uint64_t number) {
  if (kind == Kind::command) return commands_.empty() ? nullptr : &calls_.at(commands_.front());
  const auto piece = pieces_.find(target);
  if (piece == pieces_.end()) return nullptr;
  if (kind != Kind::init && kind != Kind::push && kind != Kind::pull) return nullptr;
  const auto& queue = queue_of(kind, piece->second);
  if (queue.empty()) return nullptr;
  Call& call = calls_.at(queue.front());
  return kind == Kind::init || call.number == number ? &call : nullptr;
}

bool Worker::on_server(Time now, uint32_t server, net::Message& message, Actions& actions) {
  // Calls `take` with the message and the call that it answers, if there is one in this view.
  const auto with = [&](auto in, Kind kind, auto take) {
    if (!decode(message.fields.data(), message.fields.size(), in)) return false;
    const Request& request = in.request;
    if (request.incarnation != session_.incarnation() || request.epoch != view().epoch) return true;
    if (Call* call = find(kind, request.target, request.number)) take(*call, in);
    return true;
  };
  switch (static_cast<Kind>(message.kind)) {
    case Kind::init_done:
      return with(InitDone(), Kind::init, [&](Call& call, InitDone& in) {
        Piece& piece = pieces_[call.target];
        if (!piece.is_known) piece.next = (rounds_.policy == Policy::async ? in.mark : in.round) + 1;
        piece.is_known = true;
        Outcome outcome;
        outcome.round = in.round;
        outcome.mark = in.mark;
        finish(now, call.ticket, std::move(outcome), actions);
      });
    case Kind::push_done:
      return with(PushDone(), Kind::push, [&](Call& call, PushDone& in) {
        if (in.fate == Fate::unknown) {
          call.sent_to = 0;
          attempt(now, call, actions);
          return;
        }
        if (in.fate == Fate::late) {
          skip_late(now, call.target, in.round, actions);
          return;
        }
        Outcome outcome;
        outcome.fate = in.fate;
        finish(now, call.ticket, std::move(outcome), actions);
      });
    case Kind::pulled:
      return with(Pulled(), Kind::pull, [&](Call& call, Pulled& in) {
        Outcome outcome;
        outcome.round = in.round;
        outcome.value = {in.format, std::move(message.payload)};
        finish(now, call.ticket, std::move(outcome), actions);
      });
    case Kind::waiting: {
      Waiting in;
      if (!decode(message.fields.data(), message.fields.size(), in)) return false;
      return with(std::move(in), in.kind, [&](Call& call, Waiting& told) { call.waits_for = told.whom; });
    }
    case Kind::command_done: {
      CommandDone in;
      if (!decode(message.fields.data(), message.fields.size(), in)) return false;
      return on_command_done(now, in, actions);
    }
    case Kind::refused: {
      Refused in;
      if (!decode(message.fields.data(), message.fields.size(), in)) return false;
      return on_refused(now, server, in, actions);
    }
    default: return false;
  }
}

bool Worker::on_command_done(Time now, const CommandDone& in, Actions& actions) {
  const Request& request = in.request;
  if (request.incarnation != session_.incarnation() || request.epoch != view().epoch) return true;
  if (request.target >= view().slots.size()) return false;
  const uint32_t slot = static_cast<uint32_t>(request.target);
  const auto known = command_marks_.find(slot);
  if (known == command_marks_.end()) {
    command_marks_[slot] = in.mark;
    if (!commands_.empty()) attempt(now, calls_.at(commands_.front()), actions);
    return true;
  }
  if (commands_.empty() || request.number != known->second + 1 || in.mark < request.number) return true;
  Call& call = calls_.at(commands_.front());
  if (slot >= call.slots_done.size() || call.slots_done[slot]) return true;
  call.slots_done[slot] = true;
  known->second = request.number;
  if (std::all_of(call.slots_done.begin(), call.slots_done.end(), [](bool done) { return done; })) {
    finish(now, call.ticket, {}, actions);
  }
  return true;
}

bool Worker::on_refused(Time now, uint32_t server, const Refused& in, Actions& actions) {
  if (in.request.incarnation != session_.incarnation()) return true;
  if (in.why.empty()) {
    if (view().epoch < in.request.epoch) session_.soon(now);
    return true;
  }
  if (in.request.epoch != view().epoch) return true;
  Call* call = find(in.kind, in.request.target, in.request.number);
  if (call && call->kind == in.kind) {
    fail_call(now, call->ticket, Status::invalid_argument, NodeId::server(server).str() + ": " + in.why,
              actions);
  }
  return true;
}

void Worker::on_time(Time now, Actions& actions) {
  session_.on_time(now, actions);
  if (now < wake_) return;
  std::vector<Ticket> late, lost;
  wake_ = kNever;
  for (auto& [ticket, call] : calls_) {
    if (now >= call.deadline) {
      late.push_back(ticket);
    } else if (now >= call.next_try && view().epoch.number > 0 && lost_slot(call) < view().slots.size()) {
      lost.push_back(ticket);  // it began when the slot was lost already
    } else if (now >= call.next_try) {
      attempt(now, call, actions);
    }
    wake_ = std::min({wake_, call.next_try, call.deadline});
  }
  for (const Ticket ticket : lost) fail_lost(now, ticket, actions);
  for (const Ticket ticket : late) {
    if (!calls_.count(ticket)) continue;
    fail_call(now, ticket, Status::io,
              "nothing for " + std::to_string(timing_.request_limit / 1000) + " ms; waits for " +
                  whom(calls_.at(ticket)),
              actions);
  }
}

Time Worker::wake() const { return std::min(session_.wake(), wake_); }

}  // namespace mixgrad::kvstore::protocol
