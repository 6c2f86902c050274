// The three machines of the protocol as a driver takes them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "kvstore/distributed/driver.h"
#include "kvstore/protocol/scheduler.h"
#include "kvstore/protocol/server.h"
#include "kvstore/protocol/worker.h"

namespace mixgrad::kvstore {

template <class T>
class MachineOf : public Machine {
 public:
  template <class... Arguments>
  explicit MachineOf(Arguments&&... arguments) : machine_(std::forward<Arguments>(arguments)...) {}
  T& get() { return machine_; }

  void on_message(protocol::Time now, const net::NodeName& from, net::Message message,
                  protocol::Actions& actions) override {
    machine_.on_message(now, from, std::move(message), actions);
  }
  void on_time(protocol::Time now, protocol::Actions& actions) override { machine_.on_time(now, actions); }
  protocol::Time wake() const override { return machine_.wake(); }
  const protocol::View& view() const override { return machine_.view(); }

 protected:
  T machine_;
};

class WorkerMachine final : public MachineOf<protocol::Worker> {
 public:
  using MachineOf::MachineOf;
  std::string failure() const override { return machine_.unfit(); }
};

class ServerMachine final : public MachineOf<protocol::Server> {
 public:
  using MachineOf::MachineOf;
  std::string failure() const override { return machine_.failure(); }
};

// Gives numbers to processes that have none: the lowest under which nobody is heard. A scheduler that has just started may be the
// second one of a store whose processes live: it gives none before they have had the time to be heard, unless as many processes ask
// as the store has, so that none can have a number yet.
class SchedulerMachine final : public MachineOf<protocol::Scheduler> {
 public:
  SchedulerMachine(uint64_t incarnation, const protocol::Membership& membership,
                   const protocol::Timing& timing)
      : MachineOf(incarnation, membership, timing), membership_(membership), timing_(timing) {}
  void on_message(protocol::Time now, const net::NodeName& from, net::Message message,
                  protocol::Actions& actions) override;
  bool number_for(protocol::Time now, const Enrolment& enrolment, uint32_t* number,
                  std::string* wrong) override;

 private:
  using Slot = std::pair<protocol::Role, uint32_t>;
  struct Gift {
    uint64_t incarnation = 0;  // of the enrolment
    protocol::Time at = 0;
  };
  bool is_heard(protocol::Time now, const Slot& slot) const;
  bool is_given(protocol::Time now, const Slot& slot) const;

  const protocol::Membership membership_;
  const protocol::Timing timing_;
  protocol::Time started_ = -1;  // when it was first asked, or heard somebody
  std::map<Slot, Gift> given_;   // and not heard of yet
  std::map<Slot, protocol::Time> heard_;
  std::map<uint64_t, protocol::Time> asking_;  // enrolments, and since when
  bool is_new_store_ = false;                  // everybody asked before anybody had a number
};

}  // namespace mixgrad::kvstore
