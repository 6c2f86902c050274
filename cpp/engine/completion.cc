#include "engine/completion.h"

#include <utility>

#include "base/error.h"
#include "engine/failure.h"
#include "engine/scheduler.h"
#include "engine/thread_state.h"

namespace mixgrad::engine {

Completion Completion::begin() {
  ThreadState& state = thread_state;
  if (!state.deferring || state.depth != state.deferring_depth)
    fail(Status::internal, "[Completion] begun outside of a deferred task's body, or twice");
  if (state.deferring->stream)
    fail(Status::internal, "[Completion] begun by a task of a stream, which is complete when its body ends");
  Task* const task = std::exchange(state.deferring, nullptr);
  // The body and this. Nobody else looks before the Completion is handed on.
  task->pending.store(2, std::memory_order_relaxed);
  return Completion(task);
}

Completion& Completion::operator=(Completion&& other) noexcept {
  Completion old(std::move(*this));
  std::swap(task_, other.task_);
  return *this;
}

Completion::~Completion() {
  if (task_) failed(Status::internal, "was given up before it was complete");
}

void Completion::done() noexcept {
  Task* const task = std::exchange(task_, nullptr);
  if (task) task->owner->complete(task, nullptr);
}

void Completion::failed(Status status, const std::string& message) noexcept {
  Task* const task = std::exchange(task_, nullptr);
  if (!task) return;
  ErrorRecord* error;
  try {
    throw Error(status, message.c_str());
  } catch (...) {
    error = record_exception(task->name);
  }
  task->owner->keep_error(error);
  task->owner->complete(task, error);
}

}  // namespace mixgrad::engine
