// What the threaded and the serial engine share: pushing, running, finishing, waiting, failures.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "engine/error_record.h"
#include "engine/protocol.h"

namespace mixgrad::engine {

class KeySet;

class Scheduler : public Engine {
 public:
  // Tasks estimated to cost more are never run inline.
  // With `always_inline` all that may run at once does so.
  Scheduler(std::uint64_t inline_cost_ns, bool always_inline)
      : always_inline_(always_inline), inline_cost_ns_(inline_cost_ns) {}
  void push_body(const Body& body, Span<Var* const> reads, Span<Var* const> writes,
                 const TaskInfo& info) override;
  bool read_body_now(Var* var, Body body, const TaskInfo& info) override;
  void wait_for_var(Var* var, Wait wait = Wait::to_read, Interrupts interrupts = Interrupts::heeded) override;
  void wait_for_turn(Var* var, Wait wait, Interrupts interrupts = Interrupts::heeded) override;
  void wait_for_all() override;
  void wait_for_idle() override;
  void forget_errors() override;

  // Runs a ready task in this thread and gives back the task. `returning`: see Lane::submit.
  void execute(Task* task, bool returning) noexcept;
  // Ends a task that outlasted its body, in whatever thread. Takes over the error; null for none.
  void complete(Task* task, ErrorRecord* error) noexcept;
  // Runs ready tasks in this thread, now or, if it is running such tasks already, after those.
  void run_here(TaskList tasks);
  // To be called by a thread that has run tasks and found no more.
  void worker_idle();

  // For wait_for_all.
  void keep_error(ErrorRecord* error) noexcept;

  bool busy() const override { return !quiescent(); }
  // True when no queued task is in flight; tasks inside push() of other threads do not count.
  bool quiescent() const;
  // Waits for it, at most that long (below 0: no limit); throws nothing. True when it came.
  bool wait_quiescent(double limit_seconds);

  // At exit, by the thread that exits: from now on only it may push, and queued tasks that do not run yet fail instead. Other
  // threads are told so by Status::stopped, a while after `left`, which the engine's part of the exit ends with.
  void leave();
  void left() { left_.store(true, std::memory_order_release); }

  // Around fork(): threads that are not inside a task are held up at their next push.
  void hold_pushers();
  void let_pushers_go();
  void lock_for_fork();
  void unlock_after_fork(bool child);

 protected:
  // Hands ready tasks, all of one lane, to the threads that run them.
  virtual void dispatch(LaneId lane, TaskList tasks, bool returning) = 0;
  virtual const char* lane_name(LaneId lane) const = 0;

  // In a forked child whose workers were lost in mid-task: counts what they had as complete.
  void give_up_all_but(std::uint64_t left);
  bool has_lane(LaneId lane) const { return lane < lane_count_.load(std::memory_order_acquire); }
  std::atomic<LaneId> lane_count_{0};

 private:
  // Counted apart by thread, so that pushers and workers do not share a cache line.
  struct alignas(64) Count {
    std::atomic<std::uint64_t> pushed{0}, completed{0};
  };
  // Made anew in its place in a forked child, where the threads that waited are gone.
  struct Sleepers {
    std::mutex mutex;
    std::condition_variable quiet;
  };
  static constexpr std::uint32_t count_parts = 16;
  static constexpr std::size_t kept_errors = 64;

  Count& my_count();
  std::int64_t in_flight() const;
  // Counts a task in flight. False, and none is counted, if a fork wants this thread to wait.
  bool count_push(Count& count, std::uint64_t* pushed);
  void count_completed(Count& count);
  // From here to finish(), what runs in the caller's thread is in flight like a queued task: a fork waits for it, since the child
  // would find its Vars taken for ever.
  class InFlight {
   public:
    explicit InFlight(Scheduler& scheduler) : scheduler_(scheduler) {}
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;
    ~InFlight() { finish(); }
    // False while a fork goes on.
    bool begin() {
      std::uint64_t pushed;
      Count& count = scheduler_.my_count();
      if (!scheduler_.count_push(count, &pushed)) return false;
      count_ = &count;
      return true;
    }
    void finish() {
      if (count_) scheduler_.count_completed(*std::exchange(count_, nullptr));
    }

   private:
    Scheduler& scheduler_;
    Count* count_ = nullptr;
  };
  // Returns at once unless another thread exits.
  void wait_for_end() const;
  // Whether `held_` holds up this thread.
  bool may_be_held() const;
  // The same as push_body, after the fork; throws when the program ends.
  void push_later(const Body& body, Span<Var* const> reads, Span<Var* const> writes, const TaskInfo& info);
  void throttle();
  // A reference to the Var's error, or null.
  ErrorRecord* wait_until(Var* var, Wait wait, Interrupts interrupts);
  ErrorRecord* wait_for_tasks(Var* var, Wait wait, Interrupts interrupts);
  enum class Quiet { yes, no, interrupted };
  Quiet wait_quiet(double limit_seconds, bool heed_interrupts);
  bool run_awaited(Body body, KeySet& keys, const TaskInfo& info);
  static void note_wait();
  void run_inline(Body body, Key* keys, std::size_t count, ErrorRecord* error, const TaskInfo& info) {
    if (ErrorRecord* const failure = run_granted(body, keys, count, error, info)) failure->release();
  }
  // Runs a task that was granted `keys` and ends it. Takes over `error`, of what it reads; gives a reference to the task's.
  ErrorRecord* run_granted(Body body, Key* keys, std::size_t count, ErrorRecord* error, const TaskInfo& info);
  // What a task spoils with that was not run for this error. Takes over the reference and returns one.
  ErrorRecord* record_of_unrun(ErrorRecord* error, const KeyList& keys, const Asked& asked) noexcept;
  // Throws the error and lets go of the reference.
  void throw_error(ErrorRecord* error);
  // Releases what the task holds and gives it back; its body ran or not. Takes over the error.
  void finish(Task* task, ErrorRecord* error, bool ran, bool returning) noexcept;
  void finish_deferred(Task* task, bool returning) noexcept;
  ErrorRecord* run_body(const BodyOps* ops, void* callable, const char* name) noexcept;
  // The same for tasks of a stream (else null), and for tasks that meet what streams do. `ran`: whether what it reads was there.
  ErrorRecord* run_beside_streams(const BodyOps* ops, void* callable, const char* name, const KeyList& keys,
                                  Stream* stream, const Asked& asked, bool* ran) noexcept;
  // Returns once the streams are done with what a thread waits for.
  void wait_for_streams(Var* var, Wait wait, Interrupts interrupts);
  void deliver(const Released& released, bool returning);
  void run_list();
  void drop_errors() noexcept;

  const bool always_inline_;
  const std::uint64_t inline_cost_ns_;
  std::atomic<std::uint64_t> sequence_{0};
  Count counts_[count_parts];
  std::atomic<bool> held_{false};         // pushers are, by a fork or for ever by the exit
  std::atomic<std::uint32_t> leaver_{0};  // number of the thread that exits
  std::atomic<bool> left_{false};
  // Tasks pushed before this one in sequence are not begun any more.
  std::atomic<std::uint64_t> dropped_below_{0};
  std::atomic<int> waiting_{0};  // threads in wait_quiescent
  std::uint32_t forks_ = 0;      // that led to this process
  Sleepers sleepers_;
  std::mutex errors_mutex_;
  Ref<ErrorRecord> errors_[kept_errors];  // failures in order: to keep one takes no memory
  std::size_t error_count_ = 0;
};

}  // namespace mixgrad::engine
