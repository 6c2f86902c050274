#include "engine/var.h"

#include "base/build.h"
#include "engine/error_record.h"
#include "engine/spin.h"
#include "engine/stream_use.h"

namespace mixgrad::engine {

Var::~Var() {
  if constexpr (kQueues) {
    if (error_) error_->release();
    delete streams_;
  }
}

std::uint64_t Var::lock_contended() const {
  SpinWait wait;
  for (;;) {
    while (word_.load(std::memory_order_relaxed) == kLocked) wait.turn();
    const std::uint64_t word = word_.exchange(kLocked, std::memory_order_acquire);
    if (word != kLocked) return word;
  }
}

void Var::drop() {
  if constexpr (!kQueues) return delete this;
  // No task, error or stream: nobody is left who might lock it.
  if (word_.load(std::memory_order_acquire) == 0) return delete this;
  const std::uint64_t word = lock();
  const bool idle = (word & ~(kError | kIntact | kStreams)) == 0;
  unlock(idle ? word : word | kDropped);  // destructors look at the word
  if (idle) delete this;                  // else the last task destroys it
}

void Var::count_write() {
  const std::uint64_t word = kQueues ? lock() : 0;
  pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  completed_.store(completed_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  unlock(word);
}

std::size_t Var::all_stream_events(Event* events) const {
  const std::uint64_t word = lock();
  const std::size_t count = word & kStreams ? streams_->add_to(events, 0, true) : 0;
  unlock(word);
  return count;
}

bool Var::failed() const {
#if MIXGRAD_QUEUES
  const std::uint64_t word = lock();
  const bool failed = standing_error(word, asked_now()) != nullptr;
  unlock(word);
  return failed;
#else
  return false;  // what is called throws where it fails
#endif
}

// A change in place that was not made, since what it reads is missing, leaves the value that was there: whoever has been told of the
// failure may go on with it. What was asked for before that gets the error: it would go on with half of a step.
ErrorRecord* Var::standing_error(std::uint64_t word, const Asked& asked) const {
  return word & kIntact && error_->known_to(asked) ? nullptr : error_;
}

Ref<Var> make_var() {
  struct Tag final : Var {};
  return Ref<Var>::adopt(new Tag);
}

}  // namespace mixgrad::engine
