#include "engine/outcome.h"

#include "engine/failure.h"
#include "engine/scheduler.h"
#include "engine/stream_use.h"
#include "engine/thread_state.h"

namespace mixgrad::engine {

bool Outcome::inputs_failed() { return static_cast<bool>(error()); }

// The list goes once it is read: a chain of results does not grow as long as the program.
Ref<ErrorRecord> Outcome::error() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Ref<Outcome>& input : from_) {
    if (!error_) error_ = input->error();
  }
  from_.clear();
  return error_;
}

void Outcome::fail(const char* name) noexcept {
  Ref<ErrorRecord> record = Ref<ErrorRecord>::adopt(record_exception(name));
  owner_->keep_error(record.get());
  const std::lock_guard<std::mutex> lock(mutex_);
  error_ = std::move(record);
}

Ref<Outcome> outcome_of_task() {
  StreamTask& task = *thread_state.stream_task;
  if (!task.outcome) task.outcome = Ref<Outcome>(new Outcome(task.owner, task.from));
  return task.outcome;
}

}  // namespace mixgrad::engine
