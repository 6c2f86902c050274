// How much of what waits for a peer is handed over at a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace mixgrad::net {

// Nothing overtakes what has been handed over, so no more is than the connection takes in kQueueTime, at the rate at which it took of
// late: a slow link keeps what is urgent waiting for as long as a fast one. The rate is that of times in which the connection was the
// limit; such times are added up, so that many short ones are as good as a long one. One thread.
class SendPace {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::microseconds kQueueTime{4000};
  static constexpr size_t kLeastBytes = 8 << 10;  // a few packets, with whose acknowledgements more is taken

  // `taken`: bytes so far that were handed over and have left. `limited`: more waits than may be handed over, from now on.
  void note(Time now, uint64_t taken, bool limited) {
    if (limited_) {
      busy_ += now - at_;
      bytes_ += taken - taken_;
    }
    limited_ = limited;
    at_ = now;
    taken_ = taken;
    if (busy_ < kQueueTime) return;
    const double share = std::chrono::duration<double>(kQueueTime) / busy_;
    limit_ = std::max(kLeastBytes, static_cast<size_t>(static_cast<double>(bytes_) * share));
    busy_ = {};
    bytes_ = 0;
  }
  // Bytes to be handed over at most.
  size_t limit() const { return limit_; }

 private:
  size_t limit_ = SIZE_MAX;  // nothing is known of the connection yet
  bool limited_ = false;
  Time at_{};
  std::chrono::steady_clock::duration busy_{};
  uint64_t taken_ = 0, bytes_ = 0;
};

}  // namespace mixgrad::net
