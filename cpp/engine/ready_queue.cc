#include "engine/ready_queue.h"

#include <utility>

namespace mixgrad::engine {

Task* ReadyQueue::meld(Task* a, Task* b) {
  if (!a) return b;
  if (!b) return a;
  if (before(b, a)) std::swap(a, b);
  b->next = a->child;
  a->child = b;
  return a;
}

// The two passes of a pairing heap, as loops: pairs from the left, then all of them from the right.
Task* ReadyQueue::meld_siblings(Task* first) {
  Task* pairs = nullptr;
  while (first) {
    Task* a = first;
    Task* b = a->next;
    first = b ? b->next : nullptr;
    a->next = nullptr;
    if (b) b->next = nullptr;
    Task* pair = meld(a, b);
    pair->next = pairs;
    pairs = pair;
  }
  Task* root = nullptr;
  while (pairs) {
    Task* rest = pairs->next;
    pairs->next = nullptr;
    root = meld(root, pairs);
    pairs = rest;
  }
  return root;
}

// A task that a finished one has set free was pushed before most of those that were ready from the start, and goes
// before them: what a program made early is used up early, and its temporaries are given back. Places further than a
// few steps from either end are not looked for; order among equals is a preference, not a promise.
void ReadyQueue::place(Task* task) {
  constexpr int most_steps = 16;
  if (!ordinary_.last || ordinary_.last->sequence < task->sequence) return ordinary_.append(task);
  Task* behind = nullptr;
  Task* next = ordinary_.first;
  for (int step = 0; next && next->sequence < task->sequence; ++step) {
    if (step == most_steps) return ordinary_.append(task);
    behind = next;
    next = next->next;
  }
  ordinary_.insert(behind, task);
}

void ReadyQueue::push(Task* task) {
  if (random_ != 0) {
    any_.push_back(task);
  } else if (task->priority == 0) {
    place(task);
  } else {
    task->child = task->next = nullptr;
    heap_ = meld(heap_, task);
  }
  ++size_;
}

Task* ReadyQueue::top() const {
  if (!any_.empty()) return any_.front();
  if (!heap_) return ordinary_.first;
  if (!ordinary_.first) return heap_;
  return before(heap_, ordinary_.first) ? heap_ : ordinary_.first;
}

Task* ReadyQueue::pop() {
  if (size_ == 0) return nullptr;
  --size_;
  if (random_ != 0) {
    random_ ^= random_ << 13;  // xorshift64
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    std::swap(any_[random_ % any_.size()], any_.back());
    Task* task = any_.back();
    any_.pop_back();
    return task;
  }
  if (top() != heap_) return ordinary_.take();
  Task* task = heap_;
  heap_ = meld_siblings(task->child);
  return task;
}

}  // namespace mixgrad::engine
