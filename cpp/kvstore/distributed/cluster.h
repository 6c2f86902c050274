// Who takes part in a store of several processes, and how they find each other.
#pragma once

#include <cstdint>
#include <string>

#include "kvstore/protocol/fields.h"
#include "kvstore/protocol/node.h"
#include "kvstore/protocol/settings.h"
#include "kvstore/protocol/view.h"
#include "net/address.h"

namespace mixgrad::kvstore {

// What a server's files wait for, so that they survive the end of its machine.
enum class DiskSync : uint8_t {
  none,      // nothing: they come to the disk when the system brings them there
  snapshot,  // whole states and views, before they take the place of what was; a machine that ends may lose the steps since then
  step,      // each step, too, before it is acknowledged
};

// What every process of a store is told.
struct Cluster {
  protocol::Role role = protocol::Role::worker;
  int64_t number = -1;  // of this process in its role; -1: the scheduler gives it one
  net::Address scheduler;
  std::string host;  // where this process listens
  uint32_t workers = 1, servers = 1, replicas = 2, slots = 64;
  protocol::Rounds rounds;  // of synchronous stores
  protocol::Timing timing;
  double start_limit = 600;  // seconds until everybody is there
  double leave_limit = 60;   // seconds that a worker which ends waits for processes that are dead
  uint64_t memory = 0;       // bytes that the values of a server may take; 0: those of the machine
  uint64_t big_array = 1000000;
  bool has_links = true;  // to processes of its own machine (net/local_transport.h)
  std::string keys;       // folder
  std::string snapshots;  // folder of what servers keep; none: they keep nothing
  double snapshot_seconds = 60;
  DiskSync snapshot_sync = DiskSync::snapshot;

  // By the variables of the environment (docs/kvstore.md). Throws Status::invalid_argument, naming the variable, for values that
  // make no sense, and for such as are missing. `least_servers`: 0 for a store without any.
  static Cluster from_environment(uint32_t least_servers = 1);
};

// Kinds of messages beside the protocol's, of processes that do not know each other yet.
constexpr uint16_t kHelloKind = 100, kEnrolKind = 101, kEnrolledKind = 102;

// "I am reached here", from a node to the scheduler, again and again.
struct Hello {
  std::string contact;
  template <class F>
  void fields(F& f) {
    f(contact);
  }
};
// From a process that wants a number.
struct Enrolment {
  protocol::Role role = protocol::Role::worker;
  uint64_t incarnation = 0;
  std::string contact;
  template <class F>
  void fields(F& f) {
    f.choice(role, protocol::Role::worker);
    f(incarnation, contact);
  }
};
struct Enrolled {
  uint64_t incarnation = 0;
  uint32_t number = 0;
  std::string wrong;  // why it gets none
  template <class F>
  void fields(F& f) {
    f(incarnation, number, wrong);
  }
};

// Random and not 0.
uint64_t new_incarnation();
// Asks the scheduler for a number, for at most cluster.start_limit seconds. Throws Status::io naming the scheduler's address where
// none answers, Status::invalid_argument where all numbers are taken. `interrupted` is asked every 50 ms.
uint32_t enrol(const Cluster& cluster, bool (*interrupted)());

}  // namespace mixgrad::kvstore
