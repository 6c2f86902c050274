// Calls that wait for all workers.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kvstore/collective/group.h"

namespace mixgrad::kvstore::collective {

// Whether the client wants its call to end.
bool is_interrupted_here();

class Meeting {
 public:
  void end(Status status, const std::string& message);
  // False when it was interrupted.
  bool wait();
  void check(const char* function) const {
    if (status_ != Status::ok) fail(status_, '[', function, "] ", message_);
  }
  // Workers whose text is not that of worker 0: "worker:1, worker:3", or nothing.
  std::string different() const;
  // What they gave, by rank; valid once it has ended.
  const std::shared_ptr<std::vector<std::string>> all = std::make_shared<std::vector<std::string>>();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  Status status_ = Status::ok;
  std::string message_;
};

// Begins a call that all workers make, each with a text of at most kMaxGathered bytes.
std::shared_ptr<Meeting> meet(const std::shared_ptr<Group>& group, const std::string& what,
                              const std::string& own);

}  // namespace mixgrad::kvstore::collective
