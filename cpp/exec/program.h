// A planned graph ready to run: its segments, and how the memory outside it is numbered.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "exec/segment.h"
#include "graph/passes/passes.h"

namespace mixgrad {

// Shared by its executor and the tasks in flight.
class Program : public Counted<Program> {
 public:
  // Shapes and dtypes of the graph are known, and nodes have their devices. `body_passes`: of the graphs that operators hold.
  Program(Graph graph, const MemoryPlanOptions& options,
          const PassOptions& body_passes = default_pass_options());
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const Graph& graph() const { return graph_; }
  const MemoryPlan& plan() const { return plan_; }
  const PassOptions& body_passes() const { return body_passes_; }
  // Per slot the value whose memory it stands for: variables, heads and gradients.
  const std::vector<ValueId>& slot_values() const { return slot_values_; }
  // The slot with the memory of a value outside; kNone for a constant that is neither head nor gradient.
  uint32_t slot_of(ValueId v) const { return slot_of_[plan_.outside[v]]; }

  const std::vector<std::unique_ptr<Segment>>& segments() const { return segments_; }
  size_t num_forward() const { return num_forward_; }  // segments of the forward part come first
  size_t num_forward_steps() const;

 private:
  Graph graph_;
  MemoryPlan plan_;
  PassOptions body_passes_;
  std::vector<uint32_t> slot_of_;
  std::vector<ValueId> slot_values_;
  std::vector<std::unique_ptr<Segment>> segments_;
  size_t num_forward_ = 0;
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
};

// Called for one value at a time: its name in the graph, and a copy.
using ValueWatcher = std::function<void(const std::string& name, const ArrayRef& value)>;
struct Watching {
  const ValueWatcher& watcher;  // of what nodes make
  bool inputs;                  // and of what they read
};

// Pushes the steps of the part from number `from` to before `to`: one task for those of a segment, or for each that is
// watched.
void push_steps(const ProgramRun& run, size_t from, size_t to, const Watching* watching = nullptr);
// All of them.
void push_run(const ProgramRun& run, const Watching* watching = nullptr);

}  // namespace mixgrad
