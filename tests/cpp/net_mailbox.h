// What a node received, for tests that wait for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "check.h"
#include "net/transport.h"

namespace check {

class Mailbox {
 public:
  using Received = std::pair<mixgrad::net::NodeName, mixgrad::net::Message>;

  mixgrad::net::Receive receive() {
    return [this](const mixgrad::net::NodeName& from, mixgrad::net::Message message) {
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        received_.emplace_back(from, std::move(message));
      }
      changed_.notify_all();
    };
  }
  // The first `count` of what came. Fails the test when they take a minute.
  std::vector<Received> wait_for(size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::minutes(1), [&] { return received_.size() >= count; })) {
      fail(__FILE__, __LINE__,
           "got " + std::to_string(received_.size()) + " messages of " + std::to_string(count) +
               " in a minute");
    }
    return {received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  size_t count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return received_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Received> received_;
};

// Until the condition holds. Fails the test when that takes a minute.
template <class Condition>
void wait_until(Condition holds, const char* what) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > limit) fail(__FILE__, __LINE__, std::string("still not: ") + what);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

inline mixgrad::net::Message make_message(uint16_t kind, int32_t priority, std::string fields,
                                          std::string payload) {
  mixgrad::net::Message message;
  message.kind = kind;
  message.priority = priority;
  message.fields = std::move(fields);
  message.payload = mixgrad::net::Payload::of(std::move(payload));
  return message;
}

}  // namespace check
