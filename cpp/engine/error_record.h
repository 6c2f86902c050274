// Why a value is missing: the failure of the task that should have written it, shared by all Vars it spoilt.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"

namespace mixgrad::engine {

// When a task was pushed, or a thread began to wait.
struct Asked {
  std::uint64_t told = 0;    // how many failures users had been told of by then
  std::uint32_t thread = 0;  // thread_number() of who asked
};
Asked asked_now();

class ErrorRecord {
 public:
  ErrorRecord(Status status, std::string message) : status_(status), message_(std::move(message)) {}
  // Takes no memory; the text lives as long as the process.
  ErrorRecord(Status status, const char* message) : status_(status), fixed_(message) {}
  ErrorRecord(const ErrorRecord&) = delete;
  ErrorRecord& operator=(const ErrorRecord&) = delete;

  Status status() const { return status_; }
  const char* message() const { return fixed_ ? fixed_ : message_.c_str(); }

  // True once a user has seen this failure; wait_for_all throws only what nobody has seen.
  bool reported() const { return reported_.load(std::memory_order_relaxed); }
  void set_reported() { reported_.store(true, std::memory_order_relaxed); }
  // Notes that a thread's user has been told of it, as the telling of that number. Of the last threads: earlier ones are told again.
  void set_told(std::uint32_t thread, std::uint64_t number) {
    const std::uint64_t entry = std::uint64_t{thread} << kNumberBits | number;
    for (std::atomic<std::uint64_t>& place : told_) {
      std::uint64_t there = 0;
      if (place.compare_exchange_strong(there, entry, std::memory_order_relaxed)) return;
      if (there >> kNumberBits == entry >> kNumberBits) return;
    }
    told_[number % kMostThreads].store(entry, std::memory_order_relaxed);
  }
  // Whether the user of the thread that asks had been told of this failure. Never of records that many calls share (fixed_).
  bool known_to(const Asked& asked) const {
    if (fixed_) return false;
    for (const std::atomic<std::uint64_t>& place : told_) {
      const std::uint64_t entry = place.load(std::memory_order_relaxed);
      if (entry == 0) return false;
      if (entry >> kNumberBits == std::uint64_t{asked.thread} << kNumberBits >> kNumberBits)
        return (entry & ((1ull << kNumberBits) - 1)) <= asked.told;
    }
    return false;
  }

  void retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  ~ErrorRecord() = default;

  std::atomic<int> refs_{1};
  static constexpr int kNumberBits = 40, kMostThreads = 8;

  std::atomic<bool> reported_{false};
  std::atomic<std::uint64_t> told_[kMostThreads] = {};  // a thread's number and that of the telling; 0: free
  const Status status_;
  const std::string message_;
  const char* const fixed_ = nullptr;  // in place of message_
};

}  // namespace mixgrad::engine
