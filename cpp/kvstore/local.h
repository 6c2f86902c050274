// The store of one process: devices of one machine, no network.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "kvstore/compression/feedback.h"
#include "kvstore/key_groups.h"

namespace mixgrad::kvstore {

// Where stored values live and sums are made.
enum class Home {
  host,    // cpu(0)
  device,  // among the devices of a key's first push, the one with the fewest bytes of stored values so far
};

class LocalStore final : public Store {
 public:
  LocalStore(std::string type, Home home) : type_(std::move(type)), home_(home) {}

  const std::string& type() const override { return type_; }
  int rank() const override { return 0; }
  int num_workers() const override { return 1; }
  void barrier() override {}
  void init(Span<const Entry> values) override;
  void push(Span<const Entry> values, int priority) override;
  void pull(Span<const Entry> outs, int priority) override;
  void push_pull(Span<const Entry> values, Span<const Entry> outs, int priority) override;
  void broadcast(Span<const Entry> values, Span<const Entry> outs, int priority) override;
  void pull_rows(Span<const Entry> outs, Span<Array* const> rows, int priority) override;
  void set_updater(Updater updater) override;
  void set_compression(const Compression& compression) override;

 private:
  struct Value {
    ArrayRef stored;
    ArrayRef
        sum;  // what devices pushed, added up for the updater or in another dtype; made when first needed
    bool placed = false, pulled = false;
    Feedback feedback;
  };
  using Group = KeyGroup<Value>;
  // As group_by_key() throws; Status::unsupported for csr arrays.
  std::vector<Group> grouped(Span<const Entry> entries, const char* function, bool added);
  void check_new(Span<const Entry> values, const char* function) const;
  void place(const Group& group, int priority);
  // What was pushed for a key: on its device, as one array.
  static ArrayRef received(const Group& group, int priority);
  void check_compressible(Span<const Entry> values, const char* function) const;
  void push_groups(const std::vector<Group>& groups, int priority);
  void push_group(const Group& group, int priority);
  void pull_groups(const std::vector<Group>& groups, int priority);

  const std::string type_;
  const Home home_;
  // Held during every call; recursive, because an updater may call the store.
  std::recursive_mutex mutex_;
  std::map<Key, Value> values_;
  std::map<Device, uint64_t> placed_bytes_;
  Updater updater_;
  Compression compression_;
};

}  // namespace mixgrad::kvstore
