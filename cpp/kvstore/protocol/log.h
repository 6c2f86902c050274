// The log of a slot: steps that are not yet applied by all replicas.
#pragma once

#include <deque>

#include "kvstore/protocol/messages.h"

namespace mixgrad::kvstore::protocol {

struct LogStep {
  Entry entry;  // epoch, commit and trim are filled in when it is sent
  net::Payload payload;
  int32_t priority = 0;
};

// Indices count from 1. Steps up to `applied` are committed: no primary may ever change them. The others may be replaced, if
// another primary did not have them.
class Log {
 public:
  uint64_t applied() const { return applied_; }
  uint64_t tail() const { return trimmed_ + steps_.size(); }
  uint64_t first() const { return trimmed_ + 1; }  // the first that it still has

  // Null where it has none of that index.
  const LogStep* find(uint64_t index) const {
    return index > trimmed_ && index <= tail() ? &steps_[static_cast<size_t>(index - trimmed_ - 1)] : nullptr;
  }
  void append(LogStep step) { steps_.push_back(std::move(step)); }
  // Puts the step of a primary where it belongs, behind `tail() + 1` nowhere. If another stood there, that and all that followed
  // it are gone; the same one stays, and false is returned.
  bool put(LogStep step) {
    const uint64_t index = step.entry.index;
    if (const LogStep* before = find(index)) {
      if (before->entry.origin == step.entry.origin) return false;
      steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(index - trimmed_ - 1), steps_.end());
    }
    steps_.push_back(std::move(step));
    return true;
  }
  void applied_one() { ++applied_; }
  void trim(uint64_t index) {
    while (trimmed_ < index && trimmed_ < applied_) {
      steps_.pop_front();
      ++trimmed_;
    }
  }
  void reset(uint64_t applied) {
    steps_.clear();
    trimmed_ = applied_ = applied;
  }

 private:
  std::deque<LogStep> steps_;
  uint64_t trimmed_ = 0, applied_ = 0;
};

}  // namespace mixgrad::kvstore::protocol
