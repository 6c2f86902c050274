#include "kvstore/collective/waiting.h"

#include <utility>

#include "base/error.h"
#include "engine/caller.h"
#include "kvstore/collective/operation.h"

namespace mixgrad::kvstore::collective {

bool is_interrupted_here() { return engine::heeds_interrupts() && engine::interrupted(); }

void Meeting::end(Status status, const std::string& message) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_over_ = true;
    status_ = status;
    message_ = message;
  }
  changed_.notify_all();
}

bool Meeting::wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_over_) {
    changed_.wait_for(lock, engine::interrupt_period);
    if (is_over_) break;
    lock.unlock();
    const bool is_interrupted = is_interrupted_here();
    lock.lock();
    if (is_interrupted) return false;
  }
  return true;
}

std::string Meeting::different() const {
  std::string found;
  for (size_t i = 1; i < all->size(); ++i) {
    if ((*all)[i] != (*all)[0]) found += text(found.empty() ? "" : ", ", "worker:", i);
  }
  return found;
}

std::shared_ptr<Meeting> meet(const std::shared_ptr<Group>& group, const std::string& what,
                              const std::string& own) {
  const auto meeting = std::make_shared<Meeting>();
  Operation::Given given;
  given.about.key = what;
  given.number = group->promise(given.about);
  given.priority = INT32_MAX - 1;
  given.ended = [meeting](Status status, const std::string& message) { meeting->end(status, message); };
  group->begin(make_gather(group, std::move(given), own, meeting->all));
  return meeting;
}

}  // namespace mixgrad::kvstore::collective
