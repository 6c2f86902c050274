// Values that go from worker to worker of a graph over several processes, through the transport of a collective store.
#pragma once

#include <memory>

#include "exec/planned/worker_link.h"
#include "kvstore/collective/group.h"

namespace mixgrad::kvstore::collective {

class GroupLink final : public WorkerLink {
 public:
  explicit GroupLink(std::shared_ptr<Group> group) : group_(std::move(group)) {}
  Workers workers() const override;
  void agree(const char* function, const std::string& own) override;
  std::unique_ptr<Run> begin(size_t count, const std::vector<Transfer>& own) override;

 private:
  void check_process(const char* function) const;

  const net::OwnProcess process_;
  const std::shared_ptr<Group> group_;
};

}  // namespace mixgrad::kvstore::collective
