// Owners of ZeroMQ's contexts, sockets and frames.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "net/message.h"
#include "net/zeromq_library.h"

namespace mixgrad::net {

// Throws Error with the library's reason: "[zeromq] cannot <what>: <reason>".
[[noreturn]] void fail_zmq(const std::string& what);

// One frame, received or to be sent.
class Frame {
 public:
  Frame() { zmq().msg_init(&message_); }
  explicit Frame(const std::string& copied);
  // Bytes that are not copied. `released` runs in any thread, once, when they have left or are given up.
  template <class Released>
  Frame(const void* data, size_t bytes, Released* released) {
    const auto release = [](void*, void* hint) { delete static_cast<Released*>(hint); };
    if (zmq().msg_init_data(&message_, const_cast<void*>(data), bytes, release, released) != 0) {
      delete released;
      zmq().msg_init(&message_);
      fail_zmq("take a frame");
    }
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  ~Frame() { zmq().msg_close(&message_); }

  const void* data() const { return zmq().msg_data(&message_); }
  size_t bytes() const { return zmq().msg_size(&message_); }
  bool has_more() const { return zmq().msg_get(&message_, kZmqMore) != 0; }
  ZmqMessage* get() { return &message_; }
  // Null where the connection has no such property.
  const char* property(const char* name) const { return zmq().msg_gets(&message_, name); }
  // Of the connection it came by; -1 where it is not known. May be closed by now.
  int descriptor() const { return zmq().msg_get(&message_, kZmqSourceDescriptor); }

 private:
  mutable ZmqMessage message_;
};

// A context and its I/O threads. Ends after its sockets.
class ZmqContext {
 public:
  explicit ZmqContext(int io_threads);
  ZmqContext(const ZmqContext&) = delete;
  ZmqContext& operator=(const ZmqContext&) = delete;
  ~ZmqContext();
  void* get() const { return context_; }

 private:
  void* const context_;
};

// One thread at a time.
class ZmqSocket {
 public:
  ZmqSocket(const ZmqContext& context, ZmqSocketType type);
  ZmqSocket(const ZmqSocket&) = delete;
  ZmqSocket& operator=(const ZmqSocket&) = delete;
  ~ZmqSocket();

  void* get() const { return socket_; }
  void set(ZmqOption option, int value);
  // Connections of machines that are silent for so long are broken, by the system's probes. ZeroMQ's own heartbeats end the process
  // where a peer dies whose messages wait unread: their timer, or the answer to a heartbeat among these, finds an error that it
  // does not expect (libzmq 3937, 4364).
  void expect_life(double silence_seconds);
  void set_int64(ZmqOption option, int64_t value);
  void set_bytes(ZmqOption option, const void* data, size_t bytes);
  void bind(const std::string& endpoint);
  void connect(const std::string& endpoint);
  std::string last_endpoint() const;
  // From now on next_event() tells of these events (ZmqEvent). `name`: unique in the context.
  void watch(const ZmqContext& context, const std::string& name, int events);
  void* watcher() const { return watcher_->get(); }
  // 0 where there is none. `value`: what it says beside its number, of a connection that was made its descriptor.
  int next_event(int* value = nullptr);

  // False if it cannot be sent, or nothing is there, without waiting.
  bool send(Frame* frame, bool more);
  bool receive(Frame* frame);
  // All other frames of what has begun.
  void skip_rest(const Frame& last);

 private:
  void* const socket_;
  std::unique_ptr<ZmqSocket> watcher_;
};

}  // namespace mixgrad::net
