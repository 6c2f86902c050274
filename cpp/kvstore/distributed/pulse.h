// Heartbeats of a node whose machine is busy: a server that computes an update for ten seconds is not dead.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "kvstore/protocol/settings.h"
#include "net/message.h"

namespace mixgrad::kvstore {

// Has a thread that repeats the machine's last heartbeat when the next one is overdue. The protocol bears messages that come twice, so
// this promises nothing that the machine did not say. A driver's thread that does not come round for `longest` is taken for
// stuck, and its node for dead.
class Pulse {
 public:
  // `send` is called in the pulse's thread. Throws Status::out_of_memory where the system gives no thread.
  Pulse(const protocol::Timing& timing, std::function<void(net::Message message)> send);
  ~Pulse() { stop(); }
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  // The driver's thread has come round.
  void came_round(protocol::Time now) { came_round_.store(now); }
  // The machine says that it lives, and waits for no answer.
  void beat(protocol::Time now, const net::Message& heartbeat);
  // Sends no more; the machine has failed or the driver ends. Any thread but the pulse's own; again: nothing.
  void stop();

 private:
  void run();

  const protocol::Time period_, longest_;
  const std::function<void(net::Message message)> send_;
  std::atomic<protocol::Time> came_round_;
  std::mutex mutex_;
  std::condition_variable changed_;
  net::Message last_;
  bool has_beaten_ = false, stopping_ = false;
  protocol::Time beaten_ = 0;
  std::mutex join_mutex_;
  std::thread thread_;
};

// Microseconds of a clock that never goes back.
protocol::Time steady_now();

}  // namespace mixgrad::kvstore
