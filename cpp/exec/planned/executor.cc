#include "exec/planned/executor.h"

#include <algorithm>
#include <atomic>

#include "base/build.h"
#include "base/checksum.h"
#include "base/error.h"
#include "exec/sparse/sparse.h"
#include "exec/sparse/stepwise.h"
#include "graph/passes/infer.h"

namespace mixgrad {
namespace {

uint64_t next_run() {
  static std::atomic<uint64_t> runs{0};
  return runs.fetch_add(1, std::memory_order_relaxed) + 1;
}

void check_count(const char* what, size_t got, size_t expected) {
  if (got != expected)
    fail(Status::invalid_argument, "[bind] ", got, " ", what, "; the graph has ", expected);
}

// What the graph learns from an array.
void describe(Graph& graph, NodeId variable, const ArrayRef& array, const char* what) {
  const GraphNode& node = graph.nodes[variable];
  if (!array) fail(Status::invalid_argument, "[bind] ", what, " '", node.name, "' has no array");
  graph.set_shape(node.first_value, array->shape());
  graph.values[node.first_value].dtype = array->dtype();
}

// Whether the graph says of its variables what their arrays do.
bool describes(const Graph& graph, const std::vector<NodeId>& variables,
               const std::vector<ArrayRef>& arrays) {
  for (size_t i = 0; i < variables.size(); ++i) {
    const GraphValue& value = graph.values[graph.nodes[variables[i]].first_value];
    if (!arrays[i] || value.shape != arrays[i]->shape() || value.dtype != arrays[i]->dtype()) return false;
  }
  return true;
}

}  // namespace

Executor::Executor(const Symbol& symbol, Device device, ExecutorArrays arrays, const Executor* shared,
                   const ExecutorOptions& options, std::optional<Graph> inferred)
    : symbol_(symbol),
      device_(device),
      arrays_(std::move(arrays)),
      options_(options),
      base_(inferred ? std::move(*inferred) : flatten(symbol)) {
  check_count("argument arrays", arrays_.arguments.size(), base_.arguments.size());
  check_count("arrays of auxiliary states", arrays_.auxiliaries.size(), base_.auxiliaries.size());
  if (arrays_.gradients.empty()) arrays_.gradients.resize(base_.arguments.size());
  if (arrays_.requests.empty()) arrays_.requests.assign(base_.arguments.size(), GradientRequest::write);
  check_count("gradient arrays", arrays_.gradients.size(), base_.arguments.size());
  check_count("gradient requests", arrays_.requests.size(), base_.arguments.size());
  const bool settled = inferred && describes(base_, base_.arguments, arrays_.arguments) &&
                       describes(base_, base_.auxiliaries, arrays_.auxiliaries);
  if (inferred && !settled) base_ = flatten(symbol);
  for (size_t i = 0; !settled && i < base_.arguments.size(); ++i)
    describe(base_, base_.arguments[i], arrays_.arguments[i], "argument");
  for (size_t i = 0; !settled && i < base_.auxiliaries.size(); ++i)
    describe(base_, base_.auxiliaries[i], arrays_.auxiliaries[i], "auxiliary state");
  if (!settled) base_ = infer(std::move(base_));
  place_nodes();
  take_requests();
  if constexpr (kTraining) {
    steps_ = sparse::make_stepwise(base_, arrays_);
    if (steps_ && options_.link)
      fail(Status::unsupported,
           "[bind] groups name workers, and the graph has sparse values; expected dense ones");
    std::vector<ExecutorUpdate> updates;
    std::swap(updates, arrays_.updates);
    check_updates(updates);
    take_updates(std::move(updates));
  }
  make_outputs();
  arenas_ = shared ? shared->arenas_ : Ref<ArenaSet>(new ArenaSet);
  if (steps_) return;
  // Planned here, so that the size of the working memory is known before anything runs.
  ready(wants_gradients(), wants_gradients());
}

Executor::~Executor() = default;

void Executor::place_nodes() {
  if constexpr (kQueues) {
    // What is in no group is worker 0's.
    const bool elsewhere = options_.link && options_.link->workers().own != 0;
    place(base_, elsewhere ? Device::worker(0) : device_, options_.groups);
  } else {
    for (GraphNode& node : base_.nodes) node.device = device_;
  }
  // What another worker has lies there, whatever this one was given.
  const auto lies_on = [&](NodeId n, const Array& array) {
    if (base_.nodes[n].device.is_here()) base_.nodes[n].device = array.device();
  };
  for (size_t i = 0; i < base_.arguments.size(); ++i) lies_on(base_.arguments[i], *arrays_.arguments[i]);
  for (size_t i = 0; i < base_.auxiliaries.size(); ++i)
    lies_on(base_.auxiliaries[i], *arrays_.auxiliaries[i]);
  for (const GraphNode& node : base_.nodes) {
    if (options_.link && node.device.is_here() && !node.device.is_host())
      fail(Status::unsupported, "[bind] '", node.name, "' would run on ", node.device.name(),
           " of a worker; expected a cpu, from which values travel");
  }
}

std::string Executor::description() const {
  std::string what;
  const auto add = [&](uint64_t number) {
    what.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const Workers workers = options_.link ? options_.link->workers() : Workers();
  for (const GraphNode& node : base_.nodes) {
    add(static_cast<uint64_t>(node.kind));
    what += node.op ? node.op->name : "";
    add(static_cast<uint64_t>(workers.of(node.device)));
    for (const ValueId v : base_.operands_of(node)) add(v);
    for (uint32_t i = 0; i < node.num_values; ++i) {
      const GraphValue& value = base_.values[node.first_value + i];
      what += value.shape.str();
      add(static_cast<uint64_t>(value.dtype));
    }
  }
  for (const ValueId v : base_.heads) add(v);
  for (const GradientRequest request : arrays_.requests) add(static_cast<uint64_t>(request));
  return text(base_.nodes.size(), " nodes, ", base_.arguments.size(), " arguments, checksum ",
              checksum_of(what.data(), what.size()));
}

void Executor::take_requests() {
  std::vector<bool> updated(base_.arguments.size(), false);
  for (const ExecutorUpdate& update : arrays_.updates) {
    if (update.argument < updated.size()) updated[update.argument] = true;
  }
  for (size_t i = 0; i < base_.arguments.size(); ++i) {
    const GraphNode& node = base_.nodes[base_.arguments[i]];
    const ArrayRef &argument = arrays_.arguments[i], &gradient = arrays_.gradients[i];
    const bool wanted = gradient || !node.device.is_here();
    requests_.push_back(wanted || updated[i] ? arrays_.requests[i] : GradientRequest::null);
    if (!wanted) arrays_.requests[i] = GradientRequest::null;
    if (!kTraining && gradient) fail(Status::unsupported, "[bind] this build computes no gradients");
    if (gradient && (gradient->shape() != argument->shape() || gradient->dtype() != argument->dtype())) {
      fail(Status::shape, "[bind] the gradient of '", node.name, "' is ", gradient->shape(), " ",
           name_of(gradient->dtype()), "; the argument is ", argument->shape(), " ",
           name_of(argument->dtype()));
    }
  }
}

bool Executor::wants_gradients() const {
  for (GradientRequest request : arrays_.requests) {
    if (kTraining && request != GradientRequest::null) return true;
  }
  return false;
}

ArrayRef Executor::make_output(ValueId v) const {
  const GraphValue& value = base_.values[v];
  if constexpr (kTraining) {
    const Storage storage = steps_ ? steps_->storage_of(v) : Storage::dense;
    if (storage != Storage::dense) return empty_sparse(storage, value.shape, value.dtype, base_.device_of(v));
  }
  const Device device = base_.device_of(v);
  return Array::zeros(value.shape, value.dtype, device.is_here() ? device : device_);
}

void Executor::make_outputs() {
  std::vector<ArrayRef> made(base_.values.size());
  for (size_t i = 0; i < base_.arguments.size(); ++i)
    made[base_.nodes[base_.arguments[i]].first_value] = arrays_.arguments[i];
  for (size_t i = 0; i < base_.auxiliaries.size(); ++i)
    made[base_.nodes[base_.auxiliaries[i]].first_value] = arrays_.auxiliaries[i];
  for (ValueId v : base_.heads) {
    if (!made[v]) made[v] = make_output(v);
    outputs_.push_back(made[v]);
  }
}

void Executor::replace(std::vector<ArrayRef>& arrays, size_t index, const ArrayRef& array) {
  if (index >= arrays.size() || !arrays[index])
    fail(Status::index, "[executor] array ", index, " of ", arrays.size(), " is not there to be replaced");
  const Array& old = *arrays[index];
  if (array->shape() != old.shape() || array->dtype() != old.dtype() || array->device() != old.device()) {
    fail(Status::shape, "[executor] ", array->shape(), " ", name_of(array->dtype()), " on ",
         array->device().name(), " in place of ", old.shape(), " ", name_of(old.dtype()), " on ",
         old.device().name());
  }
  if constexpr (kTraining) {
    if (storage_of(*array) != storage_of(old))
      fail(Status::invalid_argument, "[executor] an array of storage type ", name_of(storage_of(*array)),
           " in place of one of storage type ", name_of(storage_of(old)), "; expected the same");
  }
  ArrayRef before = array;
  std::swap(arrays[index], before);
  if constexpr (kTraining) {
    if (arrays_.updates.empty()) return;
    try {
      check_memory(arrays_.updates, arrays_);
    } catch (...) {
      std::swap(arrays[index], before);
      throw;
    }
  }
}

GraphPlan Executor::plan(bool training, bool gradients, bool watched) {
  for (GraphNode& node : base_.nodes) node.training = training;
  const GradientOptions asked{arrays_.requests};
  PlanOptions options;
  if (gradients) options.gradients = &asked;
  std::vector<ArgumentUpdate> updates;
  if constexpr (kTraining) {
    if (gradients) {
      for (const ExecutorUpdate& update : arrays_.updates) {
        updates.push_back({update.argument, update.op, update.params, {}});
        for (const ArrayRef& state : update.states) updates.back().states.push_back(state->dtype());
      }
      options.updates = &updates;
    }
  }
  options.recompute = &options_.recompute;
  for (size_t i = 0; i < arrays_.gradients.size(); ++i) {
    const ArrayRef& at = is_updated(i) ? arrays_.arguments[i] : arrays_.gradients[i];
    const Device lies = base_.nodes[base_.arguments[i]].device;
    options.gradient_devices.push_back(!lies.is_here() ? lies : at ? at->device() : device_);
  }
  Workers workers;
  if (options_.link) {
    workers = options_.link->workers();
    options.workers = &workers;
  }
  options.watched = watched;
  options.passes = options_.passes;
  options.memory = options_.memory;
  return plan_graph(base_, options);
}

Executor::Ready& Executor::ready(bool training, bool gradients, bool watched) {
  Ready& made = ready_[watched][training][gradients];
  if (!made.program) {
    const Ref<Program> program(new Program(plan(training, gradients, watched)));
    for (const MemoryPlan::Arena& arena : program->plan().arenas) {
      if (arena.device.is_here()) arenas_->of(arena.device)->want(arena.bytes);
    }
    made.program = program;
  }
  return made;
}

namespace {

bool same_slot(const Bindings::Slot& slot, const Array* array) {
  return array ? slot.chunk == array->chunk_ref() && slot.offset == array->offset() : !slot.chunk;
}

}  // namespace

// The memory of this run; the object stays the same while the arrays do.
void Executor::refresh_bindings(Ready& ready, Span<Array* const> head_gradients) {
  const Program& program = *ready.program;
  const Graph& graph = program.graph();
  std::vector<Array*> arrays(program.slot_values().size(), nullptr);
  const auto give = [&](ValueId v, Array* array) {
    const uint32_t slot = program.slot_of(v);
    if (slot != kNone) arrays[slot] = array;
  };
  for (size_t i = 0; i < graph.heads.size(); ++i) give(graph.heads[i], outputs_[i].get());
  for (size_t i = 0; i < graph.arguments.size(); ++i)
    give(graph.nodes[graph.arguments[i]].first_value, arrays_.arguments[i].get());
  for (size_t i = 0; i < graph.auxiliaries.size(); ++i)
    give(graph.nodes[graph.auxiliaries[i]].first_value, arrays_.auxiliaries[i].get());
  for (size_t i = 0; i < graph.gradients.size(); ++i) {
    if (graph.gradients[i] != kNone)
      give(graph.gradients[i], (is_updated(i) ? arrays_.arguments : arrays_.gradients)[i].get());
    if (graph.added_gradients[i] != kNone)
      give(graph.nodes[graph.added_gradients[i]].first_value, arrays_.gradients[i].get());
  }
  size_t state = 0;
  for (const ExecutorUpdate& update : arrays_.updates) {
    for (const ArrayRef& array : update.states) {
      if (graph.update_states.empty()) break;  // of a run without a backward part
      give(graph.nodes[graph.update_states[state++]].first_value, array.get());
    }
  }
  for (size_t i = 0; i < head_gradients.size(); ++i) {
    if (graph.head_gradients[i] != kNone)
      give(graph.nodes[graph.head_gradients[i]].first_value, head_gradients[i]);
  }
  if (ready.bindings) {
    bool same = true;
    for (size_t s = 0; same && s < arrays.size(); ++s) same = same_slot(ready.bindings->slots[s], arrays[s]);
    if (same) return;
  }
  std::vector<std::pair<ArrayRef, ArrayRef>> copies;
  for (size_t i = 0; i < graph.heads.size(); ++i) {
    Array* source = arrays[program.slot_of(graph.heads[i])];
    if (source != outputs_[i].get()) copies.emplace_back(ArrayRef(source), outputs_[i]);
  }
  std::vector<Ref<Arena>> arenas;
  for (const MemoryPlan::Arena& arena : program.plan().arenas) arenas.push_back(arenas_->of(arena.device));
  ready.bindings = bind_arrays(arrays, std::move(arenas));
  ready.copies = std::move(copies);
}

void Executor::run(const Ready& ready, bool backward) {
  const ProgramRun run{ready.program, ready.bindings, streams_,
                       backward,      update_params_, options_.link.get()};
  if (!backward) {
    run_ = next_run();
    for (const Ref<Arena>& arena : run.bindings->arenas) arena->begin_run(run_);
  }
  watch_.push(run);
  if (backward) return;
  for (const auto& [from, to] : ready.copies) from->push_copy_to(*to, "copy_output");
}

void Executor::forward(bool training) {
  watch_.refuse_inside("forward");
  // Until all of it is on its way there is nothing to go back through: a watcher may throw in between.
  state_ = State::idle;
  if (steps_) {
    steps_->forward(training, training && wants_gradients(), arrays_, {outputs_, device_}, watch_);
  } else {
    Ready& which = ready(training, training && wants_gradients());
    streams_ = next_streams(base_, device_);
    refresh_bindings(which, {});
    run(which, false);
  }
  state_ = State::forward_done;
  last_training_ = training;
  last_watched_ = watch_.is_set();
}

void check_head_gradient(size_t head, const Array& output, const Array* given) {
  if (!given) {
    fail(Status::autograd, "[backward] output ", head, " of shape ", output.shape(),
         " is no loss, so its gradient must be given; to minimise an output, put make_loss around it");
  }
  if (given->shape() != output.shape()) {
    fail(Status::shape, "[backward] the gradient of output ", head, " is ", given->shape(), " ",
         name_of(given->dtype()), "; the output is ", output.shape(), " ", name_of(output.dtype()));
  }
}

// Predictions keep nothing for the gradient.
void Executor::backward_steps(Span<Array* const> head_gradients) {
  if (!steps_->has_gradients()) steps_->forward(last_training_, true, arrays_, {outputs_, device_}, watch_);
  state_ = State::backward_done;
  steps_->backward(arrays_, head_gradients);
}

void Executor::backward(Span<Array* const> head_gradients) {
  watch_.refuse_inside("backward");
  if (!wants_gradients()) return;
  if (state_ != State::forward_done && !arrays_.updates.empty()) {
    fail(Status::autograd,
         "[backward] steps follow a forward of their own; call forward(is_train=True) first");
  }
  if (!head_gradients.empty() && head_gradients.size() < outputs_.size()) {
    fail(Status::invalid_argument, "[backward] ", head_gradients.size(),
         " gradients of outputs; the graph has ", outputs_.size(), " outputs");
  }
  // As in MXNet, what comes after the last output's is left out.
  head_gradients = head_gradients.subspan(0, std::min(head_gradients.size(), outputs_.size()));
  if (state_ == State::idle) forward(true);
  if (steps_) return backward_steps(head_gradients);
  Ready& which = ready(last_training_, true, last_watched_);
  const Graph& graph = which.program->graph();
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (graph.head_gradients[i] == kNone) continue;
    const Array* given = i < head_gradients.size() ? head_gradients[i] : nullptr;
    check_head_gradient(i, *outputs_[i], given);
  }
  std::vector<ArrayRef> copies;
  std::vector<Array*> heads(head_gradients.begin(), head_gradients.end());
  if constexpr (kTraining) {
    for (Array* const given : head_gradients) {
      if (given) expect_dense(*given, "backward");
    }
    copies = own_head_gradients(head_gradients);
    for (size_t i = 0; i < copies.size(); ++i) heads[i] = copies[i] ? copies[i].get() : heads[i];
  }
  refresh_bindings(which, heads);
  // Predictions keep nothing for the gradient, and a backward pass uses up what forward() kept: what it needs is computed
  // again, with the same random numbers.
  if (!last_training_ || state_ == State::backward_done) run(which, false);
  for (const MemoryPlan::Arena& arena : which.program->plan().arenas) {
    if (arenas_->of(arena.device)->run() != run_) {
      fail(Status::autograd,
           "[backward] another executor that shares the working memory has run since forward(); "
           "call backward() before it runs");
    }
  }
  state_ = State::backward_done;
  run(which, true);
}

Executor::Planned Executor::planned(bool training) {
  int64_t outputs = 0;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    bool counted = base_.nodes[base_.values[base_.heads[i]].node].kind == GraphNodeKind::variable;
    for (size_t j = 0; j < i; ++j) counted |= outputs_[j] == outputs_[i];
    if (!counted) outputs += static_cast<int64_t>(outputs_[i]->bytes());
  }
  if (steps_) return {outputs, outputs};
  const MemoryPlan& plan = ready(training, training && wants_gradients()).program->plan();
  return {plan.bytes() + outputs, plan.live_bytes() + outputs};
}

std::string Executor::debug_text() {
  if (steps_) return text(dump(base_), "not planned: some arrays are row_sparse or csr\n");
  const bool training = wants_gradients();
  const Program& made = *ready(training, training).program;
  const Planned size = planned(training);
  const double mb = 1024.0 * 1024.0;
  return text(dump(made.graph()), dump(made.plan(), made.graph()), "Total ", size.bytes / (1 << 20),
              " MB allocated\n", "planned ", size.bytes, " bytes (", static_cast<double>(size.bytes) / mb,
              " MB), at least ", size.least_bytes, " are needed; working memory shared with other executors ",
              arenas_->bytes(), " bytes\n");
}

}  // namespace mixgrad
