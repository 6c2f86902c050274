#include "engine/profiler.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "engine/thread_state.h"

namespace mixgrad::engine {
namespace {

// One list for all threads: while profiling, a lock per task is a small part of its cost.
std::mutex profiler_mutex;
std::vector<ProfiledTask>& profiler_tasks() {
  static auto* tasks =
      new std::vector<ProfiledTask>;  // outlives static destructors, which may still run tasks
  return *tasks;
}
std::uint64_t profiler_began_ns = 0;

std::string profiler_quoted(const char* name) {
  std::string out = "\"";
  for (; *name; ++name) {
    const unsigned char c = static_cast<unsigned char>(*name);
    if (c == '"' || c == '\\') out += '\\';
    if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

void profiler_append_event(std::string& out, const ProfiledTask& task, std::uint64_t began) {
  const std::uint64_t started = std::max(task.started_ns, began);
  const std::uint64_t pushed = std::min(started, std::max(task.pushed_ns, began));
  char numbers[256];
  std::snprintf(numbers, sizeof numbers,
                ",\"ph\":\"X\",\"pid\":0,\"tid\":%" PRIu32
                ",\"ts\":%.3f,\"dur\":%.3f,"
                "\"args\":{\"wait_us\":%.3f,\"bytes\":%" PRIu64,
                task.thread, static_cast<double>(started - began) * 1e-3,
                static_cast<double>(task.ended_ns - started) * 1e-3,
                static_cast<double>(started - pushed) * 1e-3, task.bytes);
  out += "{\"name\":" + profiler_quoted(task.name) + ",\"cat\":" + profiler_quoted(task.lane) + numbers;
  if (!task.node.empty()) out += ",\"node\":" + profiler_quoted(task.node.c_str());
  out += "}}";
}

// The same text at an address that stays.
const char* profiler_intern(const std::string& text) {
  static auto* names = new std::unordered_map<std::string, std::unique_ptr<std::string>>;
  std::lock_guard<std::mutex> guard(profiler_mutex);
  std::unique_ptr<std::string>& name = (*names)[text];
  if (!name) name = std::make_unique<std::string>(text);
  return name->c_str();
}

}  // namespace

std::uint64_t profiler_clock_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void profiler_start() {
  std::lock_guard<std::mutex> guard(profiler_mutex);
  profiler_tasks().clear();
  profiler_began_ns = profiler_clock_ns();
  profiler_on.store(true, std::memory_order_relaxed);
}

void profiler_stop() { profiler_on.store(false, std::memory_order_relaxed); }
void profiler_resume() {
  std::lock_guard<std::mutex> guard(profiler_mutex);
  if (profiler_began_ns == 0) profiler_began_ns = profiler_clock_ns();
  profiler_on.store(true, std::memory_order_relaxed);
}
bool profiler_running() { return profiler_on.load(std::memory_order_relaxed); }

void profiler_record(const ProfiledTask& task) noexcept {
  std::lock_guard<std::mutex> guard(profiler_mutex);
  try {
    if (task.started_ns >= profiler_began_ns) profiler_tasks().push_back(task);
  } catch (const std::bad_alloc&) {
    // A trace with a hole is better than a failed task.
  }
}

void profiler_record_step(const char* name, const char* kind, const std::string& node,
                          std::uint64_t started_ns, std::uint64_t bytes) noexcept {
  try {
    profiler_record({name, kind, started_ns, started_ns, profiler_clock_ns(), bytes, thread_number(), node});
  } catch (const std::bad_alloc&) {
    // As above.
  }
}

ProfiledScope::ProfiledScope(const std::string& scope, const char* function)
    : before_(thread_state.profiled_as) {
  if (!profiling()) return;
  name_ = profiler_intern(scope + "::" + function);
  thread_state.profiled_as = profiler_intern(scope);
  started_ns_ = profiler_clock_ns();
}

ProfiledScope::~ProfiledScope() {
  thread_state.profiled_as = before_;
  if (name_ && profiling())
    profiler_record({name_, "program", started_ns_, started_ns_, profiler_clock_ns(), 0, thread_number()});
}

const char* profiler_scoped(const char* name) {
  const char* const scope = thread_state.profiled_as;
  return scope ? profiler_intern(std::string(scope) + "::" + name) : name;
}

std::string profiler_trace() {
  std::lock_guard<std::mutex> guard(profiler_mutex);
  std::string out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  out += "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"mixgrad\"}}";
  std::vector<std::pair<std::uint32_t, const char*>> threads;  // each thread is named after its lane
  for (const ProfiledTask& task : profiler_tasks()) {
    const bool known =
        std::any_of(threads.begin(), threads.end(), [&](const auto& t) { return t.first == task.thread; });
    if (!known) threads.emplace_back(task.thread, task.lane);
  }
  for (const auto& thread : threads) {
    out +=
        text(",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":", thread.first,
             ",\"args\":{\"name\":", profiler_quoted(text(thread.second, " ", thread.first).c_str()), "}}");
  }
  for (const ProfiledTask& task : profiler_tasks()) {
    out += ",\n";
    profiler_append_event(out, task, profiler_began_ns);
  }
  return out + "\n]}\n";
}

void lock_profiler() { profiler_mutex.lock(); }
void unlock_profiler() { profiler_mutex.unlock(); }

}  // namespace mixgrad::engine
