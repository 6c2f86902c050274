// A worker's state machine: its requests, repeated until they are answered, and the numbers of its updates.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/span.h"
#include "kvstore/protocol/session.h"

namespace mixgrad::kvstore::protocol {

// An update of one piece.
struct PushRequest {
  PieceId piece = 0;
  Value value;
  int32_t priority = 0;  // of the message, and of those by which replicas get it
};

struct PullRequest {
  PieceId piece = 0;
  int32_t priority = 0;
  // The value of just this round; otherwise any that has this worker's updates so far in it.
  bool exact = false;
  uint64_t round = 0;
  Format format;  // rows: those that `rows` lists
  net::Payload rows;
};

// Whom requests that have not ended wait for: names of processes, and of these the ones that are not heard.
struct Awaited {
  std::vector<std::string> whom, dead;
};

// One thread at a time calls it; see server.h. Requests return a ticket, and their outcomes come in any later call's actions, once
// each. Updates of a piece are sent one after another: the next when the one before is acknowledged.
class Worker {
 public:
  // `incarnation` is random and not 0; `rounds` must be what all workers of the store say.
  Worker(uint32_t rank, uint64_t incarnation, std::string contact, Rounds rounds, const Timing& timing);

  // The first value; rank 0's counts, others' values are not sent. A piece that is there keeps its value. The outcome says its
  // round, and this rank's last update that counted: what a worker that comes back has done.
  Ticket init(Time now, PieceId piece, std::string about, Value value, Actions& actions, uint64_t round = 0);
  // Several at once. The outcome of each says whether it was applied, or came late: then updates of the piece that wait behind it for
  // rounds that are over are late as well, and the next one is of the present round.
  std::vector<Ticket> push(Time now, Span<const PushRequest> updates, Actions& actions);
  Ticket pull(Time now, PullRequest request, Actions& actions);
  // To every slot, once each: data for tables (kSnapshotHead: a number of 8 bytes).
  Ticket command(Time now, int32_t head, net::Payload body, Actions& actions);
  // The same with a body for each slot.
  Ticket command(Time now, int32_t head, std::vector<net::Payload> bodies, Actions& actions);
  // Ends when all workers are at it.
  Ticket barrier(Time now, Actions& actions);
  // A worker that was not there from the beginning: rounds wait for it from this one on. The outcome's round is the one that the view
  // has, which may be an earlier one that this process asked for; its updates must begin there (number_next()).
  Ticket join(Time now, uint64_t from, Actions& actions);
  // Ends when nobody waits for this worker any more; after all other requests.
  Ticket leave(Time now, Actions& actions);

  // The number of the piece's next update: in rounds, its round. After init(): the round after the present one; without rounds, the
  // one after its last that counted. Only while none is on its way.
  void number_next(PieceId piece, uint64_t number);
  uint64_t next_number(PieceId piece) const;

  void on_message(Time now, const net::NodeName& from, net::Message message, Actions& actions);
  void on_time(Time now, Actions& actions);
  Time wake() const;

  const View& view() const { return session_.view(); }
  uint64_t barriers_passed() const { return barriers_; }
  // Whether rounds wait for it, or would if there were any.
  bool is_member() const;
  // The first round that waits for it.
  uint64_t from() const { return is_member() ? view().worker(rank_)->from : kNotYet; }
  const std::string& unfit() const { return session_.unfit(); }
  // Whom a store that has not begun waits for, as far as this worker knows.
  std::string waits_for() const {
    return session_.knows_scheduler() && !session_.waits_for().empty() ? session_.waits_for() : "scheduler";
  }
  Awaited awaited(Time now) const;
  bool is_idle() const { return calls_.empty(); }
  uint64_t nonsense() const { return nonsense_; }

 private:
  struct Call {
    Kind kind = Kind::push;
    Ticket ticket = 0;
    uint64_t target = 0;  // piece
    uint64_t number = 0;  // of an update, pull, barrier or round
    Value value;          // update, first value, rows, body
    std::string about;
    uint64_t after = 0;
    bool exact = false;
    int32_t head = 0, priority = 0;
    Time deadline = 0, next_try = 0, interval = 0;
    uint64_t sent_to = 0;  // push: the incarnation of the primary that was sent the value
    std::vector<bool> slots_done;
    std::vector<net::Payload> bodies;  // of a command, by slot; empty: the value's payload for all
    std::string waits_for;
  };
  struct Piece {
    uint64_t next = 1;
    bool is_known = false;  // init() has ended
    std::deque<Ticket> inits, updates, pulls;
    std::string broken;
  };

  // worker_calls.cc
  Call& add(Time now, Kind kind, uint64_t target);
  static std::deque<Ticket>& queue_of(Kind kind, Piece& piece);
  bool is_due(const Call& call);
  void attempt(Time now, Call& call, Actions& actions);
  void send_call(Call& call, Actions& actions);
  void send_command(Call& call, Actions& actions);
  void attempt_next(Time now, const std::deque<Ticket>& queue, Actions& actions);
  void finish_join(Time now, Ticket ticket, Actions& actions);
  void finish(Time now, Ticket ticket, Outcome outcome, Actions& actions);
  void fail_call(Time now, Ticket ticket, Status status, const std::string& why, Actions& actions);
  std::string described(const Call& call) const;
  std::string whom(const Call& call) const;

  // worker.cc
  bool on_scheduler(Time now, const net::Message& message, Actions& actions);
  bool on_server(Time now, uint32_t server, net::Message& message, Actions& actions);
  bool on_refused(Time now, uint32_t server, const Refused& in, Actions& actions);
  bool on_command_done(Time now, const CommandDone& in, Actions& actions);
  void adopt(Time now, Actions& actions);
  void pass_barriers(Time now, uint64_t number, Actions& actions);
  void skip_late(Time now, PieceId piece, uint64_t round, Actions& actions);
  Call* find(Kind kind, uint64_t target, uint64_t number);
  size_t lost_slot(const Call& call) const;
  void fail_lost(Time now, Ticket ticket, Actions& actions);
  Report report() const;

  const uint32_t rank_;
  const std::string contact_;
  const Rounds rounds_;
  const Timing timing_;
  Session session_;
  std::map<Ticket, Call> calls_;
  std::map<PieceId, Piece> pieces_;
  std::deque<Ticket> commands_, barriers_waiting_;
  std::map<uint32_t, uint64_t> command_marks_;  // per slot, once known
  Time wake_ = 0;                               // no call is due before
  Ticket last_ticket_ = 0;
  uint64_t last_pull_ = 0;
  uint64_t barriers_ = 0;
  uint64_t wanted_from_ = kNotYet;
  bool was_member_ = false;
  uint64_t nonsense_ = 0;
};

}  // namespace mixgrad::kvstore::protocol
