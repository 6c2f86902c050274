// How messages get from one process to another.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

#include "base/error.h"
#include "base/span.h"
#include "net/address.h"
#include "net/key.h"
#include "net/message.h"

namespace mixgrad::net {

// Called in one thread of the transport, one message at a time: what takes long belongs into other threads. `from` is proven
// where keys are used, else what the other side says. May call send() and set_peer(). What it throws is a warning, and the
// message is gone.
using Receive = std::function<void(const NodeName& from, Message message)>;

// What happened since it was opened. Bytes are those of fields and payloads.
struct TransportCounters {
  uint64_t sent_messages = 0, sent_bytes = 0;
  uint64_t received_messages = 0, received_bytes = 0;
  // Given up before they left: the peer was forgotten, or too much waited for it.
  uint64_t unsent_messages = 0;
  // Came in part: the connection broke between the pieces.
  uint64_t broken_messages = 0;
  // Had no room within the limits of what may be incomplete at a time.
  uint64_t crowded_messages = 0;
  uint64_t refused_connections = 0;  // of unknown keys, under another's name, or no peer of this kind
  uint64_t cut_connections = 0;      // of peers that sent nonsense
};

// One named node. Delivery of a message: at most once; whole and unaltered, or not at all; in order among messages of one
// priority from one peer to another while their connection lasts; lost without notice when it breaks, or when the peer is not
// there for long. A protocol above repeats what must arrive and removes what comes twice.
//
// Destroying it first delivers what waits, for a limited time, then ends its threads. Not to be destroyed by its own
// receiver. A forked child has no part in its parent's transports: there calls throw Status::unsupported, and destroying one
// does nothing.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  virtual const NodeName& name() const = 0;
  // Where others reach it, with the port that was taken.
  virtual const Address& address() const = 0;

  // Any thread; never waits. The payload is not copied, and its owner kept until it has left. To itself it is delivered like to
  // any other. Throws Status::not_found for a name without set_peer, Status::invalid_argument for a message beyond the
  // limits, Status::stopped once stop() was called.
  virtual void send(const NodeName& to, Message message) = 0;
  // The same for messages that are there together, in their order: where a transport can, with fewer calls of the system, and the peer is
  // woken once. May move from them. One that cannot be sent keeps none behind it back; what it throws is thrown at the end.
  virtual void send_several(const NodeName& to, Span<Message> messages) {
    std::exception_ptr failure;
    for (Message& message : messages) {
      try {
        send(to, std::move(message));
      } catch (const Error&) {
        failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

  // Whom it knows. A known name gets another address or key: what waits for it goes there. `key` is empty where no keys are
  // used. Any thread; never waits. Throws Status::invalid_argument where a key is needed, or would not be used.
  virtual void set_peer(const NodeName& name, const Address& address, const PublicKey& key) = 0;
  // Drops what waits for it; in time its messages come no more. Nothing happens for an unknown name.
  virtual void forget_peer(const NodeName& name) = 0;

  // Whether nothing is received for now: what comes waits on its connection, then at its sender. Sending goes on. Any thread, its
  // receiver included; never waits.
  virtual void pause(bool paused) = 0;

  // Whether the receiver that is called in this thread may work for long: of what this thread does, only receiving waits for it.
  virtual bool may_work_here() const { return false; }

  virtual TransportCounters counters() const = 0;

  // Delivers what waits, for at most so many seconds, and receives no more. Blocks; not from its own receiver. Again: nothing.
  virtual void stop(double limit_seconds) = 0;
};

}  // namespace mixgrad::net
