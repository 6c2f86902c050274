// Counting what transports do, and handing over what they received.
#pragma once

#include <atomic>

#include "net/transport.h"

namespace mixgrad::net {

// TransportCounters that threads add to.
struct SharedCounters {
  std::atomic<uint64_t> sent_messages{0}, sent_bytes{0}, received_messages{0}, received_bytes{0},
      unsent_messages{0}, broken_messages{0}, crowded_messages{0}, refused_connections{0}, cut_connections{0};

  static void add(std::atomic<uint64_t>& to, uint64_t count) {
    to.fetch_add(count, std::memory_order_relaxed);
  }
  void count_sent(uint64_t bytes, uint64_t messages = 1) {
    add(sent_messages, messages);
    add(sent_bytes, bytes);
  }
  TransportCounters now() const;
};

// Counts the message and calls the receiver. What that throws becomes a warning.
void deliver(const Receive& receive, const NodeName& from, Message message, SharedCounters* counters);

}  // namespace mixgrad::net
