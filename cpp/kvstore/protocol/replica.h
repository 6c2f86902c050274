// One slot on one server: its log, what has been applied, and the part that the server plays for it in the present view.
//
// Written in parts: replica.cc (roles, applying), replica_primary.cc (the log and its replicas), replica_backup.cc, intake.cc
// (what workers send to a primary), transfer.cc (filling a new replica).
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kvstore/protocol/ledger.h"
#include "kvstore/protocol/log.h"
#include "kvstore/protocol/settings.h"
#include "kvstore/protocol/table.h"

namespace mixgrad::kvstore::protocol {

struct ServerCounters {
  uint64_t applied = 0;   // steps of logs
  uint64_t repeated = 0;  // updates that came again after they counted
  uint64_t late = 0;      // updates that came when their round had closed without them
  uint64_t fenced = 0;    // messages of another view
  uint64_t nonsense = 0;  // messages that no honest peer sends
};

// What a server's replicas share.
struct ServerContext {
  uint32_t self = 0;
  const View* view = nullptr;  // the present one
  Table* table = nullptr;
  Timing timing;
  Safeguards safeguards;
  ServerCounters counters;
  std::string failure;  // why the server must end
};

// Functions that take a message return false if no honest peer sends it.
class Replica {
 public:
  enum class Role { none, primary, backup, learner };

  Replica(uint32_t slot, ServerContext& context) : slot_(slot), context_(context) {}

  Role role() const { return role_; }
  const Ledger& ledger() const { return ledger_; }
  uint64_t applied() const { return log_.applied(); }
  // Whether it was given its whole state in this view. The primary logs nothing before it knows, so it lacks nothing.
  bool is_filled() const { return role_ == Role::backup && count_parts_ > 0; }
  // What is applied, and steps that follow in the log. Returns false where they do not.
  bool restore(Ledger ledger, std::vector<LogStep> steps = {});
  // Takes the part that the context's view gives it.
  void adopt(Time now, Actions& actions);
  void on_time(Time now, Actions& actions);

  // From workers that belong to the view, about pieces of this slot.
  bool on_init(uint32_t rank, const Init& init, const net::Message& message, Actions& actions);
  bool on_push(uint32_t rank, const Push& push, const net::Message& message, Actions& actions);
  bool on_pull(uint32_t rank, const Pull& pull, const net::Message& message, Actions& actions);
  bool on_command(uint32_t rank, const Command& command, const net::Message& message, Actions& actions);

  // From servers, in messages of the present view.
  bool on_entry(uint32_t server, Entry entry, const net::Message& message, Actions& actions);
  bool on_commit(uint32_t server, const Commit& commit, Actions& actions);
  bool on_entry_ack(Time now, uint32_t server, const EntryAck& ack, Actions& actions);
  bool on_part(uint32_t server, const Part& part, const net::Message& message, Actions& actions);
  bool on_part_ack(Time now, uint32_t server, const PartAck& ack, Actions& actions);

 private:
  // A primary's knowledge of another replica.
  struct Peer {
    bool known = false;  // it has answered in this view
    uint64_t verified = 0, applied = 0, sent = 0;
    Time at = 0;  // of the last progress, or when it last lacked nothing
  };
  // A replica that a primary fills.
  struct Transfer {
    std::string ledger;
    std::vector<std::pair<PieceId, uint32_t>> parts;
    uint32_t acknowledged = 0, sent = 0;
    bool done = false;
    Time at = 0;
    uint32_t count() const { return static_cast<uint32_t>(parts.size()) + 1; }
  };
  // What waits at a primary until it can be logged or answered. Lost with the primary: workers repeat it.
  struct Pending {
    uint64_t sequence = 0, incarnation = 0;
    Value value;
    int32_t priority = 0;
  };
  struct WaitingPull {
    Pull pull;
    net::Payload rows;
    int32_t priority = 0;
  };
  struct Desk {
    std::map<uint32_t, Pending> pending;
    std::map<uint32_t, WaitingPull> pulls;  // one per rank
  };
  // Steps of a piece that are logged and not yet applied.
  struct InFlight {
    uint32_t steps = 0;
    uint64_t round = 0;
    Marks marks;
  };

  const View& view() const { return *context_.view; }
  bool is_async() const { return view().rounds.policy == Policy::async; }
  bool is_primary() const { return role_ == Role::primary; }

  // replica.cc
  void apply_up_to(uint64_t index, Actions& actions);
  void apply(const LogStep& step);
  void forget();

  // replica_backup.cc
  void commit_up_to(uint64_t commit, uint64_t trim, Actions& actions);
  void acknowledge(uint32_t server, Actions& actions);

  // replica_primary.cc
  void lead(Time now, Actions& actions);
  void propose(LogStep step, Actions& actions);
  void note_in_flight(const Entry& entry);
  void send_entry(uint32_t server, Peer& peer, uint64_t index, Actions& actions);
  void send_rest(uint32_t server, Peer& peer, Actions& actions);
  void send_commit(uint32_t server, Actions& actions) const;
  void advance(Actions& actions);
  uint64_t trim_index() const;
  std::string slow_replicas() const;

  // intake.cc
  void keep_pending_of_view();
  void close(PieceId piece, Actions& actions);
  void close_all(Actions& actions);
  void close_async(PieceId piece, Desk& desk, const PieceRecord& record, Actions& actions);
  std::vector<uint32_t> missing(const Desk& desk, uint64_t round) const;
  uint64_t standing(const PieceRecord& record) const;
  uint64_t proposed(PieceId piece, uint32_t rank, uint64_t applied) const;
  bool is_closing(PieceId piece) const { return in_flight_.count(piece) > 0; }
  void answer_applied(const LogStep& step, Actions& actions);
  void serve_pulls(PieceId piece, Actions& actions);
  bool serve(PieceId piece, const PieceRecord& record, uint32_t rank, const WaitingPull& waiting,
             Actions& actions);
  Request answer_to(uint32_t rank, uint64_t target, uint64_t number) const;
  void refuse(uint32_t rank, const Request& request, Kind kind, std::string why, Actions& actions) const;
  void tell_waiting(uint32_t rank, const Request& request, Kind kind, std::string whom,
                    Actions& actions) const;
  std::string whom_push_waits_for(PieceId piece) const;

  // transfer.cc
  void begin_transfers(Time now, Actions& actions);
  void send_parts(uint32_t server, Transfer& transfer, Actions& actions);
  void send_filled(uint32_t server, Actions& actions) const;
  bool install(const Part& part, const net::Payload& payload);

  const uint32_t slot_;
  ServerContext& context_;
  Role role_ = Role::none;
  Ledger ledger_;
  Log log_;

  // Backup and learner.
  uint64_t verified_ = 0;     // the log is the primary's up to here
  uint32_t next_part_ = 0;    // learner: parts it has
  uint32_t count_parts_ = 0;  // of how many
  Ledger arriving_;
  bool has_acknowledged_ = false;  // in this view
  bool owes_ = false;              // it has applied what the primary does not know to be applied
  uint64_t owed_bytes_ = 0;        // of such steps
  // Steps of this view that came before some in front of them: more urgent ones overtake.
  std::map<uint64_t, LogStep> ahead_;

  // Primary.
  std::map<uint32_t, Peer> peers_;  // whose acknowledgements commits wait for
  std::map<uint32_t, Transfer> transfers_;
  uint64_t opened_at_ = 0;  // the index of the step that opened this view
  bool paused_ = false;     // logs nothing while replicas are filled, so that what they get is one state
  std::map<PieceId, Desk> desks_;
  std::map<PieceId, InFlight> in_flight_;
};

}  // namespace mixgrad::kvstore::protocol
