// What the engine knows about the calling thread.
#pragma once

#include <cstdint>

#include "engine/task.h"

namespace mixgrad::engine {

class Lane;
struct StreamTask;

// Trivial and constant-initialised, so that reaching it costs no guard.
struct ThreadState {
  Task* free_tasks = nullptr;
  std::uint32_t free_count = 0;
  bool pool_registered = false;  // the free list is given back when the thread ends
  bool pool_gone = false;        // it has been
  bool draining = false;         // a loop of this thread runs run_list
  std::uint32_t number = 0;      // 1, 2, ... in order of first use; 0 before
  std::int32_t depth = 0;        // task bodies on this thread's stack
  Lane* lane = nullptr;          // of a worker thread
  void* crew = nullptr;          // the lane's, when the thread was started
  std::int32_t worker = 0;
  bool team_lost = false;             // see lose_caller_team
  std::uint32_t pushed = 0;           // large tasks pushed since this thread last waited
  std::uint32_t awaited = 0;          // how often in a row it waited for the only one
  const Asked* asked = nullptr;       // of the task that a worker runs
  const char* profiled_as = nullptr;  // interned: whose tasks this thread pushes, see ProfiledScope
  Task* deferring = nullptr;          // the task whose body may begin a Completion, at this depth
  std::int32_t deferring_depth = 0;
  StreamTask* stream_task = nullptr;  // of the innermost body, if its work goes to a stream
  TaskList run_list;                  // ready tasks that this thread runs itself: serial engine, closed lanes
};

inline thread_local ThreadState thread_state;

// Gives the thread its number.
std::uint32_t thread_number();

}  // namespace mixgrad::engine
