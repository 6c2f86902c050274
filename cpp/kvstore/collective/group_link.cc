#include "kvstore/collective/group_link.h"

#include <cstring>
#include <utility>

#include "kvstore/collective/operation.h"
#include "kvstore/collective/promise.h"

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

}  // namespace

Workers GroupLink::workers() const {
  return {static_cast<int32_t>(group_->rank()), static_cast<int32_t>(group_->size())};
}

void GroupLink::push(const Transfer& transfer, Span<engine::Var* const> reads,
                     Span<engine::Var* const> writes, std::function<char*()> memory) {
  About about;
  about.step = Step::hand_over;
  about.key = text("value '", transfer.name, '\'');
  about.dtype = static_cast<uint8_t>(transfer.dtype);
  about.elements = static_cast<uint64_t>(transfer.elements);
  about.root = static_cast<uint32_t>(transfer.from);
  about.to = static_cast<uint32_t>(transfer.to);
  const Promised operation = promised(group_, about, transfer.number);
  engine::Engine& engine = engine::Engine::get();
  if (about.root == group_->rank()) {
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

}  // namespace mixgrad::kvstore::collective
