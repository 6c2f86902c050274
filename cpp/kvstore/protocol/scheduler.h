// The scheduler's state machine: who lives, and the view that everybody follows.
//
// It keeps nothing: one that restarts learns from the reports of the others what the view was (scheduler_start.cc).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kvstore/protocol/acquaintance.h"
#include "kvstore/protocol/placement.h"
#include "kvstore/protocol/settings.h"

namespace mixgrad::kvstore::protocol {

// One thread at a time calls it; see server.h.
class Scheduler {
 public:
  // `incarnation` is random and not 0.
  Scheduler(uint64_t incarnation, const Membership& membership, const Timing& timing)
      : incarnation_(incarnation), membership_(membership), timing_(timing) {}

  void on_message(Time now, const net::NodeName& from, net::Message message, Actions& actions);
  void on_time(Time now, Actions& actions);
  Time wake() const { return due_; }

  const View& view() const { return view_; }  // epoch 0 before the first
  bool ended() const { return view_.ended; }
  uint64_t nonsense() const { return nonsense_; }
  // Before the first view: whom it waits for, "server:1, worker:0".
  std::string waits_for() const;
  // Operators' way out when a node that may know of a later view never comes back: goes on without it. What that node knows
  // alone is lost.
  void give_up(NodeId node) {
    given_up_.insert(node);
    changed_ = true;
  }

 protected:
  Safeguards& safeguards() { return safeguards_; }

 private:
  struct Node {
    Acquaintance process;
    uint64_t count = 0;     // of answers
    uint64_t repeated = 0;  // the last of these that the process has repeated
    // Of a server: where the counts of other servers stood when this process was first believed.
    std::map<uint32_t, uint64_t> counts_then;
    Time heard = 0;
    Epoch epoch;
    bool reported = false;  // the process that lives
    Report report;
    View view;  // that it reported
    bool has_left = false;
    uint64_t from = kNotYet;  // a worker that joins
    uint64_t at_barrier = 0;
    bool is_unfit = false;
    // The process before, and where `count` stood when this one took its place: who repeats a later count lives as well.
    uint64_t before = 0, before_count = 0;

    // What it has of a slot from before it ended, if it has said so. Null: nothing.
    const Holding* holding(uint32_t slot) const;
    // When it was heard last, as far as this scheduler can know.
    Time heard_since(Time started) const { return heard > started ? heard : started; }
  };
  // Servers that came back with what they had.
  struct Return {
    std::set<uint32_t> held;               // take no part until the others of their slots are back
    std::set<uint32_t> waiting;            // slots that stay as they are until then
    std::map<uint32_t, uint32_t> leaders;  // of slots that begin again with what one has
  };

  // scheduler.cc
  bool on_heartbeat(Time now, NodeId id, const Heartbeat& in, Actions& actions);
  bool on_report(Time now, NodeId id, Report in, const net::Message& message, Actions& actions);
  bool has_left(uint32_t rank) const;
  bool on_filled(NodeId id, const Filled& in);
  bool on_barrier(NodeId id, const Barrier& in, Actions& actions);
  void pass_barriers(Actions& actions);
  std::vector<uint32_t> missing_at_barrier() const;
  void send_view(NodeId id, const Node& node, Actions& actions) const;
  Node* of_process(NodeId id, uint64_t incarnation);

  // scheduler_view.cc
  void consider(Time now, Actions& actions);
  void issue(Time now, View next, Actions& actions);
  View next_view(Time now) const;
  ServerHealth health(Time now, const Return& back) const;
  void next_workers(Time now, View& next) const;
  bool is_live(Time now, const Node& node) const {
    return node.reported && now - node.heard < timing_.dead_after;
  }

  // scheduler_restore.cc
  const Node* returned(uint32_t server) const;
  bool has_lived_since(Time now, uint32_t server, const std::vector<const Node*>& others) const;
  bool keeps(uint32_t server) const;
  bool is_missed(Time now, uint32_t server) const;
  static const uint32_t* furthest(const std::map<uint32_t, const Holding*>& holders);
  Return returning(Time now) const;

  // scheduler_start.cc
  bool can_start(Time now);
  bool fresh_view(View& first) const;
  bool is_certain(const View& last) const;
  bool is_written_down(const View& last) const;
  bool begins_again(Time now, View& last) const;
  std::vector<NodeId> unreported(const View& last) const;
  const View* last_view() const;

  const uint64_t incarnation_;
  const Membership membership_;
  const Timing timing_;
  Safeguards safeguards_;
  std::map<NodeId, Node> nodes_;
  View view_;
  Epoch highest_;  // that was heard of
  uint64_t barriers_ = 0;
  std::set<std::pair<uint32_t, uint32_t>> filled_;  // (slot, server) in the present view
  std::set<NodeId> given_up_;
  bool changed_ = true;  // something that views depend on
  Time started_ = -1, issued_ = 0, due_ = 0;
  uint64_t nonsense_ = 0;
};

}  // namespace mixgrad::kvstore::protocol
