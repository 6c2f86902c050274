// What streams may still be doing with what a Var tags, though the tasks that gave them the work are complete.
#pragma once

#include <cstddef>
#include <cstdint>

#include <vector>

#include "device/stream.h"
#include "engine/outcome.h"
#include "engine/var.h"

namespace mixgrad::engine {

// A task that gives work to a stream.
struct StreamTask {
  Scheduler* owner;
  std::vector<Ref<Outcome>> from;  // of what it reads
  Ref<Outcome> outcome;            // null: nothing can fail
};

// Under the Var's lock.
struct StreamUse {
  static constexpr std::size_t kMostReads = Var::kMostEvents - 1;

  Event write;              // after the last write
  Ref<Outcome> outcome;     // of that write; null: it cannot fail
  Event reads[kMostReads];  // after the reads since then, one for each stream
  std::size_t num_reads = 0;
  std::uint32_t launching = 0;  // tasks of streams that are about to note their events

  // The events that a task which reads, or which also writes, comes after; to `events`, from `count` on.
  std::size_t add_to(Event* events, std::size_t count, bool writes) const {
    if (write.stream) events[count++] = write;
    for (std::size_t i = 0; writes && i < num_reads; ++i) events[count++] = reads[i];
    return count;
  }

  void note_write(const Event& event, const Ref<Outcome>& of_event) {
    write = event;
    outcome = of_event;
    num_reads = 0;
  }

  // False where there is no room: some read must be complete first.
  bool note_read(const Event& event) {
    for (std::size_t i = 0; i < num_reads; ++i) {
      if (reads[i].stream != event.stream) continue;
      if (reads[i].number < event.number) reads[i] = event;
      return true;
    }
    drop_complete_reads();
    if (num_reads == kMostReads) return false;
    reads[num_reads++] = event;
    return true;
  }

  void drop_complete_reads() {
    std::size_t left = 0;
    for (std::size_t i = 0; i < num_reads; ++i) {
      if (!reads[i].complete()) reads[left++] = reads[i];
    }
    num_reads = left;
  }
  // Nothing is left, and nothing about to come.
  bool over() const { return !write.stream && num_reads == 0 && launching == 0; }
};

}  // namespace mixgrad::engine
