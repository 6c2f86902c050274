#include "kvstore/collective/promise.h"

#include "base/error.h"
#include "base/warning.h"
#include "engine/completion.h"

namespace mixgrad::kvstore::collective {

Promise::~Promise() {
  if (is_kept_ || !process_.here()) return;
  try {
    group_->fail(text("worker:", group_->rank(), " could not begin ", what_, ", operation ", number_));
  } catch (const std::exception& error) {
    warn(error.what());
  }
}

Promised promised(const std::shared_ptr<Group>& group, const About& about) {
  const uint64_t number = group->promise(about);
  return {about, number, std::make_shared<Promise>(group, about, number)};
}

engine::TaskInfo deferred_task(const char* name, int priority) {
  engine::TaskInfo info;
  info.name = name;
  info.lane = engine::lane_network;
  info.priority = priority;
  info.deferred = true;
  return info;
}

// Ends the task whose body calls it.
Ended ending_task(const char* function, const std::string& key) {
  const auto completion = std::make_shared<engine::Completion>(engine::Completion::begin());
  return [completion, function, key](Status status, const std::string& message) {
    if (status == Status::ok) {
      completion->done();
    } else {
      completion->failed(status, text('[', function, "] ", key, ": ", message));
    }
  };
}

}  // namespace mixgrad::kvstore::collective
