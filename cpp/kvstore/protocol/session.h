// A node's side of its relation with the scheduler: heartbeats, and the view that it follows.
#pragma once

#include <string>

#include "kvstore/protocol/acquaintance.h"
#include "kvstore/protocol/settings.h"

namespace mixgrad::kvstore::protocol {

class Session {
 public:
  enum class News { none, wants_report, adopted, unfit, nonsense };

  // `incarnation` is random and not 0.
  Session(NodeId self, uint64_t incarnation, const Timing& timing)
      : self_(self), incarnation_(incarnation), timing_(timing) {}

  NodeId self() const { return self_; }
  uint64_t incarnation() const { return incarnation_; }
  const View& view() const { return view_; }  // epoch 0 before the first
  const std::string& unfit() const { return unfit_; }
  // Whom a scheduler that has no view yet waits for.
  const std::string& waits_for() const { return waits_for_; }
  bool knows_scheduler() const { return scheduler_.incarnation() != 0; }

  // Of the kinds answer, view and unfit.
  News on_message(Time now, const net::Message& message, Actions& actions);
  // Fills in who reports to whom. `last_view`: bytes of one that was followed before this process, for who follows none.
  void send_report(Report report, const std::string& last_view, Actions& actions) const;
  // Heartbeats, when they are due. `soon` brings the next one forward: somebody spoke of a view that this node does not know.
  void on_time(Time now, Actions& actions);
  void soon(Time now) { due_ = due_ < now + timing_.retry / 4 ? due_ : now + timing_.retry / 4; }
  Time wake() const { return due_; }
  // Whether a message that names a scheduler's incarnation comes from the one that lives.
  bool is_scheduler(uint64_t incarnation) const {
    return incarnation != 0 && incarnation == scheduler_.incarnation();
  }
  Time heard() const { return heard_; }  // when the scheduler last answered

 private:
  News on_answer(Time now, const Answer& answer, Actions& actions);
  News on_view(const ViewIs& is, const net::Payload& payload);
  void beat(Time now, Actions& actions);

  const NodeId self_;
  const uint64_t incarnation_;
  const Timing timing_;
  Acquaintance scheduler_;
  uint64_t beat_ = 0, answered_ = 0;
  uint64_t last_scheduler_ = 0, last_count_ = 0;  // of the newest answer, whoever it is from
  Time due_ = 0, heard_ = 0;
  View view_;
  std::string unfit_, waits_for_;
};

}  // namespace mixgrad::kvstore::protocol
