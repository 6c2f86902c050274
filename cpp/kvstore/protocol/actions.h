// What a state machine wants done: messages to be sent, requests that ended, and what its process should notice.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
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

// What a message says, however often it is sent and whatever it tells beside that: who gets one of a kind needs no other of the same
// kind and identity. Kinds that may carry large payloads have one; it is of a view, so one of epoch 0 is none.
struct Identity {
  Epoch epoch;
  uint64_t whose = 0, target = 0, number = 0;

  bool is_none() const { return epoch.number == 0; }
  bool operator<(const Identity& other) const {
    return std::tie(epoch, whose, target, number) <
           std::tie(other.epoch, other.whose, other.target, other.number);
  }
};

template <class T>
Identity identity_of(const T&) {
  return {};
}
inline Identity identity_of(const Request& of) { return {of.epoch, of.incarnation, of.target, of.number}; }
inline Identity identity_of(const Init& of) { return identity_of(of.request); }
inline Identity identity_of(const Push& of) { return identity_of(of.request); }
inline Identity identity_of(const Pulled& of) { return identity_of(of.request); }  // any value answers a pull
inline Identity identity_of(const Command& of) { return identity_of(of.request); }
inline Identity identity_of(const Entry& of) { return {of.epoch, 0, of.slot, of.index}; }
inline Identity identity_of(const Part& of) { return {of.epoch, 0, of.slot, of.number}; }

struct Outgoing {
  NodeId to;
  net::Message message;
  Identity identity;
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
    messages.push_back({to, std::move(message), identity_of(fields)});
  }

  std::vector<Outgoing> messages;
  std::vector<Outcome> outcomes;
  bool view_changed = false;  // contacts may have, too
  uint32_t nonsense = 0;      // messages that no honest peer sends: whoever sent this one may be cut off
};

}  // namespace mixgrad::kvstore::protocol
