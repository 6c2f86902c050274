// Who may connect: ZeroMQ asks it about each connection that speaks CURVE.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "net/delivery.h"
#include "net/zeromq_socket.h"

namespace mixgrad::net {

// Known keys and their names. Of the transport's thread.
class ZmqGate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Answers from now on; to be made before what listens. Without `keyed` nothing is asked.
  ZmqGate(const ZmqContext& context, bool keyed, SharedCounters* counters);

  void allow(const PublicKey& key, const NodeName& name);
  void forget(const NodeName& name);
  // Null for an unknown key.
  const NodeName* name_of(const PublicKey& key) const;
  // A peer with this key sent nonsense: it may not come back for a second, and twice as long each time, up to a minute.
  void punish(const PublicKey& key, Time now);

  void* socket() const { return socket_ ? socket_->get() : nullptr; }
  // Takes a question that waits, if there is one; answer() must follow before the next. Peers that were made known before the
  // question was taken have to be known to allow() when it is answered.
  bool take_question();
  void answer(Time now);

 private:
  struct Known {
    NodeName name;
    Time refused_until{};
    int offences = 0;
  };
  bool admits(const PublicKey& key, Time now) const;

  SharedCounters* const counters_;
  std::map<PublicKey, Known> known_;
  std::unique_ptr<ZmqSocket> socket_;
  std::vector<std::string> question_;
};

}  // namespace mixgrad::net
