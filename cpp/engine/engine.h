// The dependency engine: tasks say which Vars they read and write; what does not conflict runs in parallel.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/intrusive.h"
#include "base/span.h"
#include "engine/body.h"
#include "engine/var.h"

namespace mixgrad::engine {

// Which group of threads runs a task.
using LaneId = std::uint16_t;
constexpr LaneId lane_compute = 0;
constexpr LaneId lane_io = 1;  // copies and files
constexpr LaneId lane_network = 2;

struct TaskInfo {
  const char* name = "task";  // static or interned: it is read after push() has returned
  LaneId lane = lane_compute;
  // May run at once in the caller's thread when its Vars are idle and it is small or awaited.
  bool inline_ok = false;
  bool parallel = false;  // large, uses parallel_for: worker 0 of the lane runs it with the OpenMP team
  // A fork waits for it also where it runs at once: the caller may have let go of its interpreter's lock.
  bool fork_waits = false;
  int priority = 0;           // a ready task with a larger number goes first; equals go in order
  std::uint64_t cost_ns = 0;  // estimate, 0 when unknown; up to EngineOptions::inline_cost_ns a task is small
  std::uint64_t bytes = 0;    // bytes moved, for the profiler
  // The body gives its work to this stream and returns: the task is complete then, the work later. Work of the same stream
  // comes after it in any case, work of others and the host wait for it where they use the Vars.
  Stream* stream = nullptr;
  // The task may outlast its body, see completion.h. Not with a stream. With inline_ok the body runs at once in the caller's
  // thread when the task is ready, whatever it costs: it must not wait.
  bool deferred = false;
  // Of the Vars that it reads and changes, those whose values stay as they were when it fails or is not run: it changes
  // them once nothing can fail any more. They are not spoilt then.
  Span<Var* const> kept;
  // Of the Vars that it writes, those of which it writes a part: it comes after the same tasks as if it also read them. If it is not
  // run the values are spoilt all the same, where those of what it changes stay (docs/engine.md, Failures).
  Span<Var* const> parts;
  // It writes anew what has a value, which stays if it is not run, as what it changes does. Not for tasks of a stream.
  bool replaces = false;
};

// About what waking a worker and coming back costs, in nanoseconds.
constexpr std::uint64_t small_task_ns = 25000;

enum class Wait { to_read, to_write };
// Whether the interrupt hook (caller.h) may end a wait.
enum class Interrupts { heeded, ignored };
enum class EngineKind { serial, threaded };

struct EngineOptions {
  int compute_workers = 0;  // 0: one per core
  int io_workers = 2;
  int network_workers = 1;
  std::uint64_t inline_cost_ns = small_task_ns;  // inline_ok tasks that cost more are large
  std::uint64_t random_seed = 0;                 // not 0: ready tasks are picked at random, for tests
};

// The result of any program is what running the pushes one by one, in order, gives. Pushes of several threads
// take effect in some order that each of these threads agrees with.
//
// Failure. A body that throws spoils what its task would have written (but TaskInfo::kept): those Vars carry the error until
// a task that only writes them succeeds. A task that reads a spoilt Var is not run and spoils its own writes
// with the same error. A Var that it would have read and written has its old value, which is read once the failure was told
// (docs/engine.md). push() itself throws only std::bad_alloc and Error about its arguments.
//
// Builds without queues (kQueues) have no engine: what would be pushed is called, and throws where it fails. Of two threads
// that use the same Var at the same time neither may write it.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  // Finishes the tasks in flight. No thread may be inside another member.
  virtual ~Engine() = default;

  // The engine of the process. Made at first use, never destroyed. At exit tasks that run are finished and those that wait are
  // dropped; later pushes of the thread that exits run in it, and of others throw.
  static Engine& get();

  // Runs `callable` once every earlier task that conflicts is complete; returns at once. A Var in both lists
  // is read and then changed; a Var only in `writes` is overwritten. Repeated Vars are fine. The caller keeps
  // the Vars alive during the call only. `callable` is moved (or copied, if it is an lvalue); up to 192 bytes
  // of captures cost no allocation. Bodies may push; they may wait for Vars other than their own.
  template <class F>
  void push(F&& callable, Span<Var* const> reads, Span<Var* const> writes,
            const TaskInfo& info = TaskInfo()) {
    if constexpr (std::is_lvalue_reference_v<F>) {
      std::decay_t<F> copy(callable);
      push_body(body_of(copy), reads, writes, info);
    } else {
      push_body(body_of(callable), reads, writes, info);
    }
  }
  // The body by reference: so all arguments but one arrive in registers.
  virtual void push_body(const Body& body, Span<Var* const> reads, Span<Var* const> writes,
                         const TaskInfo& info) = 0;

  // Runs `callable`, which reads `var`, in this thread if nothing stands in the way: as a task, but what it throws is thrown,
  // as is the Var's error if it carries one. False, and nothing is done, where push() would queue it. For small work that the
  // caller would push and wait for.
  template <class F>
  bool read_now(Var* var, F&& callable, const TaskInfo& info) {
    return read_body_now(var, body_of(callable), info);
  }
  virtual bool read_body_now(Var* var, Body body, const TaskInfo& info) = 0;

  // Blocks until the tasks pushed earlier that write `var` (Wait::to_read), or that name it at all
  // (Wait::to_write), are complete. Throws the Var's error if its value is not there, each time; Status::stopped when the
  // wait was interrupted.
  virtual void wait_for_var(Var* var, Wait wait = Wait::to_read,
                            Interrupts interrupts = Interrupts::heeded) = 0;
  // The same without a look at the Var's error.
  virtual void wait_for_turn(Var* var, Wait wait, Interrupts interrupts = Interrupts::heeded) = 0;
  // Blocks until nothing is in flight, then throws the oldest failure nobody has seen yet. Forgets them all,
  // but leaves the Vars' errors where they are. Not allowed inside a task.
  virtual void wait_for_all() = 0;
  // The same, but leaves failures to those who ask for them.
  virtual void wait_for_idle() = 0;
  // Forgets the failures that wait_for_all would throw.
  virtual void forget_errors() = 0;

  // Adds a lane with that many threads and returns its number; `name` is static.
  virtual LaneId add_lane(const char* name, int workers) = 0;
  // Threads in a lane; 0 when tasks run in the caller's thread.
  virtual int lane_workers(LaneId lane) const = 0;
  virtual EngineKind kind() const = 0;
  // Whether queued tasks are in flight at this moment.
  virtual bool busy() const = 0;
};

// The error a Var carries, or nothing, without waiting. Include engine/error_record.h to use it.
Ref<ErrorRecord> error_of(const Var* var);
// Removes the error from a Var that no task is using, as an overwriting task would.
void clear_error(Var* var);

// Engines beside that of the process, for tests and tools. The caller deletes them.
Engine* make_serial();
Engine* make_threaded(const EngineOptions& options = EngineOptions());

// Chooses the engine of the process: finishes what is in flight, then switches. No other thread may push
// meanwhile. Without a call, the environment (MIXGRAD_ENGINE=serial or threaded,
// MXNET_ENGINE_TYPE=NaiveEngine) decides, then threaded.
void set_engine(EngineKind kind);

}  // namespace mixgrad::engine
