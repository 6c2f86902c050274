#include "kvstore/collective/group_link.h"

#include <cstring>
#include <utility>
#include <vector>

#include "kvstore/collective/operation.h"
#include "kvstore/collective/promise.h"
#include "kvstore/collective/waiting.h"

namespace mixgrad::kvstore::collective {
namespace {

constexpr const char* kFunction = "executor";

// What is sent is copied first, so that the next nodes need not wait until it has left.
void send_copy(const std::shared_ptr<Group>& group, const Promised& operation, const char* data) {
  const size_t bytes = operation.about.elements * size_of(static_cast<DType>(operation.about.dtype));
  const ArrayRef copy = Array::empty(Shape{static_cast<int64_t>(bytes)}, DType::uint8, Device::cpu());
  copy->chunk().ensure();
  char* const room = static_cast<char*>(copy->chunk().data());
  if (bytes > 0) std::memcpy(room, data, bytes);
  // A failure is everybody's: whoever waits for a value hears of it.
  Operation::Given given{operation.number, operation.about, 0, {copy}, {}};
  operation.promise->keep();
  group->begin(make_broadcast(group, std::move(given), room));
}

class GroupRun final : public WorkerLink::Run {
 public:
  // All are promised before one is pushed: if that fails, the others are told by those that are left.
  GroupRun(std::shared_ptr<Group> group, size_t count, const std::vector<WorkerLink::Transfer>& own)
      : group_(std::move(group)) {
    std::vector<std::pair<uint32_t, About>> abouts;
    for (const WorkerLink::Transfer& transfer : own) {
      About about;
      about.step = Step::hand_over;
      about.key = transfer.contents;
      about.dtype = static_cast<uint8_t>(transfer.dtype);
      about.elements = static_cast<uint64_t>(transfer.elements);
      about.root = static_cast<uint32_t>(transfer.from);
      about.to = static_cast<uint32_t>(transfer.to);
      abouts.emplace_back(transfer.number, std::move(about));
    }
    const uint64_t first = group_->promise(count, abouts);
    for (const auto& [number, about] : abouts)
      operations_.push_back(
          {about, first + number, std::make_shared<Promise>(group_, about, first + number)});
  }

  void push(size_t i, Span<engine::Var* const> reads, Span<engine::Var* const> writes,
            std::function<char*()> memory) override {
    const Promised operation = std::move(operations_[i]);
    engine::Engine& engine = engine::Engine::get();
    if (operation.about.root == group_->rank()) {
      engine::TaskInfo info;
      info.name = "graph_send";
      info.lane = engine::lane_network;
      const auto send = [group = group_, operation, memory = std::move(memory)] {
        send_copy(group, operation, memory());
      };
      return engine.push(send, reads, writes, info);
    }
    const auto receive = [group = group_, operation, memory = std::move(memory)] {
      char* const data = memory();
      Operation::Given given{
          operation.number, operation.about, 0, {}, ending_task(kFunction, operation.about.key)};
      operation.promise->keep();
      group->begin(make_broadcast(group, std::move(given), data));
    };
    engine.push(receive, reads, writes, deferred_task("graph_receive", 0));
  }

 private:
  const std::shared_ptr<Group> group_;
  std::vector<Promised> operations_;
};

}  // namespace

Workers GroupLink::workers() const {
  return {static_cast<int32_t>(group_->rank()), static_cast<int32_t>(group_->size())};
}

void GroupLink::check_process(const char* function) const {
  if (process_.here()) return;
  fail(Status::unsupported, '[', function,
       "] got workers of the process before a fork; expected a store that this process opened");
}

std::unique_ptr<WorkerLink::Run> GroupLink::begin(size_t count, const std::vector<Transfer>& own) {
  check_process(kFunction);
  return std::make_unique<GroupRun>(group_, count, own);
}

void GroupLink::agree(const char* function, const std::string& own) {
  check_process(function);
  const std::shared_ptr<Meeting> meeting = meet(group_, function, own);
  if (!meeting->wait()) fail(Status::stopped, '[', function, "] was interrupted while it waited for others");
  meeting->check(function);
  const std::string different = meeting->different();
  if (!different.empty()) {
    fail(Status::invalid_argument, '[', function,
         "] got another graph, other shapes, groups or gradients in ", different,
         " than in worker:0; expected the same in all workers");
  }
}

}  // namespace mixgrad::kvstore::collective
