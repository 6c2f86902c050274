// A whole store in one thread: processes, a clock and a network that follow from a seed.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kvstore/protocol/scheduler.h"
#include "kvstore/protocol/server.h"
#include "kvstore_protocol_program.h"

namespace protocol_test {

using proto::NodeId;

// Machines whose safeguards a test may switch off.
using Change = std::function<void(proto::Safeguards&)>;
class TestServer final : public proto::Server {
 public:
  template <class... Args>
  explicit TestServer(const Change& change, Args&&... args) : Server(std::forward<Args>(args)...) {
    if (change) change(safeguards());
  }
};
class TestScheduler final : public proto::Scheduler {
 public:
  template <class... Args>
  explicit TestScheduler(const Change& change, Args&&... args) : Scheduler(std::forward<Args>(args)...) {
    if (change) change(safeguards());
  }
};

// What a run is: drawn from a seed, or set by a test.
struct Plan {
  uint64_t seed = 1;
  proto::Membership members;
  Work work;
  uint32_t joining = 0;         // workers that come later, with ranks from members.workers on
  double loss = 0, twice = 0;   // of messages, while faults last
  Time delay = 4000;            // the most, of most messages; they overtake each other
  Time faults_until = 600'000;  // then everything works
  Time limit = 30'000'000;      // by which everything must have ended
  uint32_t crashes = 0, partitions = 0;
  bool crashes_beyond = false;  // any server may crash at any time, the last holder of a slot, too
  bool with_disk = false;
  bool with_journals = false;
  Time all_servers_crash = 0;    // at once, at that time
  bool with_all_others = false;  // then workers and the scheduler crash as well
  Time request_limit = 600'000'000;
  Change change;

  static Plan from_seed(uint64_t seed);
  // Servers write everything down, and whoever it is may crash at any time: one after another, all servers at once, all processes.
  static Plan of_journals(uint64_t seed);
  std::string str() const;
};

struct Totals {
  uint64_t messages = 0, crashes = 0, views = 0, repeated = 0, late = 0, fenced = 0;
};

class Cluster {
 public:
  using Disks = std::map<uint32_t, VectorTable::Disk>;  // per server

  explicit Cluster(const Plan& plan, Disks disks = {});
  ~Cluster();

  // Until everything ended and is quiet; returns what is wrong, or an empty text.
  std::string run();
  // So long, whatever happens.
  void run_until(Time end);

  Time now() const { return now_; }
  const Record& record() const { return record_; }
  Truth& truth() { return truth_; }
  Totals totals() const;
  bool is_alive(NodeId id) const;
  void crash(NodeId id);
  void start(NodeId id);
  // Nothing gets through between the two sets, from now on; empty sets: everything again.
  void part(std::set<NodeId> some);
  proto::Worker& worker(uint32_t rank);
  proto::Server& server(uint32_t number);
  proto::Scheduler& scheduler();
  // The view of the highest epoch that any scheduler made.
  const proto::View& latest() const { return latest_; }
  const Disks& disks() const { return disks_; }
  bool all_done() const;
  std::string state() const;

 private:
  struct Process;
  struct Event {
    Time at;
    uint64_t order;
    enum class Kind { message, wake, think, crash, crash_servers, start, part, heal } kind;
    NodeId to, from;
    uint64_t incarnation;  // of what wakes
    std::shared_ptr<mixgrad::net::Message> message;
    bool operator<(const Event& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  uint64_t draw(uint64_t below) { return below ? random_() % below : 0; }
  bool chance(double p) { return static_cast<double>(random_() >> 11) * 0x1p-53 < p; }
  void add(Time at, Event event);
  void handle(Event event);
  void act(NodeId from, Process& process, Actions& actions);
  void deliver(NodeId from, NodeId to, std::shared_ptr<mixgrad::net::Message> message);
  void schedule_wake(NodeId id, Process& process);
  void random_crash();
  void crash_servers();
  bool may_crash(NodeId id) const;
  bool is_healthy(uint32_t server) const;
  bool follows(uint32_t server) const;
  bool is_whole() const;
  std::string compare() const;
  bool are_cut(NodeId a, NodeId b) const { return cut_.count(a) != cut_.count(b); }

  const Plan plan_;
  std::mt19937_64 random_;
  Time now_ = 0;
  uint64_t order_ = 0;
  std::vector<Event> events_;
  std::map<NodeId, std::unique_ptr<Process>> processes_;
  std::set<NodeId> cut_;
  Time parted_at_ = -1'000'000;
  std::set<uint32_t> finished_;  // workers
  Truth truth_;
  Record record_;
  Disks disks_;
  std::map<uint32_t, VectorTable::Journal> journals_;
  proto::View latest_;
  Totals totals_;
};

}  // namespace protocol_test
