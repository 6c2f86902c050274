// Why a value is missing: the failure of the task that should have written it, shared by all Vars it spoilt.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"

namespace mixgrad::engine {

// What users had been told of failures when a task was pushed, or when a thread began to wait.
struct Told {
  std::uint64_t all = 0;     // how many failures, in any thread
  std::uint64_t own = 0;     // what `all` was after the last one told in this thread; 0: none
  std::uint32_t thread = 0;  // thread_number()
};
Told told_now();

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
  bool reported() const { return reported_.load(std::memory_order_relaxed) != 0; }
  // `all` counts this telling.
  void set_reported(std::uint64_t all) {
    std::uint64_t never = 0;
    reported_.compare_exchange_strong(never, all, std::memory_order_relaxed);
  }
  // By whoever made it for a task: what was told when that was pushed.
  void set_pushed(const Told& told) {
    if (fixed_) return;
    pushed_.store(told.all, std::memory_order_relaxed);
    thread_.store(told.thread, std::memory_order_relaxed);
  }
  // Whether who asks knows of this failure: it had been told, or another one had been told in the asker's thread since that pushed
  // the task that failed: who hears that one thing of what was asked for went wrong must expect that the rest did. Records that many
  // calls share (fixed_) never count as known.
  bool known_to(const Told& asker) const {
    const std::uint64_t reported = reported_.load(std::memory_order_relaxed);
    if (fixed_) return false;
    if (reported != 0 && reported <= asker.all) return true;
    return thread_.load(std::memory_order_relaxed) == asker.thread &&
           pushed_.load(std::memory_order_relaxed) < asker.own;
  }

  void retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  ~ErrorRecord() = default;

  std::atomic<int> refs_{1};
  std::atomic<std::uint64_t> reported_{0};         // what Told::all was after the first telling
  std::atomic<std::uint64_t> pushed_{UINT64_MAX};  // Told::all when its task was pushed
  std::atomic<std::uint32_t> thread_{0};           // by this thread
  const Status status_;
  const std::string message_;
  const char* const fixed_ = nullptr;  // in place of message_
};

}  // namespace mixgrad::engine
