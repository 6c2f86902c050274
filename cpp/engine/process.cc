// The engine of the process, and what happens to engines at fork and at exit.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "base/at_exit.h"
#include "engine/caller.h"
#include "engine/profiler.h"
#include "engine/task_pool.h"
#include "engine/thread_state.h"
#include "engine/threaded.h"
#include "engine/waiter.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace mixgrad::engine {
namespace {

// Bodies that do not end, such as a read from a dead disk, must not keep a process from forking or exiting.
constexpr double fork_limit_seconds = 10, exit_limit_seconds = 60;

// Never destroyed: static destructors and threads may push to the very end.
struct ProcessEngines {
  std::mutex mutex;
  std::vector<ThreadedEngine*> threaded;
  Engine* serial = nullptr;
  Engine* workers = nullptr;
  bool hooks = false;
};

ProcessEngines& process_engines() {
  static auto* engines = new ProcessEngines;
  return *engines;
}

std::atomic<Engine*> process_engine{nullptr};

#if defined(__wasm__) && !defined(_REENTRANT)
constexpr bool process_has_threads = false;
#else
constexpr bool process_has_threads = true;
#endif

EngineKind process_default_kind() {
  if (!process_has_threads) return EngineKind::serial;
  if (const char* kind = std::getenv("MIXGRAD_ENGINE")) {
    return std::strcmp(kind, "serial") == 0 ? EngineKind::serial : EngineKind::threaded;
  }
  const char* kind = std::getenv("MXNET_ENGINE_TYPE");
  return kind && std::strcmp(kind, "NaiveEngine") == 0 ? EngineKind::serial : EngineKind::threaded;
}

// Calls fn of every engine. Takes no memory: at a fork and at exit there is nobody who could be told that there is none.
template <class Fn>
void for_each_engine(Fn fn) {
  ProcessEngines& engines = process_engines();
  for (std::size_t i = 0;; ++i) {
    ThreadedEngine* engine = nullptr;
    {
      std::lock_guard<std::mutex> guard(engines.mutex);
      if (i >= engines.threaded.size()) return;
      engine = engines.threaded[i];
    }
    fn(*engine);
  }
}

// Once, or again when a library that makes static objects was loaded later. What other threads still do after it is safe,
// since nothing that tasks and calls use is ever destroyed: it keeps a process from ending in the middle of a file, and in
// the middle of a task.
void process_exit() {
  wait_for_outside_work(exit_limit_seconds);
  for_each_engine([](ThreadedEngine& engine) { engine.leave(); });
  // exit() inside a task cannot wait for itself.
  if (!inside_task()) for_each_engine([](ThreadedEngine& engine) { engine.shut_down(exit_limit_seconds); });
  Stream::wait_for_all(exit_limit_seconds);
  for_each_engine([](ThreadedEngine& engine) { engine.left(); });
}

#if defined(__unix__) || defined(__APPLE__)
// fork() copies the calling thread only. So the engines finish their tasks and end their threads first;
// parent and child start new ones when they need them. That also leaves the child without a half-copied
// OpenMP team. A fork inside a task cannot wait for that task: there the parent goes on, and the child gives
// up what was in flight.
void process_before_fork() {
  ProcessEngines& engines = process_engines();
  if (!inside_task()) {
    for_each_engine([](ThreadedEngine& engine) { engine.hold_pushers(); });
    const BlockingScope blocking;  // tasks may be functions of the program
    for_each_engine([](ThreadedEngine& engine) { engine.rest(fork_limit_seconds); });
    Stream::wait_for_all(fork_limit_seconds);
  }
  engines.mutex.lock();
  for (ThreadedEngine* engine : engines.threaded) engine->lock_all();
  Waiter::lock_pool();
  if constexpr (!kCompact) lock_profiler();
  lock_task_pool();
}

void process_after_fork(bool child) {
  ProcessEngines& engines = process_engines();
  unlock_task_pool();
  if constexpr (!kCompact) unlock_profiler();
  Waiter::unlock_pool(child);
  for (ThreadedEngine* engine : engines.threaded) engine->unlock_all(child);
  engines.mutex.unlock();
  if (child) {
    thread_state.lane = nullptr;
    lose_caller_team();
  }
  for_each_engine([](ThreadedEngine& engine) {
    engine.let_pushers_go();
    engine.resume();
  });
}

void process_after_fork_parent() { process_after_fork(false); }
void process_after_fork_child() { process_after_fork(true); }

void process_install_fork_hooks() {
  pthread_atfork(process_before_fork, process_after_fork_parent, process_after_fork_child);
}
#else
void process_install_fork_hooks() {}
#endif

// With the mutex.
void process_install_hooks(ProcessEngines& engines) {
  if (engines.hooks) return;
  engines.hooks = true;
  process_install_fork_hooks();
  set_exit_work(process_exit);
}

// Not while holding the mutex.
Engine* process_engine_of(EngineKind kind) {
  ProcessEngines& engines = process_engines();
  Engine*& slot = kind == EngineKind::serial ? engines.serial : engines.workers;
  static std::mutex making;
  std::lock_guard<std::mutex> guard(making);
  if (slot) return slot;
  slot = kind == EngineKind::serial ? make_serial() : make_threaded();
  std::lock_guard<std::mutex> hooks(
      engines.mutex);  // streams of devices have work beside the serial engine, too
  process_install_hooks(engines);
  return slot;
}

}  // namespace

void register_engine(ThreadedEngine* engine) {
  ProcessEngines& engines = process_engines();
  std::lock_guard<std::mutex> guard(engines.mutex);
  process_install_hooks(engines);
  engines.threaded.push_back(engine);
}

void unregister_engine(ThreadedEngine* engine) {
  ProcessEngines& engines = process_engines();
  std::lock_guard<std::mutex> guard(engines.mutex);
  engines.threaded.erase(std::remove(engines.threaded.begin(), engines.threaded.end(), engine),
                         engines.threaded.end());
}

Engine& Engine::get() {
  if (Engine* engine = process_engine.load(std::memory_order_acquire)) return *engine;
  Engine* made = process_engine_of(process_default_kind());
  Engine* expected = nullptr;
  process_engine.compare_exchange_strong(expected, made, std::memory_order_acq_rel);
  return expected ? *expected : *made;
}

void set_engine(EngineKind kind) {
  Engine* before = process_engine.load(std::memory_order_acquire);
  if (before && before->kind() == kind) return;
  Engine* made = process_engine_of(kind);
  if (before) static_cast<Scheduler*>(before)->wait_quiescent(-1);
  process_engine.store(made, std::memory_order_release);
}

}  // namespace mixgrad::engine
