// Runs one state machine of the protocol in a process: messages of a transport and time go in, messages go out, requests that
// ended are told.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "kvstore/distributed/cluster.h"
#include "kvstore/distributed/departures.h"
#include "kvstore/distributed/key_ring.h"
#include "kvstore/distributed/pulse.h"
#include "kvstore/protocol/actions.h"
#include "net/transport.h"

namespace mixgrad::kvstore {

// The machine behind a driver: scheduler.h, server.h or worker.h of the protocol.
class Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  virtual ~Machine() = default;
  virtual void on_message(protocol::Time now, const net::NodeName& from, net::Message message,
                          protocol::Actions& actions) = 0;
  virtual void on_time(protocol::Time now, protocol::Actions& actions) = 0;
  virtual protocol::Time wake() const = 0;
  virtual const protocol::View& view() const = 0;
  // Why it can do nothing more, or empty.
  virtual std::string failure() const { return ""; }
  virtual bool ended() const { return view().ended; }
  // A number for a process that has none yet, and whether there is one; for schedulers.
  virtual bool number_for(protocol::Time, const Enrolment&, uint32_t*, std::string*) { return false; }
};

// How a transport is opened once the driver can receive.
using OpenTransport = std::function<std::unique_ptr<net::Transport>(net::Receive receive)>;

// Messages wait in an inbox of its own, so that a machine that is busy for long stops neither the transport's thread nor the heartbeats
// (pulse.h). One that comes in a thread which may work for long, while no other waits, is taken there. Not to be destroyed by a forked
// child, which has no part in its parent's.
class Driver {
 public:
  struct Options {
    protocol::NodeId self;
    // Whose contact is known from the beginning: nodes say hello to the scheduler, which answers where they say.
    bool has_scheduler = true;
    net::Address scheduler;
    KeyRing keys;
    protocol::Timing timing;
    size_t waiting_bytes = size_t{1} << 30;  // of messages for the machine; then no more are read
    protocol::Time cut_off =
        10'000'000;  // so long nothing is taken from a peer that sends nonsense, the first time
  };
  // The machine is made when the transport's address is known, which is part of its contact.
  Driver(const Options& options, const OpenTransport& open,
         const std::function<std::unique_ptr<Machine>(const std::string& contact)>& make);
  // Ends the thread, then the transport, which delivers what waits for at most two seconds.
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // What a request's end is told to, in the driver's thread, the transport's or that of a call(), without a lock.
  using Ended = std::function<void(protocol::Outcome& outcome)>;

  // Runs `act` with the machine for itself. Tickets of requests that it begins are given to `expect` before it returns.
  void call(const std::function<void(Machine& machine, protocol::Time now, protocol::Actions& actions)>& act);
  // Only inside of `act`.
  void expect(protocol::Ticket ticket, Ended ended) { waiting_.emplace(ticket, std::move(ended)); }

  // Blocks until the machine has ended or failed, or the time is over; then what became of it. `interrupted` is asked every 50 ms.
  enum class End { none, ended, failed };
  End wait(double seconds, bool (*interrupted)() = nullptr);
  std::string failure();
  // Whether this thread is the driver's, or one that its transport receives in.
  bool runs_here() const {
    return std::this_thread::get_id() == thread_.get_id() || transport_->may_work_here();
  }
  uint64_t nonsense();
  uint64_t cut_offs();  // how often a peer was cut off for its nonsense

  static protocol::Time now();

 private:
  using Envelope = std::pair<net::NodeName, net::Message>;
  // Of a peer that sends what no honest one does.
  struct Offences {
    uint32_t count = 0, times = 0;  // messages, and how often it was cut off
    protocol::Time until = 0;       // nothing is taken from it before
    std::string contact;
  };

  void run();
  void work(Envelope* envelope);
  void receive(const net::NodeName& from, net::Message message);
  void end_turn(protocol::Time wake);
  bool next(Envelope* envelope);
  protocol::Time turn(Envelope* envelope);
  protocol::Time next_wake() const;
  void rest();
  void take(std::unique_lock<std::mutex>& lock, const net::NodeName& from, net::Message message);
  void on_enrol(const net::NodeName& from, const net::Message& message, protocol::Actions& actions);
  void say_hello(protocol::Time now);
  // Sends, and tells ends with the lock given up.
  void carry_out(std::unique_lock<std::mutex>& lock, protocol::Actions& actions);
  void tell_end(End end);
  void meet(const net::NodeName& name, const std::string& contact);
  void meet_view();
  void note_offence(const net::NodeName& from, uint32_t count);
  bool is_cut_off(const net::NodeName& name) const;
  void forgive(protocol::Time now);
  void send(const net::NodeName& to, net::Message message);
  void send_now(const net::NodeName& to, Span<net::Message> messages);

  const Options options_;

  // The inbox, never held while the machine works.
  std::mutex inbox_mutex_;
  std::condition_variable changed_;
  std::deque<Envelope> inbox_;
  size_t inbox_bytes_ = 0;
  bool stopping_ = false, is_woken_ = false;
  bool is_turning_ = true;  // some thread has the machine's next turn; not before the driver's runs
  protocol::Time sleeps_until_ = protocol::kNever;  // the driver's thread
  bool waits_for_turn_ = false;                     // the driver's thread does
  bool is_broken_ = false;                          // a turn threw
  bool is_paused_ = false;                          // the transport reads nothing: so much waits

  // The machine, and what belongs to it.
  std::mutex mutex_;
  std::map<net::NodeName, std::string> contacts_;
  std::map<net::NodeName, Offences> offences_;
  Departures departures_;
  std::map<protocol::Ticket, Ended> waiting_;
  std::unique_ptr<Machine> machine_;
  std::string contact_;
  protocol::Time hello_at_ = 0, forgive_at_ = protocol::kNever;
  std::string broken_;  // what the machine threw: it is called no more
  uint64_t nonsense_ = 0, cut_offs_ = 0;

  std::mutex end_mutex_;
  std::condition_variable over_;
  End end_ = End::none;

  std::unique_ptr<net::Transport> transport_;
  std::unique_ptr<Pulse> pulse_;  // of nodes that have a scheduler
  std::thread thread_;
};

}  // namespace mixgrad::kvstore
