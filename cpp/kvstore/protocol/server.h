// A server's state machine: the slots that it holds, and whom it listens to.
#pragma once

#include <map>
#include <string>

#include "kvstore/protocol/replica.h"
#include "kvstore/protocol/session.h"

namespace mixgrad::kvstore::protocol {

// One thread at a time calls it. It has no clock, no socket and no array: time and messages come in, actions go out, and arrays
// are the table's, which outlives it.
class Server {
 public:
  // `incarnation` is random and not 0; `contact` is what others need to reach it. Slots that the table restored are offered to
  // the scheduler. Throws Status::format where the table's ledger of one makes no sense.
  Server(uint32_t number, uint64_t incarnation, std::string contact, const Timing& timing, Table& table);

  void on_message(Time now, const net::NodeName& from, net::Message message, Actions& actions);
  void on_time(Time now, Actions& actions);
  Time wake() const;

  const View& view() const { return session_.view(); }
  const ServerCounters& counters() const { return context_.counters; }
  // Why it must end, or empty: the scheduler does not want it, or its table cannot follow. It does nothing more.
  const std::string& failure() const {
    return context_.failure.empty() ? session_.unfit() : context_.failure;
  }
  bool ended() const { return view().ended; }  // all workers left
  const Replica* replica(uint32_t slot) const {
    const auto at = replicas_.find(slot);
    return at == replicas_.end() ? nullptr : &at->second;
  }

 protected:
  Safeguards& safeguards() { return context_.safeguards; }

 private:
  bool on_scheduler(Time now, const net::Message& message, Actions& actions);
  bool on_worker(Time now, uint32_t rank, const net::Message& message, Actions& actions);
  bool on_server(Time now, uint32_t server, net::Message& message, Actions& actions);
  void adopt(Time now, Actions& actions);
  Report report() const;
  // The replica of a slot in a message of this epoch, or null if the message is not for this view.
  Replica* of_view(Time now, const Epoch& epoch, uint32_t slot);
  template <class T>
  bool request(Time now, uint32_t rank, Kind kind, const net::Message& message, Actions& actions,
               bool (Replica::*take)(uint32_t, const T&, const net::Message&, Actions&));

  Session session_;
  const std::string contact_;
  ServerContext context_;
  std::map<uint32_t, Replica> replicas_;
  std::vector<Holding> restored_;  // until there is a view
  std::string last_view_;          // as bytes: what was followed before this process; until there is one
  Time due_ = 0;
};

}  // namespace mixgrad::kvstore::protocol
