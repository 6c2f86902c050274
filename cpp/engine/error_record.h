// Why a value is missing: the failure of the task that should have written it, shared by all Vars it spoilt.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "base/error.h"

namespace mixgrad::engine {

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

  void retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  ~ErrorRecord() = default;

  std::atomic<int> refs_{1};
  std::atomic<bool> reported_{false};
  const Status status_;
  const std::string message_;
  const char* const fixed_ = nullptr;  // in place of message_
};

}  // namespace mixgrad::engine
