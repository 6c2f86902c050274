// A stretch of a planned graph that runs as one engine task: kernels, one after another, on views prepared beforehand.
#pragma once

#include <memory>

#include "array/array.h"
#include "base/error.h"
#include "exec/imperative/mode.h"
#include "exec/planned/arena.h"
#include "graph/passes/memory_plan.h"
#include "launch/launch.h"

namespace mixgrad {

// Memory of a run. Immutable once made; tasks in flight share it.
struct Bindings : Counted<Bindings> {
  struct Slot {
    Ref<Chunk> chunk;  // null: nothing was given
    size_t offset = 0;
    bool whole = true;  // the array covers its chunk
  };
  std::vector<Slot> slots;         // by Segment's slot numbers
  std::vector<Ref<Arena>> arenas;  // by number of the memory plan
  bool once = false;               // of one run only: segments do not hold on to it
};

// Parameters that a run brings, by GraphNode::params_slot. Immutable once made; tasks in flight share it.
struct RunParams : Counted<RunParams> {
  std::vector<ParamsRef> by_slot;
};

// Threads: built in one; then only its tasks touch it, one at a time, since they write its arena or, without one, its Var.
class Segment {
 public:
  // Nodes [first, last) of `graph`, which outlives the segment as `plan` does. slot_of: per value that lies outside the
  // number of the slot with its memory, kNone for constants; there are `num_slots`.
  Segment(const Graph& graph, const MemoryPlan& plan, const std::vector<uint32_t>& slot_of, size_t num_slots,
          NodeId first, NodeId last);

  size_t num_steps() const { return steps_.size(); }
  // Node number of a step.
  NodeId node_of(size_t step) const { return steps_[step].node; }
  double cost_ns(size_t first, size_t last) const;     // of those steps
  bool runs_program() const { return runs_program_; }  // see Op::runs_program
  // Where it computes: number of an arena; kNone when all its values lie outside.
  uint32_t arena() const { return arena_; }
  Device device() const { return device_; }
  // Whether it is a copy to another worker, or from one: it has one step, and it is not run but pushed to the workers' link.
  bool is_transfer() const;

  // Segments before it compute in its arena, too.
  void set_follows() { follows_ = true; }

  // What a task that runs it, or with `later` some of it after other tasks have, names: the Vars of slots and arenas; and of
  // what it changes the auxiliary states, which keep their values if it fails.
  struct Vars {
    std::vector<engine::Var*> reads, writes, kept, parts;
  };
  void collect_vars(const Bindings& bindings, bool later, Vars& vars) const;
  // Sets the places of all slots that it reads or writes.
  void mark_slots(std::vector<bool>& named) const;

  // Inside such a task: points the views at the memory of a run. The others do so themselves.
  // With `kept` also the views of inputs that operators keep, which are otherwise empty, so that their memory may go.
  void bind(const Ref<const Bindings>& bindings, bool kept = false);
  // Inside such a task. Streams of random numbers by slot of the graph. Errors name node, operator and shapes.
  // With a stream, of the task, its steps are given to that; `keep` owns the segment. `params` (null: nothing needs them)
  // live as long.
  void run(const Ref<const Bindings>& bindings, Span<const RandomStream> streams, size_t first, size_t last,
           Stream* stream = nullptr, const std::shared_ptr<const void>& keep = nullptr,
           const RunParams* params = nullptr);
  // The same with memory by address: per slot (null: nothing was given), and the arena. For graphs that run inside a
  // kernel; one such run at a time.
  void run(Span<char* const> slots, char* arena, Span<const RandomStream> streams);
  // Inputs of a step, then outputs.
  Span<const View> views(size_t step) const;
  bool is_output(size_t step, uint32_t view) const { return view >= steps_[step].num_in; }

 private:
  struct Step {
    Launch call;  // without an operator: a constant is copied
    bool plain;   // the call as it stands, without random numbers and memory of its own
    NodeId node;
    uint32_t first_view, num_in, num_out;
    uint32_t random_slot, params_slot;
    double cost_ns;
    uint32_t memory;  // in memories_; kNone of operators that keep nothing
    bool fetches;     // what it copies to the host lies on a card
  };
  // What a step keeps, and per input where its elements come from.
  class Memory final : public CallMemory {
   public:
    Memory(Segment& segment, const GraphNode& node, uint32_t first_view);
    ~Memory() { give_back_all(); }
    void begin();  // of a run: finds the versions
    // What was borrowed in it.
    void give_back_all() {
      for (size_t i = 0; i < borrowed_.size(); ++i) give_back(i);
    }
    const void* read(size_t input) override;
    void let_go(size_t input, std::shared_ptr<const ValueSource> source) override;

   private:
    const Bindings::Slot* given(size_t input) const;
    void give_back(size_t input);

    Segment& segment_;
    uint32_t first_view_;
    std::vector<uint32_t> slots_;       // kNone: working memory, whose elements change unseen, or a constant
    std::vector<uint64_t> versions_;    // of constants for good
    std::vector<Ref<Chunk>> borrowed_;  // per input; null: not
  };
  // A view of a slot, and one into an arena.
  struct SlotPatch {
    uint32_t view, slot;
    bool kept;  // of an input that its operator keeps
  };
  struct ArenaPatch {
    uint32_t view, arena;
    int64_t offset;
  };

  uint32_t slot_of(ValueId v) const;
  bool is_given(ValueId v) const;
  bool is_here(ValueId v) const {
    return !kQueues || graph_.values[v].node == kNone || graph_.device_of(v).is_here();
  }
  void name_value(ValueId v, bool written);
  void add_step(NodeId n);
  void add_view(ValueId v, bool kept = false);
  void add_memory(Step& step, const GraphNode& node);
  void run_step(const Step& step, Span<const RandomStream> streams);
  Launch with_run_state(const Step& step, Span<const RandomStream> streams) const;
  void launch_with_state(const Step& step, Span<const RandomStream> streams, Span<const View> in,
                         Span<const View> out);
  void give_step(const Step& step, Span<const RandomStream> streams, Span<const View> in,
                 Span<const View> out);
  void profile_step(const Step& step, Span<const RandomStream> streams);
  [[noreturn]] void explain(const Step& step, const Error& error) const;

  const Graph& graph_;
  const MemoryPlan& plan_;
  Device device_;
  Stream* stream_ = nullptr;  // of the run
  const RunParams* params_ = nullptr;
  std::shared_ptr<const void> keep_;
  const std::vector<uint32_t>& slot_of_;
  std::vector<Step> steps_;
  std::vector<View> views_;
  std::vector<SlotPatch> slot_patches_;
  std::vector<ArenaPatch> arena_patches_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<uint32_t> read_slots_, written_slots_, state_slots_, arenas_;  // what its tasks name
  // While it is built: slots that an earlier step makes; room for the shapes of one step.
  std::vector<bool> written_;
  std::vector<Shape> shapes_;
  uint32_t arena_ = kNone;  // the one it writes
  Ref<engine::Var> turn_;   // what its tasks write where there is none
  bool follows_ = false;
  bool runs_program_ = false;
  double cost_ns_ = 0;         // of all steps
  Ref<const Bindings> bound_;  // what views_ point into
  uint64_t moves_ = 0;         // as memory_moves was then
  std::vector<char*> arena_data_;
};

}  // namespace mixgrad
