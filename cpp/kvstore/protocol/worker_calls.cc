// Requests of a worker: how they begin, are sent and repeated, and end.
#include <algorithm>
#include <set>

#include "base/error.h"
#include "kvstore/protocol/worker.h"

namespace mixgrad::kvstore::protocol {
namespace {

const char* word_of(Kind kind) {
  switch (kind) {
    case Kind::init: return "init";
    case Kind::push: return "push";
    case Kind::pull: return "pull";
    case Kind::command: return "command";
    case Kind::barrier: return "barrier";
    case Kind::join: return "join";
    default: return "leave";
  }
}

bool is_of_piece(Kind kind) { return kind == Kind::init || kind == Kind::push || kind == Kind::pull; }

}  // namespace

Worker::Call& Worker::add(Time now, Kind kind, uint64_t target) {
  Call& call = calls_[++last_ticket_];
  call.kind = kind;
  call.ticket = last_ticket_;
  call.target = target;
  call.deadline = now + timing_.request_limit;
  call.next_try = now;
  wake_ = std::min(wake_, call.deadline);
  call.interval = timing_.retry;
  return call;
}

Ticket Worker::init(Time now, PieceId piece, std::string about, Value value, Actions& actions,
                    uint64_t round) {
  Call& call = add(now, Kind::init, piece);
  call.about = std::move(about);
  call.number = round;
  if (rank_ == 0) call.value = std::move(value);
  auto& inits = pieces_[piece].inits;
  inits.push_back(call.ticket);
  if (inits.size() == 1) attempt(now, call, actions);
  return last_ticket_;
}

std::vector<Ticket> Worker::push(Time now, Span<const PushRequest> updates, Actions& actions) {
  std::vector<Ticket> tickets;
  for (const PushRequest& update : updates) {
    Piece& piece = pieces_[update.piece];
    Call& call = add(now, Kind::push, update.piece);
    tickets.push_back(call.ticket);
    call.number = piece.next++;
    call.value = update.value;
    call.priority = update.priority;
    piece.updates.push_back(call.ticket);
    if (!piece.broken.empty()) {
      fail_call(now, call.ticket, Status::io, piece.broken, actions);
    } else if (!piece.is_known) {
      fail_call(now, call.ticket, Status::not_found, "init() of this piece has not ended", actions);
    } else if (piece.updates.size() == 1) {
      attempt(now, call, actions);
    }
  }
  return tickets;
}

Ticket Worker::pull(Time now, PullRequest request, Actions& actions) {
  Piece& piece = pieces_[request.piece];
  Call& call = add(now, Kind::pull, request.piece);
  call.number = ++last_pull_;
  call.exact = request.exact;
  call.after = request.exact ? request.round : piece.next - 1;
  call.value = {request.format, std::move(request.rows)};
  call.priority = request.priority;
  piece.pulls.push_back(call.ticket);
  if (piece.pulls.size() == 1) attempt(now, call, actions);
  return last_ticket_;
}

Ticket Worker::command(Time now, int32_t head, net::Payload body, Actions& actions) {
  Call& call = add(now, Kind::command, 0);
  call.head = head;
  call.value.payload = std::move(body);
  commands_.push_back(call.ticket);
  if (commands_.size() == 1) attempt(now, call, actions);
  return last_ticket_;
}

Ticket Worker::command(Time now, int32_t head, std::vector<net::Payload> bodies, Actions& actions) {
  Call& call = add(now, Kind::command, 0);
  call.head = head;
  call.bodies = std::move(bodies);
  commands_.push_back(call.ticket);
  if (commands_.size() == 1) attempt(now, call, actions);
  return last_ticket_;
}

Ticket Worker::barrier(Time now, Actions& actions) {
  Call& call = add(now, Kind::barrier, 0);
  barriers_waiting_.push_back(call.ticket);
  if (barriers_waiting_.size() == 1) attempt(now, call, actions);
  return last_ticket_;
}

Ticket Worker::join(Time now, uint64_t from, Actions& actions) {
  wanted_from_ = from;
  attempt(now, add(now, Kind::join, 0), actions);
  const Ticket ticket = last_ticket_;
  if (is_member()) finish_join(now, ticket, actions);
  return ticket;
}

Ticket Worker::leave(Time now, Actions& actions) {
  attempt(now, add(now, Kind::leave, 0), actions);
  return last_ticket_;
}

void Worker::number_next(PieceId piece, uint64_t number) {
  Piece& known = pieces_[piece];
  if (number == 0 || !known.updates.empty()) {
    fail(Status::invalid_argument, "[number_next] update ", number, " of piece ", piece, ", of which ",
         known.updates.size(), " are on their way; expected a number from 1 on, and none on its way");
  }
  known.next = number;
}

uint64_t Worker::next_number(PieceId piece) const {
  const auto at = pieces_.find(piece);
  return at == pieces_.end() ? 1 : at->second.next;
}

// Requests of one kind for one piece, which are sent one after another.
std::deque<Ticket>& Worker::queue_of(Kind kind, Piece& piece) {
  return kind == Kind::init ? piece.inits : kind == Kind::push ? piece.updates : piece.pulls;
}

// Whether it is its turn.
bool Worker::is_due(const Call& call) {
  const auto first = [&](const std::deque<Ticket>& queue) {
    return !queue.empty() && queue.front() == call.ticket;
  };
  switch (call.kind) {
    case Kind::init:
    case Kind::push:
    case Kind::pull: return first(queue_of(call.kind, pieces_.at(call.target)));
    case Kind::command: return first(commands_);
    case Kind::barrier: return first(barriers_waiting_);
    case Kind::leave: return calls_.begin()->second.ticket == call.ticket;
    default: return true;
  }
}

void Worker::attempt(Time now, Call& call, Actions& actions) {
  if (!is_due(call)) {
    call.next_try = call.deadline;  // until it is its turn
    return;
  }
  call.next_try = now + call.interval;
  wake_ = std::min(wake_, call.next_try);
  call.interval = std::min(call.interval * 2, timing_.retry_limit);
  if (view().epoch.number > 0) send_call(call, actions);
}

void Worker::send_call(Call& call, Actions& actions) {
  const uint64_t incarnation = session_.incarnation();
  switch (call.kind) {
    case Kind::join: actions.send(NodeId::scheduler(), Kind::join, Join{incarnation, wanted_from_}); return;
    case Kind::leave: actions.send(NodeId::scheduler(), Kind::leave, Leave{incarnation}); return;
    case Kind::barrier:
      call.number = barriers_ + 1;
      actions.send(NodeId::scheduler(), Kind::barrier, Barrier{incarnation, call.number});
      return;
    case Kind::command: send_command(call, actions); return;
    default: break;
  }
  const uint32_t* primary = view().primary(view().slot_of(call.target));
  if (!primary) return;
  const NodeId to = NodeId::server(*primary);
  const Request request{view().epoch, incarnation, call.target, call.kind == Kind::init ? 0 : call.number};
  const Format& format = call.value.format;
  if (call.kind == Kind::init) {
    actions.send(to, Kind::init, Init{request, call.number, call.about, format}, call.value.payload,
                 call.priority);
  } else if (call.kind == Kind::pull) {
    actions.send(to, Kind::pull, Pull{request, call.after, call.exact, format}, call.value.payload,
                 call.priority);
  } else {
    // The value travels once to a process, unless that says that it does not have it.
    const uint64_t process = view().server(*primary)->incarnation;
    const bool asks = call.sent_to == process;
    call.sent_to = process;
    actions.send(to, Kind::push, Push{request, asks, format}, asks ? net::Payload() : call.value.payload,
                 call.priority);
  }
}

void Worker::send_command(Call& call, Actions& actions) {
  call.slots_done.resize(view().slots.size());
  for (uint32_t slot = 0; slot < view().slots.size(); ++slot) {
    const uint32_t* primary = view().primary(slot);
    if (call.slots_done[slot] || !primary) continue;
    Command out;
    out.request = {view().epoch, session_.incarnation(), slot, 0};
    out.head = call.head;
    const auto mark = command_marks_.find(slot);
    if (mark != command_marks_.end()) out.request.number = mark->second + 1;
    const net::Payload& body = slot < call.bodies.size() ? call.bodies[slot] : call.value.payload;
    actions.send(NodeId::server(*primary), Kind::command, out,
                 out.request.number > 0 ? body : net::Payload());
  }
}

void Worker::attempt_next(Time now, const std::deque<Ticket>& queue, Actions& actions) {
  if (!queue.empty()) attempt(now, calls_.at(queue.front()), actions);
}

void Worker::finish_join(Time now, Ticket ticket, Actions& actions) {
  Outcome outcome;
  outcome.round = from();
  finish(now, ticket, std::move(outcome), actions);
}

void Worker::finish(Time now, Ticket ticket, Outcome outcome, Actions& actions) {
  const auto at = calls_.find(ticket);
  const Kind kind = at->second.kind;
  const uint64_t target = at->second.target;
  outcome.ticket = ticket;
  actions.outcomes.push_back(std::move(outcome));
  calls_.erase(at);
  const auto next = [&](std::deque<Ticket>& queue) {
    queue.erase(std::find(queue.begin(), queue.end(), ticket));
    attempt_next(now, queue, actions);
  };
  switch (kind) {
    case Kind::init:
    case Kind::push:
    case Kind::pull: next(queue_of(kind, pieces_[target])); break;
    case Kind::command: next(commands_); break;
    case Kind::barrier: next(barriers_waiting_); break;
    default: break;
  }
  if (!calls_.empty() && calls_.begin()->second.kind == Kind::leave) {
    attempt(now, calls_.begin()->second, actions);  // all others have ended
  }
}

std::string Worker::described(const Call& call) const {
  std::string text = "[" + std::string(word_of(call.kind)) + "] ";
  if (call.kind == Kind::push) text += "update " + std::to_string(call.number) + " of ";
  if (is_of_piece(call.kind)) text += "piece " + std::to_string(call.target) + ": ";
  return text;
}

// Who keeps it waiting, as far as this worker knows.
std::string Worker::whom(const Call& call) const {
  if (view().epoch.number == 0) {
    if (!session_.knows_scheduler()) return "scheduler";
    return session_.waits_for().empty() ? "scheduler" : session_.waits_for();
  }
  if (!call.waits_for.empty()) return call.waits_for;
  if (!is_of_piece(call.kind)) return call.kind == Kind::command ? "the servers" : "scheduler";
  const uint32_t* primary = view().primary(view().slot_of(call.target));
  return primary ? NodeId::server(*primary).str() : "a server";
}

Awaited Worker::awaited(Time now) const {
  std::set<std::string> names;
  for (const auto& [ticket, call] : calls_) {
    const std::string list = whom(call);
    for (size_t at = 0; at < list.size();) {
      const size_t end = std::min(list.find(", ", at), list.size());
      names.insert(list.substr(at, end - at));
      at = end + 2;
    }
  }
  Awaited out;
  const std::string scheduler = NodeId::scheduler().str();
  const bool is_scheduler_heard = now - session_.heard() < timing_.dead_after;
  for (const std::string& name : names) {
    out.whom.push_back(name);
    NodeId id;
    if (!NodeId::parse(name, id) || name == scheduler) continue;
    const Participant* participant = view().participant(id);
    if (participant && !participant->live) out.dead.push_back(name);
  }
  if (!is_scheduler_heard) out.dead.push_back(scheduler);
  return out;
}

void Worker::fail_call(Time now, Ticket ticket, Status status, const std::string& why, Actions& actions) {
  const Call& call = calls_.at(ticket);
  std::vector<Ticket> failed = {ticket};
  Outcome outcome;
  outcome.status = status;
  if (call.kind == Kind::push) {  // those behind it would wait for it for ever
    Piece& piece = pieces_[call.target];
    const auto first = std::find(piece.updates.begin(), piece.updates.end(), ticket);
    failed.assign(first, piece.updates.end());
    piece.next = call.number;
    if (status == Status::io) piece.broken = why;  // nobody knows whether it counted
    piece.updates.erase(first + 1, piece.updates.end());
  }
  for (size_t i = 1; i < failed.size(); ++i) {
    outcome.message = described(calls_.at(failed[i])) + "an update before it failed: " + why;
    outcome.ticket = failed[i];
    actions.outcomes.push_back(outcome);
    calls_.erase(failed[i]);
  }
  outcome.message = described(call) + why;
  finish(now, ticket, outcome, actions);
}

}  // namespace mixgrad::kvstore::protocol
