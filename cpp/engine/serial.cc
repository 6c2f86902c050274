// The engine that runs each task inside push(): the order of the program, for debugging and for platforms
// without threads. A task waits only where push() itself must return first: when it conflicts with a task
// that is running, further down the same stack or in another thread. The thread that completes that one runs it.
#include "base/error.h"
#include "base/parallel.h"
#include "engine/caller.h"
#include "engine/scheduler.h"

namespace mixgrad::engine {
namespace {

class SerialEngine final : public Scheduler {
 public:
  SerialEngine() : Scheduler(~std::uint64_t{0}, true) { lane_count_.store(lane_network + 1); }
  ~SerialEngine() override { wait_quiescent(-1); }

  void push_body(const Body& body, Span<Var* const> reads, Span<Var* const> writes,
                 const TaskInfo& info) override {
    const TeamScope scope(claim_caller_team());
    Scheduler::push_body(body, reads, writes, info);
  }

  LaneId add_lane(const char* name, int workers) override {
    if (!name || workers < 1)
      fail(Status::invalid_argument, "[add_lane] expects a name and at least 1 worker, got ", workers);
    return lane_count_.fetch_add(1, std::memory_order_acq_rel);
  }
  int lane_workers(LaneId lane) const override {
    if (!has_lane(lane)) fail(Status::invalid_argument, "[lane_workers] lane ", lane, " does not exist");
    return 0;
  }
  EngineKind kind() const override { return EngineKind::serial; }

 private:
  void dispatch(LaneId, TaskList tasks, bool) override { run_here(tasks); }
  const char* lane_name(LaneId) const override { return "serial"; }
};

}  // namespace

Engine* make_serial() { return new SerialEngine; }

}  // namespace mixgrad::engine
