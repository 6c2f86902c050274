// The tasks of a lane that wait for a thread only: highest priority first, then order of the pushes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/task.h"

namespace mixgrad::engine {

// Not thread-safe. Allocates nothing, except in random mode.
class ReadyQueue {
 public:
  // With a seed other than 0, pop() picks any task.
  explicit ReadyQueue(std::uint64_t random_seed) : random_(random_seed) {}

  void push(Task* task);
  // The task pop() would return in ordered mode; null when empty.
  Task* top() const;
  Task* pop();
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Whether a goes before b.
  static bool before(const Task* a, const Task* b) {
    return a->priority != b->priority ? a->priority > b->priority : a->sequence < b->sequence;
  }

 private:
  void place(Task* task);
  static Task* meld(Task* a, Task* b);
  static Task* meld_siblings(Task* first);

  TaskList ordinary_;       // priority 0, which nearly all tasks have
  Task* heap_ = nullptr;    // the others, a pairing heap through child and next
  std::vector<Task*> any_;  // all of them in random mode
  std::uint64_t random_;
  std::size_t size_ = 0;
};

}  // namespace mixgrad::engine
