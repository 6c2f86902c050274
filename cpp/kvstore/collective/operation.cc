#include "kvstore/collective/operation.h"

#include <utility>

#include "base/error.h"
#include "kvstore/collective/group.h"

namespace mixgrad::kvstore::collective {

const char* name_of(Step step) {
  switch (step) {
    case Step::sum: return "the sum";
    case Step::reduce: return "the sum in one worker";
    case Step::broadcast: return "the first value";
    case Step::update: return "the updated value";
    case Step::hand_over: return "the data";
    case Step::gather: break;
  }
  return "a meeting";
}

std::string About::str() const {
  if (step == Step::gather) return text(name_of(step), " (", key, ')');
  const char* const type = is_dtype(static_cast<int>(dtype)) ? name_of(static_cast<DType>(dtype)) : "?";
  return text(name_of(step), " of ", key, " (", type, ", ", elements, " elements)");
}

// Tells the end when the operation and all that it sent have let go.
class Operation::Ending {
 public:
  Ending(std::vector<ArrayRef> held, Ended ended) : held_(std::move(held)), ended_(std::move(ended)) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  ~Ending() { tell(Status::ok, ""); }
  void tell(Status status, const std::string& message) {
    Ended ended;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended.swap(ended_);
    }
    if (ended) ended(status, message);
  }

 private:
  const std::vector<ArrayRef> held_;
  std::mutex mutex_;
  Ended ended_;
};

Operation::Operation(std::shared_ptr<Group> group, Given given)
    : group_(std::move(group)),
      number_(given.number),
      about_(std::move(given.about)),
      priority_(given.priority),
      ending_(std::make_shared<Ending>(std::move(given.held), std::move(given.ended))) {
  if (about_.step == Step::gather) return;
  piece_elements_ = std::max<uint64_t>(1, group_->settings().piece_bytes / size_of(dtype()));
  pieces_ =
      static_cast<uint32_t>(std::max<uint64_t>(1, (about_.elements + piece_elements_ - 1) / piece_elements_));
}

uint32_t Operation::rank() const { return group_->rank(); }
uint32_t Operation::size() const { return group_->size(); }
uint32_t Operation::window() const { return group_->settings().window; }

net::Payload Operation::lent(const void* data, size_t bytes) const {
  return bytes == 0 ? net::Payload() : net::Payload(data, bytes, ending_);
}

void Operation::send(uint32_t to, uint32_t piece, bool is_final, net::Payload payload) const {
  Part part;
  part.number = number_;
  part.piece = piece;
  part.is_final = is_final;
  part.about = about_;
  // What is complete overtakes what is not: others wait for it.
  const int priority = priority_ < INT32_MAX && is_final ? priority_ + 1 : priority_;
  group_->send_part(to, std::move(part), std::move(payload), priority);
}

void Operation::begin() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!ending_) return;
  const bool is_over = do_begin();
  finish(lock, is_over);
}

void Operation::take(uint32_t from, const Part& part, net::Payload payload) {
  bool fits = part.piece < pieces_;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!ending_) return;
    const bool is_over = fits && do_take(from, part, std::move(payload), &fits);
    if (fits) return finish(lock, is_over);
  }
  group_->fail(text("worker:", from, " sent piece ", part.piece, " of ", about_.str(),
                    ", which does not belong there"));
}

void Operation::finish(std::unique_lock<std::mutex>& lock, bool is_over) {
  if (!is_over) return;
  const std::shared_ptr<Ending> ending = std::move(ending_);
  ending_ = nullptr;
  lock.unlock();
  group_->end(number_);
}

void Operation::fail(Status status, const std::string& message) {
  std::shared_ptr<Ending> ending;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending.swap(ending_);
  }
  if (ending) ending->tell(status, message);
}

bool Operation::is_over() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !ending_;
}

std::vector<uint32_t> Operation::awaited() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return ending_ ? do_awaited() : std::vector<uint32_t>();
}

}  // namespace mixgrad::kvstore::collective
