// What the files of distributed_store.h share: what orders calls, and what waits for their ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/caller.h"
#include "engine/completion.h"
#include "engine/engine.h"
#include "kvstore/distributed/distributed_store.h"

namespace mixgrad::kvstore {

inline bool interrupted_here() { return engine::heeds_interrupts() && engine::interrupted(); }

inline engine::TaskInfo network_task(const char* name, int priority) {
  engine::TaskInfo info;
  info.name = name;
  info.lane = engine::lane_network;
  info.priority = priority;
  return info;
}

// The message of an outcome, with the key for the number of its piece.
std::string with_key(const std::string& message, protocol::PieceId id, const std::string& name);

class DistributedStore::Turn final : public engine::Var {
 public:
  static Ref<Turn> make() { return Ref<Turn>::adopt(new Turn); }
};

// Several requests that a caller or a task waits for.
class DistributedStore::Wait {
 public:
  explicit Wait(size_t count) : outcomes_(count), left_(count) {}
  Driver::Ended at(const std::shared_ptr<Wait>& self, size_t i) {
    return [self, i](protocol::Outcome& outcome) {
      {
        const std::lock_guard<std::mutex> lock(self->mutex_);
        self->outcomes_[i] = std::move(outcome);
        --self->left_;
      }
      self->changed_.notify_all();
    };
  }
  // False when it was interrupted.
  bool all_ended() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (left_ > 0) {
      changed_.wait_for(lock, engine::interrupt_period);
      if (left_ == 0) break;
      lock.unlock();
      const bool is_interrupted = interrupted_here();
      lock.lock();
      if (is_interrupted) return false;
    }
    return true;
  }
  bool has_ended() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return left_ == 0;
  }
  std::vector<protocol::Outcome>& outcomes() { return outcomes_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<protocol::Outcome> outcomes_;
  size_t left_;
};

// Updates that were sent and are not over.
class DistributedStore::Updates {
 public:
  void begin() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++count_;
  }
  void end() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      --count_;
    }
    changed_.notify_all();
  }
  size_t count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return count_;
  }
  // Whether all are over, after so long at most.
  bool have_ended(std::chrono::milliseconds limit) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, limit, [&] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t count_ = 0;
};

// An update on its way: the task that sent it is over, the one that waits for its acknowledgement is not.
struct DistributedStore::Ending {
  std::mutex mutex;
  engine::Completion completion;
  bool is_over = false, is_begun = false;
  Status status = Status::ok;
  std::string message;
  size_t left = 0;

  // Call without the lock.
  void tell() {
    engine::Completion ended;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!is_over || !is_begun) return;
      ended = std::move(completion);
    }
    if (!ended) return;
    if (status == Status::ok) {
      ended.done();
    } else {
      ended.failed(status, message);
    }
  }
};

}  // namespace mixgrad::kvstore
