#include "kvstore/distributed/pulse.h"

#include <chrono>
#include <utility>

#include "base/error.h"
#include "base/service_thread.h"

namespace mixgrad::kvstore {

protocol::Time steady_now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Pulse::Pulse(const protocol::Timing& timing, std::function<void(net::Message)> send)
    : period_(timing.heartbeat),
      longest_(timing.request_limit),
      send_(std::move(send)),
      came_round_(steady_now()) {
  thread_ = service_thread("kvstore", [this] { run(); });
}

void Pulse::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  const std::lock_guard<std::mutex> one(join_mutex_);
  if (thread_.joinable()) thread_.join();
}

void Pulse::beat(protocol::Time now, const net::Message& heartbeat) {
  const std::lock_guard<std::mutex> lock(mutex_);
  last_ = heartbeat;
  has_beaten_ = true;
  beaten_ = now;
}

void Pulse::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, std::chrono::microseconds(period_));
    const protocol::Time now = steady_now();
    // Half a period late: a machine that is not busy beats in time.
    if (stopping_ || !has_beaten_ || now - beaten_ < period_ + period_ / 2) continue;
    if (now - came_round_.load() >= longest_) continue;
    beaten_ = now;
    net::Message message = last_;
    lock.unlock();
    send_(std::move(message));
    lock.lock();
  }
}

}  // namespace mixgrad::kvstore
