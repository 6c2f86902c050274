// What workers send to the primary of a slot: first values, updates, pulls and commands.
#include <algorithm>

#include "kvstore/protocol/replica.h"

namespace mixgrad::kvstore::protocol {
namespace {

constexpr size_t kMaxPieces = size_t{1} << 20;  // of a slot
constexpr size_t kMaxNamed = 8;                 // processes that a message names

std::string named(const std::vector<uint32_t>& ranks) {
  std::string names;
  for (size_t i = 0; i < ranks.size() && i < kMaxNamed; ++i) {
    names += (i ? ", " : "") + NodeId::worker(ranks[i]).str();
  }
  if (ranks.size() > kMaxNamed) names += " and " + std::to_string(ranks.size() - kMaxNamed) + " more";
  return names;
}

}  // namespace

Request Replica::answer_to(uint32_t rank, uint64_t target, uint64_t number) const {
  const Participant* worker = view().worker(rank);
  return {view().epoch, worker ? worker->incarnation : 0, target, number};
}

void Replica::refuse(uint32_t rank, const Request& request, Kind kind, std::string why,
                     Actions& actions) const {
  actions.send(NodeId::worker(rank), Kind::refused,
               Refused{answer_to(rank, request.target, request.number), kind, std::move(why)});
}

void Replica::tell_waiting(uint32_t rank, const Request& request, Kind kind, std::string whom,
                           Actions& actions) const {
  actions.send(NodeId::worker(rank), Kind::waiting,
               Waiting{answer_to(rank, request.target, request.number), kind, std::move(whom)});
}

bool Replica::on_init(uint32_t rank, const Init& init, const net::Message& message, Actions& actions) {
  const Request& request = init.request;
  if (init.about.size() > kMaxAboutBytes) return false;
  const PieceRecord* record = ledger_.find(request.target);
  std::string wrong = context_.table->check_init(slot_, request.target, init.about, record != nullptr);
  if (wrong.empty() && !record && rank == 0) {
    wrong = context_.table->check_first(request.target, init.about, {init.format, message.payload});
  }
  if (wrong.empty() && ledger_.pieces.size() >= kMaxPieces) wrong = "the server holds too many pieces";
  if (!wrong.empty()) {
    refuse(rank, request, Kind::init, std::move(wrong), actions);
  } else if (log_.applied() < opened_at_ ||
             (record && proposed(request.target, rank, Ledger::mark(record->marks, rank)) >
                            Ledger::mark(record->marks, rank))) {
    // A worker that came back must not number its updates like one of its predecessor that may still count.
    tell_waiting(rank, request, Kind::init, slow_replicas(), actions);
  } else if (record) {
    actions.send(NodeId::worker(rank), Kind::init_done,
                 InitDone{answer_to(rank, request.target, request.number), record->round,
                          Ledger::mark(record->marks, rank)});
  } else if (rank != 0 || is_closing(request.target) || paused_) {
    const std::string whom = rank != 0 && !is_closing(request.target) ? "worker:0" : slow_replicas();
    tell_waiting(rank, request, Kind::init, whom, actions);
  } else {
    LogStep step;
    step.entry.step = Step::init;
    step.entry.piece = request.target;
    step.entry.round = init.round;
    step.entry.about = init.about;
    step.entry.format = init.format;
    step.payload = message.payload;
    step.priority = message.priority;
    propose(std::move(step), actions);
  }
  return true;
}

// The last sequence of this rank that is applied or on its way to be.
uint64_t Replica::proposed(PieceId piece, uint32_t rank, uint64_t applied) const {
  const auto at = in_flight_.find(piece);
  return at == in_flight_.end() ? applied : std::max(applied, Ledger::mark(at->second.marks, rank));
}

bool Replica::on_push(uint32_t rank, const Push& push, const net::Message& message, Actions& actions) {
  const Request& request = push.request;
  const uint64_t sequence = request.number;
  if (sequence == 0 || sequence == UINT64_MAX) return false;
  const PieceRecord* record = ledger_.find(request.target);
  if (!record) {
    if (!is_closing(request.target)) {
      refuse(rank, request, Kind::push, "it has no first value", actions);
    }
    return true;
  }
  const auto done = [&](Fate fate) {
    actions.send(NodeId::worker(rank), Kind::push_done,
                 PushDone{answer_to(rank, request.target, sequence), fate, record->round});
  };
  const uint64_t mark = Ledger::mark(record->marks, rank);
  const uint64_t closed = is_async() ? mark : record->round;
  if (sequence <= closed && context_.safeguards.counts_once) {
    ++(mark >= sequence ? context_.counters.repeated : context_.counters.late);
    done(mark >= sequence ? Fate::applied : Fate::late);
    return true;
  }
  if (is_async() && sequence > proposed(request.target, rank, mark) + 1) {
    refuse(rank, request, Kind::push,
           "updates up to " + std::to_string(sequence - 1) + " counted, and the store has those up to " +
               std::to_string(mark) + " only: it has lost some, or the worker numbers them wrongly",
           actions);
    return true;
  }
  Desk& desk = desks_[request.target];
  const auto at = desk.pending.find(rank);
  const bool here = at != desk.pending.end() && at->second.sequence == sequence;
  const auto flight = in_flight_.find(request.target);
  const bool logged = flight != in_flight_.end() && context_.safeguards.counts_once &&
                      Ledger::mark(flight->second.marks, rank) >= sequence;
  if (here || logged) {
    tell_waiting(rank, request, Kind::push, whom_push_waits_for(request.target), actions);
    return true;
  }
  if (push.asks) {
    done(Fate::unknown);
    return true;
  }
  Value value{push.format, message.payload};
  std::string wrong = context_.table->check_push(slot_, request.target, value);
  if (!wrong.empty()) {
    refuse(rank, request, Kind::push, std::move(wrong), actions);
    return true;
  }
  desk.pending[rank] = {sequence, request.incarnation, std::move(value), message.priority};
  close(request.target, actions);
  return true;
}

std::string Replica::whom_push_waits_for(PieceId piece) const {
  const PieceRecord* record = ledger_.find(piece);
  const auto desk = desks_.find(piece);
  if (!is_closing(piece) && !paused_ && record && desk != desks_.end()) {
    const std::string names = named(missing(desk->second, standing(*record) + 1));
    if (!names.empty()) return names;
  }
  return slow_replicas();
}

// The last round that is over: the present value's, or a later one if rounds up to there wait for nobody, because whoever they
// waited for was dropped or has left.
uint64_t Replica::standing(const PieceRecord& record) const {
  uint64_t first = kNotYet;
  for (const Participant& worker : view().workers) first = std::min(first, worker.from);
  return first == kNotYet || first == 0 ? record.round : std::max(record.round, first - 1);
}

// Workers whose updates the round waits for.
std::vector<uint32_t> Replica::missing(const Desk& desk, uint64_t round) const {
  std::vector<uint32_t> ranks;
  size_t here = 0, expected = 0;
  for (const Participant& worker : view().workers) {
    const auto at = desk.pending.find(worker.number);
    const bool has = at != desk.pending.end() && at->second.sequence <= round;
    here += has;
    if (worker.from > round) continue;
    ++expected;
    if (!has) ranks.push_back(worker.number);
  }
  if (view().rounds.policy == Policy::first && here >= std::min<size_t>(view().rounds.count, expected)) {
    ranks.clear();
  }
  return ranks;
}

// Workers ask again for what they pull; updates of processes that the view knows stay.
void Replica::keep_pending_of_view() {
  for (auto& [piece, desk] : desks_) {
    desk.pulls.clear();
    for (auto at = desk.pending.begin(); at != desk.pending.end();) {
      const Participant* worker = view().worker(at->first);
      const bool stays = worker && worker->incarnation == at->second.incarnation;
      at = stays ? std::next(at) : desk.pending.erase(at);
    }
  }
}

void Replica::close_all(Actions& actions) {
  std::vector<PieceId> pieces;
  for (const auto& [piece, desk] : desks_) pieces.push_back(piece);
  for (const PieceId piece : pieces) close(piece, actions);
}

// Logs what is complete.
void Replica::close(PieceId piece, Actions& actions) {
  const PieceRecord* record = ledger_.find(piece);
  const auto at = desks_.find(piece);
  if (paused_ || !record || at == desks_.end() || at->second.pending.empty()) return;
  Desk& desk = at->second;
  if (is_async()) return close_async(piece, desk, *record, actions);
  if (is_closing(piece)) return;
  const uint64_t round = standing(*record) + 1;
  std::vector<Contribution> contributions;
  LogStep step;
  if (!missing(desk, round).empty()) return;
  for (auto pending = desk.pending.begin(); pending != desk.pending.end();) {
    if (pending->second.sequence > round) {
      ++pending;
      continue;
    }
    step.entry.marks.push_back({pending->first, pending->second.sequence});
    step.priority =
        contributions.empty() ? pending->second.priority : std::max(step.priority, pending->second.priority);
    contributions.push_back({pending->first, std::move(pending->second.value)});
    pending = desk.pending.erase(pending);
  }
  if (contributions.empty()) return;
  Value sum = context_.table->merge(slot_, piece, contributions);
  step.entry.piece = piece;
  step.entry.round = round;
  step.entry.format = sum.format;
  step.payload = std::move(sum.payload);
  propose(std::move(step), actions);
}

void Replica::close_async(PieceId piece, Desk& desk, const PieceRecord& record, Actions& actions) {
  while (!desk.pending.empty()) {
    const auto first = desk.pending.begin();
    const auto flight = in_flight_.find(piece);
    LogStep step;
    step.entry.piece = piece;
    step.entry.round = std::max(record.round, flight == in_flight_.end() ? 0 : flight->second.round) + 1;
    step.entry.marks.push_back({first->first, first->second.sequence});
    step.entry.format = first->second.value.format;
    step.payload = std::move(first->second.value.payload);
    step.priority = first->second.priority;
    desk.pending.erase(first);
    propose(std::move(step), actions);
  }
}

bool Replica::on_pull(uint32_t rank, const Pull& pull, const net::Message& message, Actions& actions) {
  const Request& request = pull.request;
  const PieceRecord* record = ledger_.find(request.target);
  if (!record) {
    if (!is_closing(request.target)) refuse(rank, request, Kind::pull, "it has no first value", actions);
    return true;
  }
  const WaitingPull waiting{pull, message.payload, message.priority};
  if (serve(request.target, *record, rank, waiting, actions)) return true;
  Desk& desk = desks_[request.target];
  const auto [at, is_new] = desk.pulls.emplace(rank, waiting);
  if (is_new) return true;  // most wait for a moment: only who asks again is told
  at->second = waiting;
  tell_waiting(rank, request, Kind::pull, whom_push_waits_for(request.target), actions);
  return true;
}

// Returns false if it must wait.
bool Replica::serve(PieceId piece, const PieceRecord& record, uint32_t rank, const WaitingPull& waiting,
                    Actions& actions) {
  const Pull& pull = waiting.pull;
  const uint64_t have = is_async() ? Ledger::mark(record.marks, rank) : standing(record);
  if (have < pull.after) return false;
  const uint64_t round = pull.exact ? pull.after : record.round;
  Value out;
  if (!context_.table->read(slot_, piece, round, {pull.format, waiting.rows}, out)) {
    const std::string trouble = context_.table->trouble(slot_, piece);
    refuse(rank, pull.request, Kind::pull,
           "the value of round " + std::to_string(round) +
               " is not there in this form; the store is at round " + std::to_string(record.round) +
               (trouble.empty() ? "" : ": " + trouble),
           actions);
    return true;
  }
  actions.send(NodeId::worker(rank), Kind::pulled,
               Pulled{answer_to(rank, piece, pull.request.number), round, out.format}, std::move(out.payload),
               waiting.priority);
  return true;
}

void Replica::serve_pulls(PieceId piece, Actions& actions) {
  const PieceRecord* record = ledger_.find(piece);
  const auto at = desks_.find(piece);
  if (!record || at == desks_.end()) return;
  auto& pulls = at->second.pulls;
  for (auto waiting = pulls.begin(); waiting != pulls.end();) {
    const bool served = serve(piece, *record, waiting->first, waiting->second, actions);
    waiting = served ? pulls.erase(waiting) : std::next(waiting);
  }
}

// Tells workers of a step that all replicas have.
void Replica::answer_applied(const LogStep& step, Actions& actions) {
  const Entry& entry = step.entry;
  if (entry.step == Step::opening) return;
  if (entry.step == Step::command) {
    for (const Mark& mark : entry.marks) {
      actions.send(NodeId::worker(mark.rank), Kind::command_done,
                   CommandDone{answer_to(mark.rank, slot_, mark.sequence), mark.sequence});
    }
    return;
  }
  if (entry.step == Step::init) {
    actions.send(NodeId::worker(0), Kind::init_done, InitDone{answer_to(0, entry.piece, 0), entry.round, 0});
    return;
  }
  for (const Mark& mark : entry.marks) {
    actions.send(NodeId::worker(mark.rank), Kind::push_done,
                 PushDone{answer_to(mark.rank, entry.piece, mark.sequence), Fate::applied, 0});
  }
  serve_pulls(entry.piece, actions);
  const auto desk = desks_.find(entry.piece);
  if (desk != desks_.end() && !is_async()) {  // came while the round was on its way without them
    auto& pending = desk->second.pending;
    for (auto at = pending.begin(); at != pending.end();) {
      if (at->second.sequence > entry.round) {
        ++at;
        continue;
      }
      ++context_.counters.late;
      actions.send(NodeId::worker(at->first), Kind::push_done,
                   PushDone{answer_to(at->first, entry.piece, at->second.sequence), Fate::late, entry.round});
      at = pending.erase(at);
    }
  }
  close(entry.piece, actions);
}

bool Replica::on_command(uint32_t rank, const Command& command, const net::Message& message,
                         Actions& actions) {
  const Request& request = command.request;
  const uint64_t mark = Ledger::mark(ledger_.commands, rank);
  const bool changes = log_.applied() < opened_at_ || proposed(kSlotItself, rank, mark) > mark;
  if (request.number <= mark && !(request.number == 0 && changes)) {  // done, or it asks which was the last
    actions.send(NodeId::worker(rank), Kind::command_done,
                 CommandDone{answer_to(rank, slot_, request.number), mark});
    return true;
  }
  if (request.number == 0 || changes || paused_) {
    tell_waiting(rank, request, Kind::command, slow_replicas(), actions);
    return true;
  }
  std::string wrong;
  if (command.head != kSnapshotHead) {
    wrong = context_.table->check_command(command.head, message.payload);
  } else if (message.payload.bytes != 8) {
    wrong = "a snapshot needs a number of 8 bytes";
  }
  if (request.number != mark + 1) wrong = "it is not the next command of this rank";
  if (!wrong.empty()) {
    refuse(rank, request, Kind::command, std::move(wrong), actions);
    return true;
  }
  LogStep step;
  step.entry.step = Step::command;
  step.entry.piece = kSlotItself;
  step.entry.marks.push_back({rank, request.number});
  step.entry.head = command.head;
  step.payload = message.payload;
  step.priority = message.priority;
  propose(std::move(step), actions);
  return true;
}

}  // namespace mixgrad::kvstore::protocol
