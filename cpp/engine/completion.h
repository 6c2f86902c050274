// Tasks that outlast their bodies: what they wait for comes from another program, and no thread need stand by.
#pragma once

#include <string>

#include "base/status.h"

namespace mixgrad::engine {

struct Task;

// The right to end a task, which it gets from begin() in its body. Until then the task is in flight and holds its Vars, however
// long ago its body returned. To be ended exactly once, by any thread; one that is destroyed unended fails its task.
//
// Waits for such tasks, also those of a fork and of the exit, are waits for whoever ends them.
class Completion {
 public:
  // Of the task whose body calls it, at most once, pushed with TaskInfo::deferred. What the body throws afterwards fails the
  // task, and its Vars stay taken until the Completion has ended as well.
  static Completion begin();

  Completion() = default;
  Completion(Completion&& other) noexcept : task_(other.task_) { other.task_ = nullptr; }
  Completion& operator=(Completion&& other) noexcept;
  ~Completion();

  explicit operator bool() const { return task_ != nullptr; }
  // May run tasks that the Vars let go of, where the engine is the serial one.
  void done() noexcept;
  void failed(Status status, const std::string& message) noexcept;

 private:
  explicit Completion(Task* task) : task_(task) {}
  Task* task_ = nullptr;
};

}  // namespace mixgrad::engine
