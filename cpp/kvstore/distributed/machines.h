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

// Gives numbers to processes that have none: the lowest that nobody has, then those of the dead.
class SchedulerMachine final : public MachineOf<protocol::Scheduler> {
 public:
  SchedulerMachine(uint64_t incarnation, const protocol::Membership& membership,
                   const protocol::Timing& timing)
      : MachineOf(incarnation, membership, timing), membership_(membership) {}
  void on_message(protocol::Time now, const net::NodeName& from, net::Message message,
                  protocol::Actions& actions) override;
  bool number_for(const Enrolment& enrolment, uint32_t* number, std::string* wrong) override;

 private:
  using Slot = std::pair<protocol::Role, uint32_t>;
  const protocol::Membership membership_;
  std::map<Slot, uint64_t> given_;  // to the enrolment of this incarnation
  std::set<Slot> seen_;             // of nodes that spoke under a number
};

}  // namespace mixgrad::kvstore
