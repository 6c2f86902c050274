// What becomes of work that a task gave to a stream: known once the work is done, long after the task is complete.
#pragma once

#include <mutex>
#include <vector>

#include "base/intrusive.h"
#include "engine/error_record.h"

namespace mixgrad::engine {

class Scheduler;

// Threads: any. Work that fails says so before its event is complete; those that waited for the event ask.
class Outcome : public Counted<Outcome> {
 public:
  // Of work that reads what those of `from` give.
  Outcome(Scheduler* owner, std::vector<Ref<Outcome>> from) : owner_(owner), from_(std::move(from)) {}

  // Runs `work` unless what it reads is missing; what it throws is the error of the task of that name.
  template <class Work>
  void run(const char* name, const Work& work) noexcept {
    if (inputs_failed()) return;
    try {
      work();
    } catch (...) {
      fail(name);
    }
  }
  // The error, or null if all went well. Only once the work is done.
  Ref<ErrorRecord> error();

 private:
  bool inputs_failed();
  void fail(const char* name) noexcept;

  Scheduler* const owner_;
  std::mutex mutex_;
  std::vector<Ref<Outcome>> from_;  // empty once it is known what became of them
  Ref<ErrorRecord> error_;
};

// In the body of a task of a stream: where its work tells what becomes of it.
Ref<Outcome> outcome_of_task();

}  // namespace mixgrad::engine
