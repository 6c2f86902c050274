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
  uint64_t reserve(size_t count) override { return group_->reserve(count); }
  void push(const Transfer& transfer, Span<engine::Var* const> reads, Span<engine::Var* const> writes,
            std::function<char*()> memory) override;

 private:
  const std::shared_ptr<Group> group_;
};

}  // namespace mixgrad::kvstore::collective
