// Records what ran when, as Chrome-trace JSON (chrome://tracing, Perfetto).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/build.h"

namespace mixgrad::engine {

// Forgets what was recorded and begins. Tasks pushed before count from here.
void profiler_start();
// Ends recording; what was recorded stays until the next start.
void profiler_stop();
// Goes on, with what was recorded before the stop.
void profiler_resume();
bool profiler_running();

// The trace so far. `ts` and `dur` are microseconds; each task carries its lane, the time it waited between
// push and start, and its bytes.
std::string profiler_trace();
// Writes it to a file. Throws Error(io).
void profiler_dump(const std::string& path);

// Recording, for the engine. Compact builds have no profiler.
inline std::atomic<bool> profiler_on{false};
inline bool profiling() { return !kCompact && profiler_on.load(std::memory_order_relaxed); }
std::uint64_t profiler_clock_ns();
struct ProfiledTask {
  const char* name;  // static or interned
  const char* lane;  // "inline" when it ran in the pushing thread
  std::uint64_t pushed_ns, started_ns, ended_ns;
  std::uint64_t bytes;
  std::uint32_t thread;
  std::string node = {};  // of a graph, when this is one step of a task
};
void profiler_record(const ProfiledTask& task) noexcept;
// A step of the task that the calling thread runs: a node of a graph. `name` is its operator's.
void profiler_record_step(const char* name, const char* kind, const std::string& node,
                          std::uint64_t started_ns, std::uint64_t bytes) noexcept;
// While profiling: tasks that this thread pushes are recorded as "scope::task", and the scope's own time as "scope::function".
class ProfiledScope {
 public:
  ProfiledScope(const std::string& scope, const char* function);
  ~ProfiledScope();
  ProfiledScope(const ProfiledScope&) = delete;
  ProfiledScope& operator=(const ProfiledScope&) = delete;

 private:
  const char* const before_;
  const char* name_ = nullptr;  // null: nothing is recorded
  std::uint64_t started_ns_ = 0;
};
// The name under which a task is recorded that the calling thread pushes.
const char* profiler_scoped(const char* name);
// Held across fork().
void lock_profiler();
void unlock_profiler();

}  // namespace mixgrad::engine
