#include "net/zeromq_inbound.h"

#include <cstring>

#include "base/error.h"
#include "base/warning.h"
#include "net/listening_port.h"
#include "net/piece.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/socket.h>
#endif

namespace mixgrad::net {
namespace {

constexpr size_t kMostConnections = 1 << 14;  // remembered at a time
constexpr int kMostCutWarnings = 20;

}  // namespace

ZmqInbound::ZmqInbound(const ZmqContext& context, const ZeroMqOptions& options, ZmqGate* gate,
                       SharedCounters* counters)
    : options_(options),
      gate_(gate),
      counters_(counters),
      room_(options.assembly),
      socket_(context, kZmqRouter),
      address_(options.listen) {
  socket_.set(kZmqLinger, 0);
  // Frames that wait for this thread, of one connection: 32 pieces at most, or it is not read on.
  socket_.set(kZmqReceiveLimit, 32);
  socket_.set(kZmqSendLimit, 1);
  socket_.set_int64(kZmqMaxMessageBytes, static_cast<int64_t>(kMaxPieceBytes));
  socket_.set(kZmqBacklog, 256);
  socket_.set(kZmqHandshakeMs, static_cast<int>(options.handshake_seconds * 1000));
  socket_.expect_life(options.silence_seconds);
  if (!options.keys.empty()) {
    socket_.set(kZmqCurveServer, 1);
    socket_.set_bytes(kZmqCurveSecretKey, options.keys.secret_key.bytes.data(), kKeyBytes);
    socket_.set_bytes(kZmqZapDomain, "mixgrad", 7);  // without an answer from the gate nobody is let in
  }
  socket_.watch(context, "inbound", kZmqAnyHandshakeFailure);
  const std::string host = address_.host == "localhost" ? "127.0.0.1" : address_.host;
  const bool version6 = host.find(':') != std::string::npos;
  if (version6) socket_.set(kZmqIpv6, 1);
  const std::string port = address_.port ? text(address_.port) : "*";
  socket_.bind(version6 ? text("tcp://[", host, "]:", port) : text("tcp://", host, ':', port));
  const std::string endpoint = socket_.last_endpoint();
  address_.port = parse_address(endpoint.substr(std::strlen("tcp://")), "zeromq").port;
}

bool ZmqInbound::take(int messages, const Receive& receive, const std::atomic<bool>& paused) {
  for (; messages > 0; --messages) {
    if (paused) return false;
    Frame id, head;
    if (!socket_.receive(&id)) return false;
    if (!id.has_more() || !socket_.receive(&head)) continue;
    std::shared_ptr<Frame> body;
    bool more = head.has_more();
    if (more) {
      body = std::make_shared<Frame>();
      if (!socket_.receive(body.get())) continue;
      more = body->has_more();
    }
    Connection* const connection = find(std::string(static_cast<const char*>(id.data()), id.bytes()), head);
    if (more) {
      socket_.skip_rest(*body);
      if (connection->assembly) cut(connection, head, "more frames than a piece has");
    } else if (connection->assembly) {
      take_piece(connection, &head, std::move(body), receive);
    } else if (connection->superseded) {
      // Its process lives beside the newer one: connected anew it is heard, so that whoever gives names can tell it to end.
      end(head);
    }
  }
  return true;
}

ZmqInbound::Connection* ZmqInbound::find(const std::string& id, const Frame& head) {
  const auto found = connections_.find(id);
  if (found != connections_.end()) {
    found->second.used = true;
    return &found->second;
  }
  if (connections_.size() >= kMostConnections) look_after();
  Connection& connection = connections_.emplace(id, &room_).first->second;
  if (connections_.size() > kMostConnections) cut(&connection, head, "one connection more than there may be");
  if (options_.keys.empty()) return &connection;
  if (const char* key = head.property("User-Id")) connection.key = parse_public_key(key, "zeromq");
  return &connection;
}

// Whether the connection speaks for the name in a message's head, which must be that of its first message.
bool ZmqInbound::is_named(Connection* connection, const PieceHead& head, const char** reason) {
  if (!options_.keys.empty()) {
    const NodeName* const name = gate_->name_of(connection->key);
    if (!name || *name != head.from) {
      *reason = "a name that is not its key's";
      return false;
    }
  }
  if (head.to != options_.name) {
    *reason = "a message for another node";
    return false;
  }
  if (connection->name == head.from) return true;
  if (!connection->name.empty()) {
    *reason = "several names";
    return false;
  }
  connection->name = NodeName(head.from);
  Connection*& newest = newest_[connection->name];
  // What the older connection of the name has not brought by now is lost: a peer has one at a time.
  if (newest) {
    SharedCounters::add(counters_->broken_messages, newest->assembly ? newest->assembly->incomplete() : 0);
    newest->assembly.reset();
    newest->superseded = true;
  }
  newest = connection;
  return true;
}

void ZmqInbound::take_piece(Connection* connection, Frame* frame, std::shared_ptr<Frame> body,
                            const Receive& receive) {
  PieceHead head;
  const char* reason = decode_piece(frame->data(), frame->bytes(), &head);
  if (reason || (head.first && !is_named(connection, head, &reason)) ||
      (body && body->bytes() == 0 && (reason = "an empty frame"))) {
    cut(connection, *frame, reason);
    return;
  }
  Payload bytes;
  if (body) bytes = Payload(body->data(), body->bytes(), body);
  Message message;
  switch (connection->assembly->take(head, std::move(bytes), &message, &reason)) {
    case Taken::incomplete: break;
    case Taken::complete: deliver(receive, connection->name, std::move(message), counters_); break;
    case Taken::broken: SharedCounters::add(counters_->broken_messages, 1); break;
    case Taken::crowded: SharedCounters::add(counters_->crowded_messages, 1); break;
    case Taken::nonsense: cut(connection, *frame, reason); break;
  }
}

void ZmqInbound::cut(Connection* connection, const Frame& frame, const char* reason) {
  connection->assembly.reset();
  SharedCounters::add(counters_->cut_connections, 1);
  if (!connection->key.empty()) gate_->punish(connection->key, std::chrono::steady_clock::now());
  end(frame);
  if (++warnings_ > kMostCutWarnings) return;
  const char* const address = frame.property("Peer-Address");
  warn(text("[zeromq] ", options_.name, " cut the connection of ",
            connection->name.empty() ? "a peer" : connection->name, " at ",
            address ? address : "an unknown address", ", which sent ", reason,
            warnings_ == kMostCutWarnings ? "; more such are only counted" : ""));
}

// ZeroMQ has no call that ends one connection of a socket. This one may have ended by itself, and its number may be that of another
// one to this port: that is made again by its peer.
void ZmqInbound::end(const Frame& frame) const {
#if defined(__unix__) || defined(__APPLE__)
  if (local_port(frame.descriptor()) == address_.port) shutdown(frame.descriptor(), SHUT_RDWR);
#else
  static_cast<void>(frame);
#endif
}

void ZmqInbound::read_events() {
  while (socket_.next_event() != 0) SharedCounters::add(counters_->refused_connections, 1);
}

void ZmqInbound::forget(const NodeName& name) {
  const auto found = newest_.find(name);
  if (found == newest_.end()) return;
  found->second->assembly.reset();
  newest_.erase(found);
}

void ZmqInbound::look_after() {
  for (auto at = connections_.begin(); at != connections_.end();) {
    Connection& connection = at->second;
    if (connection.assembly)
      SharedCounters::add(counters_->broken_messages, connection.assembly->give_up_idle());
    // One that lives on is known again with its next message; one that was cut is, too, and is cut again.
    const auto newest = newest_.find(connection.name);
    const bool is_newest = newest != newest_.end() && newest->second == &connection;
    if (!connection.used && (!is_newest || connections_.size() >= kMostConnections)) {
      if (is_newest) newest_.erase(newest);
      at = connections_.erase(at);
    } else {
      connection.used = false;
      ++at;
    }
  }
}

}  // namespace mixgrad::net
