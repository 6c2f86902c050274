// The store that processes of several machines share, as a worker sees it.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kvstore/distributed/machines.h"
#include "kvstore/distributed/pieces.h"
#include "kvstore/key_groups.h"
#include "net/own_process.h"

namespace mixgrad::kvstore {

// "dist_sync", "dist_async", "dist_device_sync", "dist_device_async", "dist_sync_device", "dist_async_device", "dist".
bool is_distributed_type(const std::string& type);

// Pushes and pulls are tasks of the engine that end when the servers have answered; init, barrier and pull_rows block. A wait that
// takes longer than the cluster's time limit fails with an error that names whom it was for.
class DistributedStore final : public Store {
 public:
  // Blocks until the cluster's processes are there. Throws as enrol() and read_keys() do; Status::io naming whom it waits for.
  DistributedStore(std::string type, Cluster cluster);
  // The same over another transport, for tests.
  DistributedStore(std::string type, const Cluster& cluster, uint32_t rank, const OpenTransport& open,
                   const KeyRing& keys);
  // Leaves the store if leave() was not called: others then wait for this worker no more.
  ~DistributedStore() override;

  const std::string& type() const override { return type_; }
  int rank() const override { return static_cast<int>(rank_); }
  int num_workers() const override { return static_cast<int>(cluster_.workers); }
  void barrier() override;
  void init(Span<const Entry> values) override;
  void push(Span<const Entry> values, int priority) override;
  void pull(Span<const Entry> outs, int priority) override;
  void push_pull(Span<const Entry> values, Span<const Entry> outs, int priority) override;
  void broadcast(Span<const Entry> values, Span<const Entry> outs, int priority) override;
  void pull_rows(Span<const Entry> outs, Span<Array* const> rows, int priority) override;
  // Throws Status::unsupported: updates run on servers (send_rule).
  void set_updater(Updater updater) override;
  // Servers are told, and refuse updates of workers that say otherwise.
  void set_compression(const Compression& compression) override;
  // Rank 0's data go to every server, once; all workers must call it, and it returns when all have. Data as RuleMaker takes them.
  void send_rule(const std::string& data) override;
  StatePart state(const Key& key, uint32_t part) override;
  void set_states(Span<const NewState> states) override;
  uint64_t rounds_done() const override;
  void leave() override;
  void end(bool at_exit) override;
  void abandon() override {
    if (!process_.here()) return;
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    driver_.reset();
  }

 private:
  class Turn;     // orders what is sent for a key
  class Wait;     // of a caller for requests
  class Updates;  // on their way
  struct Ending;  // of an update
  struct Stored {
    Shape shape;
    DType dtype = DType::float32;
    bool is_rows = false;
    std::vector<Piece> pieces;
    Ref<Turn> turn, acknowledged;
    std::shared_ptr<std::vector<float>> residual;  // of compression; changed by tasks that write `turn`
    std::shared_ptr<std::string> failure;          // of an update; guarded by failures_
  };
  using Group = KeyGroup<Stored>;

  protocol::Worker& worker_of(Machine& machine) const { return static_cast<WorkerMachine&>(machine).get(); }
  void start(const OpenTransport& open, const KeyRing& keys);
  void begin_numbers(const std::vector<Piece*>& pieces, const std::vector<protocol::Outcome>& outcomes);
  std::vector<Group> grouped(Span<const Entry> entries, const char* function, bool added);
  void push_group(const Group& group, int priority);
  void pull_group(const Group& group, int priority);
  void send_update(const Group& group, const ArrayRef& sum, int priority);
  std::vector<net::Payload> same_for_all(const std::string& body) const;
  const Piece& part_of(const Key& key, uint32_t part, const char* function) const;
  bool call_unless_passed(
      const std::function<void(protocol::Worker&, protocol::Time, protocol::Actions&)>& act);
  void send_command(int32_t head, const std::vector<net::Payload>& bodies, const char* function);
  std::vector<protocol::Outcome> wait_for(const std::shared_ptr<Wait>& wait, const char* function);
  void wait_for_updates();
  std::string finish_updates();
  std::string failed_update() const;
  void check_open(const char* function) const;

  const net::OwnProcess process_;
  const std::string type_;
  Cluster cluster_;
  uint32_t rank_ = 0;
  bool is_async_ = false;
  Compression compression_;
  std::recursive_mutex mutex_;  // held during every call
  std::map<Key, Stored> values_;
  std::map<protocol::PieceId, std::string> names_;  // of pieces, as messages call them
  std::shared_ptr<std::mutex> failures_ = std::make_shared<std::mutex>();
  uint64_t lowest_round_ = UINT64_MAX;  // that init() saw
  uint64_t barriers_called_ = 0;
  std::shared_ptr<Wait> barrier_;  // of a call that was interrupted: this worker stands there
  std::shared_ptr<Updates> updates_;
  std::shared_ptr<Driver> driver_;  // tasks of the engine share it; null once left
};

}  // namespace mixgrad::kvstore
