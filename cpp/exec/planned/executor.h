// A graph bound to arrays: runs forward and backward on them, planned beforehand.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "array/sparse.h"
#include "base/build.h"
#include "exec/planned/program.h"
#include "graph/passes/placement.h"

namespace mixgrad {

// A step of an optimiser that backward() takes in place of filling a gradient's array: op(argument, gradient, states...) gives
// the argument's new value.
struct ExecutorUpdate {
  size_t argument;  // its number
  const Op* op;     // with parameters `lr` and `wd`
  ParamsRef params;
  std::vector<ArrayRef> states;  // of the argument's shape, on its device
};

// Arrays in order of list_arguments and list_auxiliary_states. Gradients may be null where the request is null; a request
// without array counts as null, unless another worker has the argument: there it says whether that one wants a gradient.
struct ExecutorArrays {
  std::vector<ArrayRef> arguments, gradients, auxiliaries;
  std::vector<GradientRequest> requests;  // per argument
  std::vector<ExecutorUpdate> updates;    // of arguments that need no gradient array
};

inline RecomputeOptions usual_recompute() {
  if constexpr (kTraining)
    return default_recompute();
  else
    return RecomputeOptions();
}

struct ExecutorOptions {
  PassOptions passes = default_pass_options();
  MemoryPlanOptions memory;
  RecomputeOptions recompute = usual_recompute();
  // Operators of these groups run there; their arguments lie there, too.
  DeviceGroups groups;
  // Of the workers that groups name (Device::worker); null where none does. All of them make the same calls of executors that
  // are bound alike: each computes the nodes of its own groups, reads and writes arguments, gradients and states of those, and
  // gets all outputs.
  std::shared_ptr<WorkerLink> link;
};

// Runs a graph without a plan, for executors with arrays that no plan serves; see exec/sparse/stepwise.h.
class StepwiseRun {
 public:
  virtual ~StepwiseRun() = default;
  // How a value is stored.
  virtual Storage storage_of(ValueId v) const = 0;
  struct Outputs {
    const std::vector<ArrayRef>& arrays;
    Device device;
  };
  // `gradients`: backward() may follow.
  virtual void forward(bool training, bool gradients, const ExecutorArrays& arrays, const Outputs& outputs,
                       Watch& watch) = 0;
  // Of the last forward(), which was for gradients; any number of times.
  virtual void backward(const ExecutorArrays& arrays, Span<Array* const> head_gradients) = 0;
  virtual bool has_gradients() const = 0;
};

// Throws unless the gradient that was given for a head that is no loss is there and has its shape.
void check_head_gradient(size_t head, const Array& output, const Array* given);

// Work goes through the engine: calls return at once, results are read from arrays, errors come where these are read.
// Threads: belongs to one thread at a time; several executors may run at once, also on the same arrays.
class Executor {
 public:
  // Shapes, dtypes and devices follow from the arrays. `shared` (may be null) lends its working memory: the two then take
  // turns, and what one has kept for backward() is lost when the other runs. `inferred`: the flat graph with all shapes and
  // dtypes, where the caller has it; it counts if the arrays are as it says.
  Executor(const Symbol& symbol, Device device, ExecutorArrays arrays, const Executor* shared = nullptr,
           const ExecutorOptions& options = {}, std::optional<Graph> inferred = {});
  ~Executor();

  const Symbol& symbol() const { return symbol_; }
  Device device() const { return device_; }
  const ExecutorArrays& arrays() const { return arrays_; }
  // The same arrays in every run. A head that is a variable gives the variable's array.
  const std::vector<ArrayRef>& outputs() const { return outputs_; }

  // Other arrays of the same shape, dtype and device from the next run on. Throws Status::index and Status::shape.
  void replace_argument(size_t index, const ArrayRef& array) { replace(arrays_.arguments, index, array); }
  void replace_gradient(size_t index, const ArrayRef& array) { replace(arrays_.gradients, index, array); }
  void replace_output(size_t index, const ArrayRef& array) { replace(outputs_, index, array); }

  // From the next forward() on these arguments are changed by backward(), and their gradients take working memory only while
  // they are needed; arguments that were updated before get a gradient array again. Throws Status::invalid_argument, ::shape
  // and ::dtype, and changes nothing then.
  void set_updates(std::vector<ExecutorUpdate> updates);
  // Learning rates and weight decays of the updates, from the next backward() on.
  void set_rates(Span<const double> lrs, Span<const double> wds);

  // Before a client's call of one of the two below, for which that is too late: see exec/imperative/room.h.
  void make_room() const { arenas_->make_room(); }
  void forward(bool training);
  // Gradients of the last forward(); without one, a forward() of training goes before. Called again, it computes the forward
  // part again, which moves auxiliary states once more. One array per head (null where the head is a loss), or none at all
  // when all heads are losses; dtypes are converted, and what is given beyond the last head is left out.
  void backward(Span<Array* const> head_gradients);

  // From now on every node is a task of its own, and `watcher` is called for every value that operators make, and with
  // `inputs` also for those they read. An empty function ends that. The watcher may not call forward(), backward() or
  // watch() of the same executor.
  void watch(ValueWatcher watcher, bool inputs) { watch_.set(std::move(watcher), inputs); }

  // The same graph on other shapes, given by name. Arrays are kept where their shape stays, else become views of the old
  // ones; what is larger than before needs allow_up_sizing, what changes without being named needs partial_shaping.
  std::unique_ptr<Executor> reshape(const std::vector<std::pair<std::string, Shape>>& shapes,
                                    bool partial_shaping, bool allow_up_sizing) const;

  // Bytes of working memory and outputs that the plan of that mode takes, and the least that any plan could take.
  struct Planned {
    int64_t bytes = 0, least_bytes = 0;
  };
  Planned planned(bool training);
  // Of the graph's operators, its shapes and dtypes, where its nodes are and which gradients are asked for: what executors over
  // several workers must have in common, so that their copies fit.
  std::string description() const;
  std::string debug_text();

 private:
  GraphPlan plan(bool training, bool gradients, bool watched);
  void place_nodes();
  void take_requests();
  void make_outputs();
  ArrayRef make_output(ValueId v) const;
  void backward_steps(Span<Array* const> head_gradients);
  void replace(std::vector<ArrayRef>& arrays, size_t index, const ArrayRef& array);
  bool wants_gradients() const;
  bool is_updated(size_t argument) const {
    return kTraining && arrays_.requests[argument] != GradientRequest::null && !arrays_.gradients[argument] &&
           base_.nodes[base_.arguments[argument]].device.is_here();
  }
  void check_update(const ExecutorUpdate& update) const;
  void check_updates(const std::vector<ExecutorUpdate>& updates) const;
  void check_memory(const std::vector<ExecutorUpdate>& updates, const ExecutorArrays& arrays) const;
  void take_updates(std::vector<ExecutorUpdate> updates);
  void replan_updates(std::vector<ExecutorUpdate> updates);
  std::vector<ArrayRef> own_head_gradients(Span<Array* const> head_gradients) const;

  struct Ready {
    Ref<Program> program;
    Ref<const Bindings> bindings;
    // Outputs whose values passes found to be those of another array: (from, to).
    std::vector<std::pair<ArrayRef, ArrayRef>> copies;
  };
  // What runs in that mode, planned.
  Ready& ready(bool training, bool gradients) { return ready(training, gradients, watch_.is_set()); }
  Ready& ready(bool training, bool gradients, bool watched);
  void refresh_bindings(Ready& ready, Span<Array* const> head_gradients);
  void run(const Ready& ready, bool backward);

  const Symbol symbol_;
  const Device device_;
  ExecutorArrays arrays_;
  std::vector<GradientRequest>
      requests_;  // of the client; those in arrays_ are write where an argument is updated
  const ExecutorOptions options_;
  Graph base_;                          // shapes and dtypes known; in the mode that was planned last
  std::unique_ptr<StepwiseRun> steps_;  // null: what runs is planned
  std::vector<ArrayRef> outputs_;
  Ref<ArenaSet> arenas_;
  Ready ready_[2][2][2];  // by watched, training, gradients

  // The last forward run.
  enum class State { idle, forward_done, backward_done } state_ = State::idle;
  bool last_training_ = false, last_watched_ = false;
  uint64_t run_ = 0;
  Ref<Streams> streams_;
  Ref<const RunParams> update_params_;  // of the next backward()

  Watch watch_{"executor"};
};

}  // namespace mixgrad
