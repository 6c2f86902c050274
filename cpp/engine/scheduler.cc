#include "engine/scheduler.h"

#include <chrono>
#include <cstring>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "engine/caller.h"
#include "engine/failure.h"
#include "engine/keys.h"
#include "engine/lane.h"
#include "engine/profiler.h"
#include "engine/stream_use.h"
#include "engine/thread_state.h"
#include "engine/waiter.h"

namespace mixgrad::engine {
namespace {

// A thread that has pushed far ahead of the workers is slowed down: tasks and what they hold would fill the
// memory. Only slowed down, since a task may wait for something that this thread does later.
constexpr std::int64_t throttle_tasks = 4096;
constexpr std::uint64_t throttle_every = 64;

// See run_awaited.
constexpr std::uint32_t awaited_before = 4;
constexpr std::uint64_t awaited_most_ns = 50'000'000;
// Short, since meanwhile nobody answers the user's interrupt.
constexpr auto throttle_limit = std::chrono::milliseconds(100);

// See wait_for_end.
constexpr auto end_grace = std::chrono::seconds(5);

std::atomic<std::uint64_t> failures_told{0};

// Between looks at a Var, where there is no memory to be woken.
constexpr auto poll_interval = std::chrono::microseconds(50);

// Throws the error and lets go of the reference. A user who has seen it may wonder why it is back.
void throw_recorded(ErrorRecord* error) {
  const Ref<ErrorRecord> owned = Ref<ErrorRecord>::adopt(error);
  const bool again = error->reported();
  error->set_reported();
  // A body that catches what it waited for has no user to tell.
  const std::uint64_t number = failures_told.fetch_add(1, std::memory_order_relaxed) + 1;
  if (thread_state.depth == 0) error->set_told(thread_number(), number);
  if (!again || !repeats(*error)) throw Error(error->status(), error->message());
  throw Error(error->status(), message_again(*error).c_str());
}

Left left_by(bool ran, bool replaces, const Stream* stream) {
  if (ran) return Left::ran;
  if (stream) return Left::nothing;  // what was begun before may be at work on the values
  return replaces ? Left::replaced : Left::changed;
}

}  // namespace

// Whose change is not made must be told, also if that was asked for after the failure was told: by a record of its own.
ErrorRecord* Scheduler::record_of_unrun(ErrorRecord* error, const KeyList& keys,
                                        const Asked& asked) noexcept {
  bool fresh = error->known_to(asked);
  // One that nobody was told of must not be lost with this one's telling.
  for (std::size_t i = 0; i < keys.count && !fresh; ++i) {
    fresh = keys[i] & key_writes && VarProtocol::hides_another(key_var(keys[i]), error, asked);
  }
  if (!fresh) return error;
  const ErrorRecord* const seen = error;
  error = record_again(error, asked.told);
  if (error != seen) keep_error(error);
  return error;
}

// A body asks as who pushed its task.
Asked asked_now() {
  if (thread_state.asked) return *thread_state.asked;
  const std::uint32_t number = thread_state.number;
  return {failures_told.load(std::memory_order_relaxed), number ? number : thread_number()};
}

// A fork or exit waits for tasks of workers, and so for what they push.
bool Scheduler::may_be_held() const {
  return thread_state.depth == 0 && !thread_state.lane &&
         leaver_.load(std::memory_order_relaxed) != thread_number();
}

Scheduler::Count& Scheduler::my_count() {
  const std::uint32_t number = thread_state.number ? thread_state.number : thread_number();
  return counts_[number % count_parts];
}

// A fork holds pushers before it looks for tasks in flight, and a pusher counts its task before it looks whether it is
// held: so either the fork waits for the task or the pusher waits for the fork.
bool Scheduler::count_push(Count& count, std::uint64_t* pushed) {
  // Before any other thread can complete the task. See in_flight().
  *pushed = count.pushed.fetch_add(1, std::memory_order_seq_cst);
  if (!held_.load(std::memory_order_seq_cst) || !may_be_held()) return true;
  count_completed(count);
  return false;
}

void Scheduler::count_completed(Count& count) {
  count.completed.fetch_add(1, std::memory_order_seq_cst);
  worker_idle();
}

void Scheduler::push_body(const Body& body, Span<Var* const> reads, Span<Var* const> writes,
                          const TaskInfo& info) {
  if (held_.load(std::memory_order_relaxed) && may_be_held()) return push_later(body, reads, writes, info);
  KeySet keys(reads, writes, info);
  if (!has_lane(info.lane))
    fail(Status::invalid_argument, "[", info.name, "] was pushed to lane ", info.lane,
         ", which does not exist");
  if ((always_inline_ || (info.inline_ok && info.cost_ns <= inline_cost_ns_)) && !info.deferred) {
    InFlight flight(*this);
    if (info.fork_waits && !flight.begin()) return push_later(body, reads, writes, info);
    ErrorRecord* error;
    if (VarProtocol::try_grant(keys.data(), keys.size(), info.stream, &error)) {
      return run_inline(body, keys.data(), keys.size(), error, info);
    }
  } else if (info.parallel && run_awaited(body, keys, info)) {
    return;
  }
  Count& count = my_count();
  std::uint64_t pushed;
  if (!count_push(count, &pushed)) return push_later(body, reads, writes, info);
  Task* task = nullptr;
  bool ready;
  try {
    task = make_task(this, body, keys.data(), keys.size(), info);
    task->profiled = profiling();
    if (task->profiled) {
      task->name = profiler_scoped(task->name);
      task->pushed_ns = profiler_clock_ns();
      task->bytes = info.bytes;
    }
    task->sequence = sequence_.fetch_add(1, std::memory_order_relaxed);
    task->asked = asked_now();
    ready = VarProtocol::enqueue(task);
  } catch (...) {
    if (task) {
      destroy_body(task);
      recycle(task);
    }
    count_completed(count);
    throw;
  }
  if (ready && info.deferred && info.inline_ok && kQueues && !always_inline_) {
    execute(task, false);
  } else if (ready) {
    TaskList list;
    list.append(task);
    dispatch(info.lane, list, false);
  }
  if (pushed % throttle_every == throttle_every - 1) throttle();
}

// A thread that waits for each large task right after pushing it gains nothing from a worker and loses two wake-ups. Once
// it has done so a few times the next such task runs in its own thread; the first task that it pushes after another
// without waiting in between goes to the workers again. So does one that takes long: a thread that waits can be interrupted, one
// that works cannot.
bool Scheduler::run_awaited(Body body, KeySet& keys, const TaskInfo& info) {
  ThreadState& state = thread_state;
  if (state.depth > 0 || state.lane) return false;
  if (state.pushed++ > 0) state.awaited = 0;
  if (state.awaited < awaited_before || !info.inline_ok || info.deferred || info.lane != lane_compute)
    return false;
  if (info.cost_ns > awaited_most_ns) return false;
  std::optional<TeamScope> team(std::in_place, claim_caller_team());
  if (!team_allowed()) return false;
  InFlight flight(*this);
  if (!flight.begin()) return false;
  ErrorRecord* error;
  if (!VarProtocol::try_grant(keys.data(), keys.size(), info.stream, &error)) return false;
  const BlockingScope blocking;
  run_inline(body, keys.data(), keys.size(), error, info);
  // Before the wait for an interpreter's lock, which may last for ever: see BlockingHooks.
  team.reset();
  flight.finish();
  return true;
}

void Scheduler::note_wait() {
  ThreadState& state = thread_state;
  if (state.pushed == 1 && state.awaited < awaited_before) ++state.awaited;
  state.pushed = 0;
}

// Completions are summed before pushes. Both only grow, so if the sums are equal, then at some moment between
// the two sums every task pushed until then was complete.
std::int64_t Scheduler::in_flight() const {
  std::uint64_t completed = 0, pushed = 0;
  for (const Count& count : counts_) completed += count.completed.load(std::memory_order_seq_cst);
  for (const Count& count : counts_) pushed += count.pushed.load(std::memory_order_seq_cst);
  return static_cast<std::int64_t>(pushed - completed);
}

void Scheduler::throttle() {
  if (thread_state.depth > 0 || thread_state.lane || in_flight() < throttle_tasks) return;
  const BlockingScope blocking;
  const auto limit = std::chrono::steady_clock::now() + throttle_limit;
  while (in_flight() > throttle_tasks / 2 && std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

ErrorRecord* Scheduler::run_body(const BodyOps* ops, void* callable, const char* name) noexcept {
  ThreadState& state = thread_state;
  ++state.depth;
  ErrorRecord* failure = nullptr;
  try {
    ops->invoke(callable);
  } catch (...) {
    failure = record_exception(name);
    keep_error(failure);
  }
  --state.depth;
  return failure;
}

ErrorRecord* Scheduler::run_beside_streams(const BodyOps* ops, void* callable, const char* name,
                                           const KeyList& keys, Stream* stream, const Asked& asked,
                                           bool* ran) noexcept {
  StreamTask task{this, {}, {}};
  ErrorRecord* failure = nullptr;
  bool announced = false;
  try {
    // A thread of a lane that waits leaves its place to another.
    Lane* const lane = !stream ? thread_state.lane : nullptr;
    if (lane) lane->worker_blocks();
    failure = VarProtocol::come_after_streams(keys, stream, asked, &task.from);
    if (lane) lane->worker_resumes();
    announced = true;
    if (task.from.size() > 1) task.outcome = Ref<Outcome>(new Outcome(this, task.from));
  } catch (...) {
    if (failure) failure->release();
    failure = record_exception(name);
    keep_error(failure);
  }
  *ran = !failure;
  if (!failure) {
    StreamTask* const before = std::exchange(thread_state.stream_task, stream ? &task : nullptr);
    failure = run_body(ops, callable, name);
    thread_state.stream_task = before;
  }
  // What cannot fail itself hands on what becomes of what it reads.
  if (!task.outcome && task.from.size() == 1) task.outcome = task.from[0];
  if (stream && announced) VarProtocol::note_event(keys, stream->mark(), task.outcome);
  return failure;
}

ErrorRecord* Scheduler::run_granted(Body body, Key* keys, std::size_t count, ErrorRecord* error,
                                    const TaskInfo& info) {
  const bool profile = profiling();
  const std::uint64_t started = profile ? profiler_clock_ns() : 0;
  bool ran = !error;
  if (!error) {
    error = info.stream ? run_beside_streams(body.ops, body.callable, info.name, {keys, count}, info.stream,
                                             asked_now(), &ran)
                        : run_body(body.ops, body.callable, info.name);
  }
  if (profile) {
    profiler_record({profiler_scoped(info.name), "inline", started, started, profiler_clock_ns(), info.bytes,
                     thread_number()});
  }
  if (!ran) error = record_of_unrun(error, {keys, count}, asked_now());
  const Left left = left_by(ran, info.replaces, info.stream);
  Released released;
  std::size_t dead = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (VarProtocol::release(keys[i], error, left, released)) keys[dead++] = keys[i];
  }
  for (std::size_t i = 0; i < dead; ++i) VarProtocol::destroy(key_var(keys[i]));
  if (released.ready.first || released.waiters) deliver(released, false);
  return error;
}

bool Scheduler::read_body_now(Var* var, Body body, const TaskInfo& info) {
  if (!var) fail(Status::invalid_argument, "[read_now] the Var is null");
  note_wait();
  if (held_.load(std::memory_order_relaxed) && may_be_held()) return false;
  Key key = reinterpret_cast<Key>(var) | key_reads;
  InFlight flight(*this);
  if (info.fork_waits && !flight.begin()) return false;
  ErrorRecord* error;
  if (!VarProtocol::try_grant(&key, 1, false, &error)) return false;
  error = run_granted(body, &key, 1, error, info);
  if (error) throw_error(error);
  return true;
}

void Scheduler::execute(Task* task, bool returning) noexcept {
  bool streams;
  ErrorRecord* error = VarProtocol::read_error(task, &streams);
  if (!error && task->sequence < dropped_below_.load(std::memory_order_relaxed)) error = record_dropped();
  bool ran = !error;
  const auto run = [&] {
    const Asked* const before = std::exchange(thread_state.asked, &task->asked);
    ErrorRecord* const failure = streams || task->stream
                                     ? run_beside_streams(task->ops, task->callable, task->name,
                                                          KeyList(task), task->stream, task->asked, &ran)
                                     : run_body(task->ops, task->callable, task->name);
    thread_state.asked = before;
    return failure;
  };
  task->started_ns = profiling() ? profiler_clock_ns() : 0;
  if (!error && task->deferred) {
    ThreadState& state = thread_state;
    Task* const outer = std::exchange(state.deferring, task);
    const std::int32_t depth = std::exchange(state.deferring_depth, state.depth + 1);
    task->late_error = nullptr;
    task->body_error = run();
    state.deferring = outer;
    state.deferring_depth = depth;
    // Begun by this thread, so it is seen here; the last of the two that ends it goes on.
    if (task->pending.load(std::memory_order_relaxed) != 0) {
      answers_awaited.fetch_add(1, std::memory_order_relaxed);
      if (task->pending.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
      answers_awaited.fetch_sub(1, std::memory_order_relaxed);
    }
    return finish_deferred(task, returning);
  }
  if (!error) error = run();
  finish(task, error, ran, returning);
}

void Scheduler::finish_deferred(Task* task, bool returning) noexcept {
  ErrorRecord* const error = task->body_error ? task->body_error : task->late_error;
  if (task->body_error && task->late_error) task->late_error->release();
  finish(task, error, true, returning);
}

void Scheduler::complete(Task* task, ErrorRecord* error) noexcept {
  task->late_error = error;
  if (task->pending.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  answers_awaited.fetch_sub(1, std::memory_order_relaxed);
  finish_deferred(task, false);
  worker_idle();
}

void Scheduler::finish(Task* task, ErrorRecord* error, bool ran, bool returning) noexcept {
  if (profiling() && task->started_ns != 0) {
    const std::uint64_t pushed = task->profiled ? task->pushed_ns : task->started_ns;
    profiler_record({task->name, lane_name(task->lane), pushed, task->started_ns, profiler_clock_ns(),
                     task->profiled ? task->bytes : 0, thread_number()});
  }
  if (!ran) error = record_of_unrun(error, KeyList(task), task->asked);
  const Left left = left_by(ran, task->replaces, task->stream);
  // Before the Vars are released: those that wait for them find the body's captures gone.
  destroy_body(task);
  Released released;
  std::uint32_t dead = 0;
  Link* links = task->links;
  for (std::uint32_t i = 0; i < task->link_count; ++i) {
    if (VarProtocol::release(links[i].key, error, left, released)) links[dead++].key = links[i].key;
  }
  if (error) error->release();
  for (std::uint32_t i = 0; i < dead; ++i) VarProtocol::destroy(key_var(links[i].key));
  recycle(task);
  if (released.ready.first || released.waiters) deliver(released, returning);
  my_count().completed.fetch_add(1, std::memory_order_seq_cst);
}

void Scheduler::deliver(const Released& released, bool returning) {
  for (Link* link = released.waiters; link;) {
    Waiter* waiter = static_cast<Waiter*>(link);
    link = link->next;
    waiter->deliver();
  }
  TaskList ready = released.ready;
  while (ready.first) {
    // One dispatch per run of equal lanes; a task goes to the engine it was pushed to.
    TaskList same;
    Scheduler* owner = ready.first->owner;
    const LaneId lane = ready.first->lane;
    while (ready.first && ready.first->lane == lane && ready.first->owner == owner) same.append(ready.take());
    owner->dispatch(lane, same, returning);
  }
}

void Scheduler::run_here(TaskList tasks) {
  ThreadState& state = thread_state;
  while (tasks.first) state.run_list.append(tasks.take());
  if (!state.draining) run_list();
}

void Scheduler::run_list() {
  ThreadState& state = thread_state;
  const bool before = state.draining;
  state.draining = true;
  while (state.run_list.first) {
    Task* task = state.run_list.take();
    Scheduler* owner = task->owner;
    owner->execute(task, false);
    owner->worker_idle();
  }
  state.draining = before;
}

ErrorRecord* Scheduler::wait_until(Var* var, Wait wait, Interrupts interrupts) {
  Ref<ErrorRecord> error = Ref<ErrorRecord>::adopt(wait_for_tasks(var, wait, interrupts));
  if (!Stream::any()) return error.detach();
  wait_for_streams(var, wait, interrupts);
  // Another thread may have found what became of the work.
  return error ? error.detach() : VarProtocol::error_of(var, asked_now());
}

void Scheduler::wait_for_streams(Var* var, Wait wait, Interrupts interrupts) {
  Event events[Var::kMostEvents];
  const std::size_t count = VarProtocol::events_of(var, wait, events);
  for (std::size_t i = 0; i < count; ++i) {
    if (events[i].complete()) continue;
    Lane* const lane = thread_state.depth > 0 ? thread_state.lane : nullptr;
    const bool heeds = interrupts == Interrupts::heeded && heeds_interrupts();
    if (lane) lane->worker_blocks();
    bool stopped = false;
    if (heeds) {
      const double period = std::chrono::duration<double>(interrupt_period).count();
      while (!stopped && !events[i].wait(period)) stopped = interrupted();
    } else {
      events[i].wait();
    }
    if (lane) lane->worker_resumes();
    if (stopped) fail(Status::stopped, "[wait_for_var] the wait was interrupted");
  }
  if (VarProtocol::used_by_streams(var)) VarProtocol::drop_complete(var, false);
}

ErrorRecord* Scheduler::wait_for_tasks(Var* var, Wait wait, Interrupts interrupts) {
  if (!var) fail(Status::invalid_argument, "[wait_for_var] the Var is null");
  note_wait();
  ErrorRecord* error = nullptr;
  if (VarProtocol::ready_for(var, wait, &error)) return error;
  ThreadState& state = thread_state;
  if (state.run_list.first) run_list();  // the task waited for may be among them
  Lane* lane = state.depth > 0 ? state.lane : nullptr;
  Waiter* waiter = Waiter::take();
  if (!waiter) {
    // A caller may wait for a task that writes to its stack: to return before that is no way out.
    const BlockingScope blocking;
    if (lane) lane->worker_blocks();
    while (!VarProtocol::ready_for(var, wait, &error)) std::this_thread::sleep_for(poll_interval);
    if (lane) lane->worker_resumes();
    return error;
  }
  if (!VarProtocol::enqueue_waiter(var, wait, waiter)) {
    if (lane) lane->worker_blocks();
    const bool delivered = waiter->wait(interrupts == Interrupts::heeded && heeds_interrupts());
    if (lane) lane->worker_resumes();
    if (!delivered) fail(Status::stopped, "[wait_for_var] the wait was interrupted");
  }
  error = waiter->error;
  Waiter::give(waiter);
  return error;
}

void Scheduler::wait_for_var(Var* var, Wait wait, Interrupts interrupts) {
  if (ErrorRecord* error = wait_until(var, wait, interrupts)) throw_error(error);
}

void Scheduler::throw_error(ErrorRecord* error) {
  if (error->status() == Status::stopped) wait_for_end();
  forget_errors();  // who reads one knows of a failure: what failed before is told only to those who read it
  throw_recorded(error);
}

void Scheduler::wait_for_turn(Var* var, Wait wait, Interrupts interrupts) {
  if (ErrorRecord* error = wait_until(var, wait, interrupts)) error->release();
}

// Below zero in a forked child, when a task that was given up for lost turned out to be queued on a Var.
bool Scheduler::quiescent() const { return in_flight() <= 0; }

// Every completion is followed by this call in the same thread once it finds no more work, so the last one
// is, too: either it sees the waiting thread here, or that thread's quiescent() sees the completion.
void Scheduler::worker_idle() {
  if (waiting_.load(std::memory_order_seq_cst) == 0 || !quiescent()) return;
  { std::lock_guard<std::mutex> guard(sleepers_.mutex); }
  sleepers_.quiet.notify_all();
}

bool Scheduler::wait_quiescent(double limit_seconds) {
  return wait_quiet(limit_seconds, false) == Quiet::yes;
}

Scheduler::Quiet Scheduler::wait_quiet(double limit_seconds, bool heed_interrupts) {
  note_wait();
  if (thread_state.run_list.first && !thread_state.draining) run_list();
  if (quiescent()) return Quiet::yes;
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t forks = forks_;
  bool quiet = false;
  for (int i = spin_turns() / 4; i > 0 && !quiet; --i) {
    for (int j = 0; j < 4; ++j) cpu_relax();
    quiet = quiescent();
  }
  bool stopped = false;
  if (!quiet) {
    std::unique_lock<std::mutex> guard(sleepers_.mutex);
    const auto done = [this] { return quiescent(); };
    if (heed_interrupts) {
      while (!stopped && !(quiet = sleepers_.quiet.wait_for(guard, interrupt_period, done))) {
        guard.unlock();  // the hook may run the program's own code
        stopped = interrupted();
        guard.lock();
      }
    } else if (limit_seconds < 0) {
      sleepers_.quiet.wait(guard, done);
      quiet = true;
    } else {
      quiet = sleepers_.quiet.wait_for(guard, std::chrono::duration<double>(limit_seconds), done);
    }
  }
  // Unless the hook forked, and this is the child, where nobody is counted.
  if (forks_ == forks) waiting_.fetch_sub(1, std::memory_order_seq_cst);
  return stopped ? Quiet::interrupted : quiet ? Quiet::yes : Quiet::no;
}

void Scheduler::wait_for_idle() {
  if (thread_state.depth > 0) {
    fail(Status::invalid_argument, "[wait_for_all] was called inside a task, which would wait for itself");
  }
  if (wait_quiet(-1, heeds_interrupts()) == Quiet::interrupted)
    fail(Status::stopped, "[wait_for_all] the wait was interrupted");
  while (!Stream::wait_for_all(std::chrono::duration<double>(interrupt_period).count())) {
    if (heeds_interrupts() && interrupted()) fail(Status::stopped, "[wait_for_all] the wait was interrupted");
  }
  if (leaver_.load(std::memory_order_acquire) != 0 && may_be_held()) {
    wait_for_end();
    fail(Status::stopped, "[wait_for_all] another thread ends the program, and what was queued is dropped");
  }
}

void Scheduler::wait_for_all() {
  wait_for_idle();
  Ref<ErrorRecord> unseen;
  {
    std::lock_guard<std::mutex> guard(errors_mutex_);
    for (std::size_t i = 0; i < error_count_ && !unseen; ++i) {
      if (!errors_[i]->reported()) unseen = errors_[i];
    }
    drop_errors();
  }
  if (unseen) throw_recorded(unseen.detach());
}

void Scheduler::forget_errors() {
  std::lock_guard<std::mutex> guard(errors_mutex_);
  drop_errors();
}

void Scheduler::drop_errors() noexcept {
  while (error_count_ > 0) errors_[--error_count_] = Ref<ErrorRecord>();
}

void Scheduler::keep_error(ErrorRecord* error) noexcept {
  std::lock_guard<std::mutex> guard(errors_mutex_);
  if (error_count_ == kept_errors) {
    std::size_t unseen = 0;
    for (Ref<ErrorRecord>& kept : errors_) {
      if (!kept->reported()) std::swap(errors_[unseen++], kept);
    }
    while (error_count_ > unseen) errors_[--error_count_] = Ref<ErrorRecord>();
    if (error_count_ == kept_errors) return;  // the oldest matter most
  }
  errors_[error_count_++] = Ref<ErrorRecord>(error);
}

void Scheduler::give_up_all_but(std::uint64_t left) {
  const std::int64_t lost = in_flight() - static_cast<std::int64_t>(left);
  if (lost > 0) counts_[0].completed.fetch_add(static_cast<std::uint64_t>(lost), std::memory_order_relaxed);
}

void Scheduler::push_later(const Body& body, Span<Var* const> reads, Span<Var* const> writes,
                           const TaskInfo& info) {
  // The wait lets go of an interpreter's lock, and no task names these Vars yet: other threads may drop them.
  std::vector<Ref<Var>> kept;
  for (const Span<Var* const>& vars : {reads, writes}) {
    for (Var* var : vars) kept.emplace_back(var);
  }
  {
    const BlockingScope blocking;
    while (held_.load(std::memory_order_acquire)) {
      if (leaver_.load(std::memory_order_acquire) != 0) {
        wait_for_end();
        fail(Status::stopped, "[", info.name, "] was pushed while another thread ends the program");
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  push_body(body, reads, writes, info);
}

// An error that nobody expects, because another thread ends the program, would end it with another code: the process goes before
// this thread is told. It is told in the end, since the thread that exits may wait for it.
void Scheduler::wait_for_end() const {
  if (leaver_.load(std::memory_order_acquire) == 0 || !may_be_held()) return;
  const BlockingScope blocking;
  while (!left_.load(std::memory_order_acquire)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(end_grace);
}

void Scheduler::hold_pushers() { held_.store(true, std::memory_order_seq_cst); }
void Scheduler::let_pushers_go() {
  held_.store(leaver_.load(std::memory_order_relaxed) != 0, std::memory_order_seq_cst);
}

void Scheduler::leave() {
  left_.store(false, std::memory_order_relaxed);
  leaver_.store(thread_number(), std::memory_order_release);
  dropped_below_.store(sequence_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  held_.store(true, std::memory_order_seq_cst);
}

void Scheduler::lock_for_fork() {
  errors_mutex_.lock();
  sleepers_.mutex.lock();
}

void Scheduler::unlock_after_fork(bool child) {
  sleepers_.mutex.unlock();
  errors_mutex_.unlock();
  if (!child) return;
  if (leaver_.load() != thread_number()) leaver_.store(0);  // what ends in the parent goes on here
  ++forks_;
  new (&sleepers_) Sleepers;
  waiting_.store(0);
}

}  // namespace mixgrad::engine
