// A planned graph ready to run: its segments, and how the memory outside it is numbered.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/planned/segment.h"
#include "exec/planned/worker_link.h"
#include "graph/plan.h"

namespace mixgrad {

// Shared by its executor and the tasks in flight.
class Program : public Counted<Program> {
 public:
  explicit Program(GraphPlan plan);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  // The same plan for runs beside this one's.
  Ref<Program> again() const { return Ref<Program>(new Program(GraphPlan(plan_))); }

  const Graph& graph() const { return plan_.graph; }
  const MemoryPlan& plan() const { return plan_.memory; }
  // Of the graphs that operators hold.
  const PassOptions& body_passes() const { return plan_.passes; }
  // Per slot the value whose memory it stands for: variables, heads and gradients.
  const std::vector<ValueId>& slot_values() const { return slot_values_; }
  // The slot with the memory of a value outside; kNone for a constant that is neither head nor gradient.
  uint32_t slot_of(ValueId v) const { return slot_of_[plan_.memory.outside[v]]; }

  const std::vector<std::unique_ptr<Segment>>& segments() const { return segments_; }
  size_t num_forward() const { return num_forward_; }  // segments of the forward part come first
  size_t num_forward_steps() const;
  // Copies between workers in the part, whoever makes them.
  size_t num_transfers(bool backward) const { return num_transfers_[backward]; }

 private:
  GraphPlan plan_;
  std::vector<uint32_t> slot_of_;
  std::vector<ValueId> slot_values_;
  std::vector<std::unique_ptr<Segment>> segments_;
  size_t num_forward_ = 0;
  size_t num_transfers_[2] = {0, 0};
};

// Graphs that operators hold are planned when these first run: in this scope with these passes, in the calling thread, as the
// graph around them was.
class BodyPasses {
 public:
  explicit BodyPasses(const PassOptions& passes) : before_(current()) { current() = &passes; }
  ~BodyPasses() { current() = before_; }
  BodyPasses(const BodyPasses&) = delete;
  BodyPasses& operator=(const BodyPasses&) = delete;
  static PassOptions now() { return current() ? *current() : default_pass_options(); }

 private:
  static const PassOptions*& current() {
    thread_local const PassOptions* passes = nullptr;
    return passes;
  }
  const PassOptions* const before_;
};

// The memory of a run: per slot the array given (null: none), per arena of the plan one that is large enough.
Ref<const Bindings> bind_arrays(Span<Array* const> by_slot, std::vector<Ref<Arena>> arenas);

struct Streams : Counted<Streams> {
  std::vector<RandomStream> by_slot;
};
// The next of the device's streams for each slot of the graph; null when it has none.
Ref<Streams> next_streams(const Graph& graph, Device device);

// One run of a part of a program.
struct ProgramRun {
  Ref<Program> program;
  Ref<const Bindings> bindings;
  Ref<Streams> streams;  // null when there are none
  bool backward = false;
  Ref<const RunParams> params = {};  // of nodes with a params_slot; null when there are none
  WorkerLink* link = nullptr;        // of a graph over several processes; lives while the run is pushed
};

// Called for one value at a time: its name in the graph, and a copy.
using ValueWatcher = std::function<void(const std::string& name, const ArrayRef& value)>;

// What a watcher calls a value.
std::string value_name(const Graph& graph, ValueId v);

// Who watches the runs of an executor or a predictor, which `owner` says in messages.
class Watch {
 public:
  explicit Watch(const char* owner) : owner_(owner) {}
  // `inputs`: not only what nodes make, also what they read. An empty function: nobody watches.
  void set(ValueWatcher watcher, bool inputs);
  bool is_set() const { return static_cast<bool>(watcher_); }
  bool is_running() const { return running_; }
  // Throws Status::invalid_argument while the watcher runs.
  void refuse_inside(const char* call) const;
  // Pushes the steps of the run's part from number `from` to before `to`: one task for those of a segment, or for each
  // that is watched.
  void push(const ProgramRun& run, size_t from = 0, size_t to = ~size_t{0});
  // One value of a run that has no program.
  void show(const std::string& name, const ArrayRef& copy);
  bool shows_inputs() const { return is_set() && inputs_; }

 private:
  void push_steps(const ProgramRun& run, size_t from, size_t to) const;
  const char* owner_;
  ValueWatcher watcher_;
  bool inputs_ = false;
  bool running_ = false;
};

}  // namespace mixgrad
