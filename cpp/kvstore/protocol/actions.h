// What a state machine wants done: messages to be sent, requests that ended, and what its process should notice.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "kvstore/protocol/messages.h"

namespace mixgrad::kvstore::protocol {

using Time = int64_t;  // microseconds, of a clock that never goes back
constexpr Time kNever = INT64_MAX;

using Ticket = uint64_t;  // of a worker's request, from 1 on

// How a worker's request ended.
struct Outcome {
  Ticket ticket = 0;
  Status status = Status::ok;
  std::string message;  // of an error
  Fate fate = Fate::applied;
  uint64_t round = 0;  // init, pull: of the value; join: the first that waits for this worker
  uint64_t mark = 0;   // init: the last sequence of this rank that counted
  Value value;         // pull
};

struct Outgoing {
  NodeId to;
  net::Message message;
};

class Actions {
 public:
  template <class T>
  void send(NodeId to, Kind kind, const T& fields, net::Payload payload = {}, int32_t priority = 0) {
    net::Message message;
    message.kind = static_cast<uint16_t>(kind);
    message.priority = priority;
    message.fields = encoded(fields);
    message.payload = std::move(payload);
    messages.push_back({to, std::move(message)});
  }

  std::vector<Outgoing> messages;
  std::vector<Outcome> outcomes;
  bool view_changed = false;  // contacts may have, too
  uint32_t nonsense = 0;      // messages that no honest peer sends: whoever sent this one may be cut off
};

}  // namespace mixgrad::kvstore::protocol
