#include "exec/planned/program.h"

#include <algorithm>

#include "base/build.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/per_thread.h"
#include "device/api.h"
#include "device/copy.h"

namespace mixgrad {

Program::Program(GraphPlan made) : plan_(std::move(made)) {
  const Graph& graph = plan_.graph;
  const MemoryPlan& memory = plan_.memory;
  slot_of_.assign(graph.values.size(), kNone);
  const auto add_slot = [&](ValueId v) {
    if (v == kNone || slot_of_[v] != kNone || memory.outside[v] != v) return;
    slot_of_[v] = static_cast<uint32_t>(slot_values_.size());
    slot_values_.push_back(v);
  };
  for (const GraphNode& node : graph.nodes) {
    if (node.kind == GraphNodeKind::variable) add_slot(node.first_value);
  }
  for (ValueId v : graph.heads) add_slot(v);
  for (ValueId v : graph.gradients) add_slot(v);

  // A segment ends where the device or the part changes, and a copy between workers is one of its own. A part begins by
  // overwriting; what comes later also reads what the arena holds. An arena that the forward part leaves alone is overwritten
  // first by the backward part: errors of earlier runs end there.
  std::vector<bool> used(memory.arenas.size(), false);
  const NodeId all = static_cast<NodeId>(graph.nodes.size());
  for (NodeId n = 0, end; n < all; n = end) {
    const NodeId last = n < graph.forward_end ? graph.forward_end : all;
    const GraphNode& first = graph.nodes[n];
    end = n + 1;
    if (first.transfer == kNone) {
      while (end < last && graph.nodes[end].device == first.device && graph.nodes[end].transfer == kNone)
        ++end;
    } else {
      ++num_transfers_[n >= graph.forward_end];
    }
    // What other workers do, and copies between them.
    if (kQueues && !first.device.is_here() &&
        (first.transfer == kNone || !graph.device_of(graph.operands_of(first)[0]).is_here()))
      continue;
    auto segment = std::make_unique<Segment>(graph, memory, slot_of_, slot_values_.size(), n, end);
    if (segment->num_steps() == 0) continue;
    if (segment->arena() != kNone) {
      if (used[segment->arena()]) segment->set_follows();
      used[segment->arena()] = true;
    }
    segments_.push_back(std::move(segment));
    if (n < graph.forward_end) ++num_forward_;
  }
}

size_t Program::num_forward_steps() const {
  size_t steps = 0;
  for (size_t s = 0; s < num_forward_; ++s) steps += segments_[s]->num_steps();
  return steps;
}

Ref<const Bindings> bind_arrays(Span<Array* const> by_slot, std::vector<Ref<Arena>> arenas) {
  const Ref<Bindings> bindings(new Bindings);
  bindings->slots.resize(by_slot.size());
  for (size_t s = 0; s < by_slot.size(); ++s) {
    if (!by_slot[s]) continue;
    Bindings::Slot& slot = bindings->slots[s];
    slot.chunk = by_slot[s]->chunk_ref();
    slot.offset = by_slot[s]->offset();
    slot.whole = by_slot[s]->whole_chunk();
  }
  bindings->arenas = std::move(arenas);
  return Ref<const Bindings>(bindings.get());
}

Ref<Streams> next_streams(const Graph& graph, Device device) {
  Ref<Streams> streams(graph.num_random_slots > 0 ? new Streams : nullptr);
  for (uint32_t i = 0; i < graph.num_random_slots; ++i)
    streams->by_slot.push_back(next_random_stream(device));
  return streams;
}

namespace {

Span<const RandomStream> streams_of(const ProgramRun& run) {
  return run.streams ? Span<const RandomStream>(run.streams->by_slot) : Span<const RandomStream>();
}

ArrayRef array_like(const View& view, Device device) {
  return Array::empty(view.shape(), view.dtype, device);
}

void copy_view(const View& from, Chunk& to, Stream* stream, const std::shared_ptr<const void>& keep) {
  to.ensure(stream);
  copy_bytes(stream, to.data(), from.data, from.bytes(), keep);
}

// Values that a step reads or makes, in the order of its views. One that has none is a gradient that nobody asked
// for: zeros.
struct Watched : Counted<Watched> {
  static constexpr uint32_t kNoView = ~uint32_t{0};
  struct Value {
    std::string name;
    ArrayRef copy;
    uint32_t view;
  };
  std::vector<Value> values;
};

Ref<Watched> watch_step(const Program& program, const Segment& segment, size_t step, bool inputs) {
  const Graph& graph = program.graph();
  const GraphNode& node = graph.nodes[segment.node_of(step)];
  Ref<Watched> watched(new Watched);
  const auto add = [&](uint32_t view, std::string name) {
    watched->values.push_back({std::move(name), array_like(segment.views(step)[view], node.device), view});
  };
  const bool named = node.kind == GraphNodeKind::forward;
  for (uint32_t i = 0; inputs && i < node.num_operands; ++i) {
    const GraphValue& value = graph.values[graph.operands_of(node)[i]];
    if (value.absent) continue;
    if (!graph.nodes[value.node].is_call()) add(i, graph.nodes[value.node].name);
    add(i, named ? node.name.str() + "_" + node.op->input_name(static_cast<int>(i))
                 : text(node.name, "_input", i));
  }
  const uint32_t visible =
      named ? static_cast<uint32_t>(node.op->num_visible(node.params->data())) : node.num_values;
  for (uint32_t i = 0; i < visible; ++i) {
    const ValueId v = node.first_value + i;
    const GraphValue& value = graph.values[v];
    if (!value.absent) {
      add(node.num_operands + i, value_name(graph, v));
    } else if (kTraining && !named) {
      watched->values.push_back(
          {value_name(graph, v), Array::zeros(value.shape, value.dtype, node.device), Watched::kNoView});
    }
  }
  return watched;
}

void copy_watched(const ProgramRun& run, Segment& segment, size_t step, const Watched& watched, bool outputs,
                  Stream* stream, const std::shared_ptr<const void>& keep) {
  segment.bind(run.bindings, true);
  for (const Watched::Value& value : watched.values) {
    if (value.view != Watched::kNoView && segment.is_output(step, value.view) == outputs)
      copy_view(segment.views(step)[value.view], value.copy->chunk(), stream, keep);
  }
}

// Steps of a segment: several, or one and what is watched of it, if that is not null.
void run_steps(const ProgramRun& run, Segment& segment, size_t first, size_t last, const Watched* watched,
               Stream* stream) {
  std::shared_ptr<const void> keep;
  if (stream) keep = std::make_shared<const ProgramRun>(run);
  if (watched) copy_watched(run, segment, first, *watched, false, stream, keep);
  const BodyPasses passes(run.program->body_passes());
  segment.run(run.bindings, streams_of(run), first, last, stream, keep, run.params.get());
  if (watched) copy_watched(run, segment, first, *watched, true, stream, keep);
}

#if MIXGRAD_QUEUES
struct StepsTask {
  ProgramRun run;
  Segment& segment;
  size_t first, last;
  Ref<Watched> watched;  // null: nothing
  Stream* stream;        // of the segment's device, null on the host

  void operator()() const { run_steps(run, segment, first, last, watched.get(), stream); }
  double cost_ns() const { return segment.cost_ns(first, last); }
};

void push_steps_task(const ProgramRun& run, Segment& segment, size_t first, size_t last,
                     const Ref<Watched>& watched) {
  const Device device = segment.device();
  StepsTask task{run, segment, first, last, watched, device_api(device).stream(device, StreamKind::compute)};
  auto& vars = per_thread<Segment::Vars>();  // kept, so that calls ask for no memory
  vars.reads.clear();
  vars.writes.clear();
  vars.kept.clear();
  vars.parts.clear();
  task.segment.collect_vars(*task.run.bindings, task.first > 0, vars);
  if (task.watched) {
    for (const Watched::Value& value : task.watched->values) vars.writes.push_back(&value.copy->chunk());
  }
  engine::TaskInfo info;
  info.name = task.run.backward ? "graph_backward" : "graph_forward";
  info.inline_ok = !task.segment.runs_program();
  info.cost_ns = static_cast<uint64_t>(task.cost_ns());
  if (task.stream) info.cost_ns = 0;  // to give the work
  info.parallel = info.cost_ns > engine::small_task_ns;
  info.kept = vars.kept;
  info.parts = vars.parts;
  info.stream = task.stream;
  engine::Engine::get().push(std::move(task), vars.reads, vars.writes, info);
}

WorkerLink::Transfer transfer_of(const Program& program, const Segment& segment, const Workers& workers) {
  const Graph& graph = program.graph();
  const GraphNode& node = graph.nodes[segment.node_of(0)];
  const ValueId value = graph.operands_of(node)[0];
  WorkerLink::Transfer transfer;
  transfer.number = node.transfer;
  // Without names, which workers that made other nodes before may count differently.
  transfer.contents = text("value ", node.transfer, " that a graph hands over");
  transfer.dtype = graph.values[value].dtype;
  transfer.elements = graph.values[value].shape.size();
  transfer.from = workers.of(graph.device_of(value));
  transfer.to = workers.of(node.device);
  return transfer;
}

// The copies of a part of the program, which its segments push one after another.
std::unique_ptr<WorkerLink::Run> begin_transfers(const ProgramRun& run, size_t first, size_t last) {
  const size_t count = run.program->num_transfers(run.backward);
  if (count == 0) return nullptr;
  std::vector<WorkerLink::Transfer> own;
  for (size_t s = first; s < last; ++s) {
    const Segment& segment = *run.program->segments()[s];
    if (segment.is_transfer()) own.push_back(transfer_of(*run.program, segment, run.link->workers()));
  }
  return run.link->begin(count, own);
}

void push_transfer(const ProgramRun& run, Segment& segment, WorkerLink::Run& transfers, size_t i) {
  const bool sends = !run.program->graph().nodes[segment.node_of(0)].device.is_here();
  Segment::Vars vars;
  segment.collect_vars(*run.bindings, false, vars);
  transfers.push(i, vars.reads, vars.writes, [run, &segment, sends] {
    segment.bind(run.bindings, true);
    return static_cast<char*>(segment.views(0)[sends ? 0 : 1].data);
  });
}

#else
// At once.
void push_steps_task(const ProgramRun& run, Segment& segment, size_t first, size_t last,
                     const Ref<Watched>& watched) {
  const TeamScope team(true);
  run_steps(run, segment, first, last, watched.get(), nullptr);
}
#endif

}  // namespace

void Watch::set(ValueWatcher watcher, bool inputs) {
  refuse_inside("set_monitor_callback");
  watcher_ = std::move(watcher);
  inputs_ = inputs;
}

void Watch::refuse_inside(const char* call) const {
  if (!running_) return;
  fail(Status::invalid_argument, "[", call, "] called by the watcher of this ", owner_,
       " while it runs; expected a call after that");
}

std::string value_name(const Graph& graph, ValueId v) {
  const GraphValue& value = graph.values[v];
  const GraphNode& node = graph.nodes[value.node];
  if (!node.is_call()) return node.name;
  if (node.kind == GraphNodeKind::forward && node.source) return node.source->output_name(value.index);
  return node.num_values == 1 ? node.name.str() + "_output" : text(node.name, "_output", value.index);
}

namespace {

struct Running {
  explicit Running(bool& flag) : on(flag) { on = true; }
  ~Running() { on = false; }
  bool& on;
};

}  // namespace

void Watch::push(const ProgramRun& run, size_t from, size_t to) {
  if (!watcher_) return push_steps(run, from, to);
  const Running running(running_);
  push_steps(run, from, to);
}

void Watch::show(const std::string& name, const ArrayRef& copy) {
  const Running running(running_);
  watcher_(name, copy);
}

void Watch::push_steps(const ProgramRun& run, size_t from, size_t to) const {
  const bool watched = is_set();
  const Program& program = *run.program;
  const size_t first = run.backward ? program.num_forward() : 0;
  const size_t last = run.backward ? program.segments().size() : program.num_forward();
#if MIXGRAD_QUEUES
  const std::unique_ptr<WorkerLink::Run> transfers = begin_transfers(run, first, last);
  size_t transfer = 0;
#endif
  for (size_t s = first; s < last; ++s) {
    Segment& segment = *program.segments()[s];
    const size_t end = std::min(to, segment.num_steps());
    size_t step = std::min(from, end);
    from -= step;
    to -= end;
#if MIXGRAD_QUEUES
    if (segment.is_transfer()) {
      if (step < end) push_transfer(run, segment, *transfers, transfer++);
      continue;
    }
#endif
    while (step < end) {
      const size_t next = watched ? step + 1 : end;
      const Ref<Watched> values = watched ? watch_step(program, segment, step, inputs_) : Ref<Watched>();
      push_steps_task(run, segment, step, next, values);
      step = next;
      if (!watched) continue;
      for (const Watched::Value& value : values->values) watcher_(value.name, value.copy);
    }
  }
}

}  // namespace mixgrad
