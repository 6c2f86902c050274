#include "net/delivery.h"

#include "base/error.h"
#include "base/warning.h"

namespace mixgrad::net {

TransportCounters SharedCounters::now() const {
  const auto of = [](const std::atomic<uint64_t>& count) { return count.load(std::memory_order_relaxed); };
  TransportCounters all;
  all.sent_messages = of(sent_messages);
  all.sent_bytes = of(sent_bytes);
  all.received_messages = of(received_messages);
  all.received_bytes = of(received_bytes);
  all.unsent_messages = of(unsent_messages);
  all.broken_messages = of(broken_messages);
  all.crowded_messages = of(crowded_messages);
  all.refused_connections = of(refused_connections);
  all.cut_connections = of(cut_connections);
  return all;
}

void deliver(const Receive& receive, const NodeName& from, Message message, SharedCounters* counters) {
  SharedCounters::add(counters->received_messages, 1);
  SharedCounters::add(counters->received_bytes, bytes_of(message));
  const uint16_t kind = message.kind;
  message.departure = nullptr;  // of one that was sent within this process
  try {
    receive(from, std::move(message));
  } catch (const std::exception& error) {
    warn(text("[net] a message of kind ", kind, " from ", from,
              " was dropped, because its receiver failed: ", error.what()));
  }
}

}  // namespace mixgrad::net
