// A store without servers: every worker keeps all values. All make the same updates of the same sums, or each those of its own keys.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kvstore/collective/group.h"
#include "kvstore/collective/promise.h"
#include "kvstore/collective/waiting.h"
#include "kvstore/key_groups.h"

namespace mixgrad::kvstore {

// Pushes are tasks of the engine that end when all workers have sent their part; init, barrier and send_rule block. Numbers of
// operations follow the calls: all workers make the same ones in the same order. Values are dense. With an updater, a store of type
// 'collective_sharded' gives each key an owner when it gets its first value: the worker whose keys have the fewest bytes by then. The sum
// goes to the owner alone, whose updater has the only states of the key, and the updated value goes from there to all (stage 1 of ZeRO,
// Rajbhandari et al. 2020).
class CollectiveStore final : public Store {
 public:
  // Blocks until the workers that the environment names are there. Throws as Cluster::from_environment, read_keys and Group::join do.
  explicit CollectiveStore(std::string type);
  static bool is_type(const std::string& name) {
    return name == "collective" || name == "collective_sharded";
  }
  // The same over another transport, for tests.
  CollectiveStore(std::string type, const collective::GroupSettings& settings, const OpenTransport& open);
  ~CollectiveStore() override;

  const std::string& type() const override { return type_; }
  int rank() const override { return static_cast<int>(group_->rank()); }
  int num_workers() const override { return static_cast<int>(group_->size()); }
  void barrier() override;
  void init(Span<const Entry> values) override;
  void push(Span<const Entry> values, int priority) override;
  void pull(Span<const Entry> outs, int priority) override;
  void push_pull(Span<const Entry> values, Span<const Entry> outs, int priority) override;
  void broadcast(Span<const Entry> values, Span<const Entry> outs, int priority) override;
  // Throws Status::unsupported.
  void pull_rows(Span<const Entry> outs, Span<Array* const> rows, int priority) override;
  void set_updater(Updater updater) override;
  // Throws Status::unsupported.
  void set_compression(const Compression& compression) override;
  // Checks that all workers give the same data: every one throws Status::invalid_argument, naming those that differ from worker 0, if
  // not. Every worker calls it, and it returns when all have.
  void send_rule(const std::string& data) override;
  // This worker where all update alike.
  int owner(const Key& key) override;
  std::string hand_over(int from, const std::string& data) override;
  std::shared_ptr<WorkerLink> link() override;
  void leave() override;
  void end(bool at_exit) override;
  void abandon() override;

 private:
  CollectiveStore(std::string type, const collective::GroupSettings& settings);
  struct Value {
    ArrayRef stored;
    ArrayRef sum;  // for the updater, or in another dtype; made when first needed
    uint32_t owner = 0;
  };
  using Pushed = KeyGroup<Value>;
  std::vector<Pushed> grouped(Span<const Entry> entries, const char* function, bool added);
  void push_groups(const std::vector<Pushed>& groups, int priority);
  // `out`: an array that shall have the value, or null. Whether it has.
  bool push_group(const Pushed& group, Array* out, int priority);
  static void pull_groups(const std::vector<Pushed>& groups, int priority);
  void share(const collective::Promised& operation, const ArrayRef& stored, int priority);
  void add_up(const collective::Promised& operation, const ArrayRef& own, const ArrayRef& sum, int priority);
  void update(const Pushed& group, int priority);
  void wait_for_updates(bool look_at_errors) const;
  void check_open(const char* function) const;

  const net::OwnProcess process_;
  const std::string type_;
  const bool is_sharded_ = type_ == "collective_sharded";
  std::shared_ptr<collective::Group> group_;
  bool is_open_ = true;
  std::recursive_mutex mutex_;  // held during every call; an updater may call the store
  std::map<Key, Value> values_;
  std::vector<uint64_t> owned_bytes_;  // of values, by worker
  Updater updater_;
  std::shared_ptr<collective::Meeting> barrier_;  // of a call that was interrupted: this worker stands there
};

}  // namespace mixgrad::kvstore
