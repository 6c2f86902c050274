// The connection to one peer, and what waits for it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "net/delivery.h"
#include "net/outbox.h"
#include "net/send_pace.h"
#include "net/wake.h"
#include "net/zeromq.h"
#include "net/zeromq_socket.h"

namespace mixgrad::net {

// What waits for a peer, as those who send see it. Any thread.
struct QueueLoad {
  std::atomic<size_t> messages{0}, bytes{0};
};

// Bytes of a peer that ZeroMQ holds. Its threads give them back.
struct SendWindow {
  explicit SendWindow(std::shared_ptr<Wake> waker) : wake(std::move(waker)) {}
  const std::shared_ptr<Wake> wake;
  std::atomic<size_t> bytes{0};
  std::atomic<uint64_t> left{0};     // bytes so far that have been given back
  std::atomic<bool> awaited{false};  // the transport's thread wants to know when there is room
  std::atomic<size_t> limit{0};
  void give_back(size_t count);
};

// Of the transport's thread.
class ZmqOutbound {
 public:
  using Time = std::chrono::steady_clock::time_point;

  ZmqOutbound(const ZmqContext& context, const ZeroMqOptions& options, const NodeName& peer,
              std::shared_ptr<QueueLoad> load, std::shared_ptr<Wake> wake, SharedCounters* counters);
  ~ZmqOutbound();

  // Where it is. What waits goes there.
  void set_address(const Address& address, const PublicKey& key, Time now);
  void push(Message message, Time now);
  bool idle() const { return outbox_.empty() && !pending_ && window_->bytes.load() == 0; }

  // Hands over what has room in a window of so many bytes, or fewer where the connection is slow; at most `pieces`. True if it may go on
  // at once.
  bool pump(int pieces, size_t window_bytes);
  // The socket to wait for, because it takes nothing now; else null.
  void* blocked_socket() const { return blocked_ ? socket_->get() : nullptr; }
  void unblock() { blocked_ = false; }
  // To be called every second or so: connects anew where an attempt ended, gives up what waited for too long.
  void look_after(Time now);
  // No more than so long for what ZeroMQ holds when the socket is closed.
  void set_linger(int milliseconds);

 private:
  void open(Time now);
  void close();
  void read_events(Time now);
  void limit_system(size_t bytes);
  bool hand_over(int pieces, size_t window_bytes, Time now);
  bool send_pending();
  void drop_all();

  const ZmqContext& context_;
  const ZeroMqOptions& options_;
  const NodeName peer_;
  const std::shared_ptr<QueueLoad> load_;
  const std::shared_ptr<SendWindow> window_;
  SharedCounters* const counters_;
  Address address_;
  PublicKey key_;
  Outbox outbox_;
  std::unique_ptr<ZmqSocket> socket_;
  std::unique_ptr<Piece> pending_;  // taken from the outbox and refused by the socket
  bool blocked_ = false, connected_ = false, refused_ = false;
  SendPace pace_;
  int descriptor_ = -1;      // of the connection, which is ZeroMQ's
  size_t system_limit_ = 0;  // bytes that the system takes before the network can
  uint64_t opened_ = 0;
  Time attempt_{}, moved_{};  // when it last opened a socket; when something left or nothing waited
};

}  // namespace mixgrad::net
