// The socket that listens, and what comes by its connections.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/assembly.h"
#include "net/delivery.h"
#include "net/zeromq.h"
#include "net/zeromq_gate.h"

namespace mixgrad::net {

// Of the transport's thread.
class ZmqInbound {
 public:
  using Time = ZmqGate::Time;

  // Listens. The gate is asked who its keys belong to.
  ZmqInbound(const ZmqContext& context, const ZeroMqOptions& options, ZmqGate* gate,
             SharedCounters* counters);

  const Address& address() const { return address_; }
  void* socket() const { return socket_.get(); }
  void* monitor_socket() const { return socket_.watcher(); }

  // Takes what is there, at most `messages` and while it is not paused; hands whole ones to `receive`. True if there may be more.
  bool take(int messages, const Receive& receive, const std::atomic<bool>& paused);
  // Counts handshakes that failed.
  void read_events();
  // Another key, or no peer any more: connections under its name bring nothing from now on.
  void forget(const NodeName& name);
  // To be called every half a minute or so: gives up what is incomplete and idle, forgets connections that are long silent.
  void look_after();

 private:
  struct Connection {
    explicit Connection(AssemblyRoom* room) : assembly(std::make_unique<Assembly>(room)) {}
    NodeName name;  // empty before its first message
    PublicKey key;
    std::unique_ptr<Assembly> assembly;  // null: whatever comes is thrown away
    bool used = true;                    // since look_after()
    bool superseded = false;             // by a newer one of its name
  };

  Connection* find(const std::string& id, const Frame& head);
  void take_piece(Connection* connection, Frame* head, std::shared_ptr<Frame> body, const Receive& receive);
  bool is_named(Connection* connection, const PieceHead& head, const char** reason);
  void cut(Connection* connection, const Frame& frame, const char* reason);
  void end(const Frame& frame) const;

  const ZeroMqOptions& options_;
  ZmqGate* const gate_;
  SharedCounters* const counters_;
  AssemblyRoom room_;
  ZmqSocket socket_;
  Address address_;
  std::unordered_map<std::string, Connection> connections_;  // by ZeroMQ's ids
  std::map<NodeName, Connection*> newest_;                   // of each name
  int warnings_ = 0;
};

}  // namespace mixgrad::net
