#include "exec/program.h"

#include <algorithm>

#include "base/error.h"

namespace mixgrad {

Program::Program(Graph graph, const MemoryPlanOptions& options)
    : graph_(std::move(graph)), plan_(plan_memory(graph_, options)) {
  slot_of_.assign(graph_.values.size(), kNone);
  const auto add_slot = [&](ValueId v) {
    if (v == kNone || slot_of_[v] != kNone || plan_.outside[v] != v) return;
    slot_of_[v] = static_cast<uint32_t>(slot_values_.size());
    slot_values_.push_back(v);
  };
  for (const GraphNode& node : graph_.nodes) {
    if (node.kind == GraphNodeKind::variable) add_slot(node.first_value);
  }
  for (ValueId v : graph_.heads) add_slot(v);
  for (ValueId v : graph_.gradients) add_slot(v);

  const auto cut = [&](NodeId first, NodeId last) {
    for (NodeId n = first; n < last;) {
      NodeId end = n + 1;
      while (end < last && graph_.nodes[end].device == graph_.nodes[n].device) ++end;
      auto segment = std::make_unique<Segment>(graph_, plan_, slot_of_, slot_values_.size(), n, end);
      if (segment->num_steps() > 0) segments_.push_back(std::move(segment));
      n = end;
    }
  };
  cut(0, graph_.forward_end);
  num_forward_ = segments_.size();
  cut(graph_.forward_end, static_cast<NodeId>(graph_.nodes.size()));
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

struct Vars {
  std::vector<engine::Var*> reads, writes;
};

Span<const RandomStream> streams_of(const ProgramRun& run) {
  return run.streams ? Span<const RandomStream>(run.streams->by_slot) : Span<const RandomStream>();
}

template <class Task>
void push_task(Task&& task, const Vars& vars, double cost_ns) {
  engine::TaskInfo info;
  info.name = task.run.backward ? "graph_backward" : "graph_forward";
  info.inline_ok = true;
  info.cost_ns = static_cast<uint64_t>(cost_ns);
  info.parallel = info.cost_ns > engine::small_task_ns;
  engine::Engine::get().push(std::forward<Task>(task), Span<engine::Var* const>(vars.reads),
                             Span<engine::Var* const>(vars.writes), info);
}

ArrayRef array_like(const View& view, Device device) {
  return Array::empty(view.shape(), view.dtype, device);
}

void copy_view(const View& from, Chunk& to) {
  to.ensure();
  if (from.bytes() > 0) std::copy_n(from.as<const char>(), from.bytes(), static_cast<char*>(to.data()));
}

// Names and copies of the values that one step reads or makes.
struct Watched {
  struct Item {
    std::string name;
    ArrayRef copy;
    uint32_t place;  // among the step's inputs or outputs
  };
  std::vector<Item> inputs, outputs;
};

std::string value_name(const Graph& graph, ValueId v) {
  const GraphValue& value = graph.values[v];
  const GraphNode& node = graph.nodes[value.node];
  if (!node.is_call()) return node.name;
  if (node.kind == GraphNodeKind::forward && node.source) return node.source->output_name(value.index);
  return node.num_values == 1 ? node.name.str() + "_output" : text(node.name, "_output", value.index);
}

Watched watch_step(const Program& program, const Segment& segment, size_t step, bool inputs) {
  const Graph& graph = program.graph();
  const GraphNode& node = graph.nodes[segment.node_of(step)];
  Watched watched;
  const Span<const ValueId> operands = graph.operands_of(node);
  for (uint32_t i = 0; inputs && i < operands.size(); ++i) {
    const GraphValue& value = graph.values[operands[i]];
    if (value.absent) continue;
    const auto add = [&](std::string name) {
      watched.inputs.push_back({std::move(name), array_like(segment.inputs(step)[i], node.device), i});
    };
    if (!graph.nodes[value.node].is_call()) add(graph.nodes[value.node].name);
    const bool named = node.kind == GraphNodeKind::forward;
    add(named ? node.name.str() + "_" + node.op->input_name(static_cast<int>(i))
              : text(node.name, "_input", i));
  }
  for (uint32_t i = 0; i < node.num_values; ++i) {
    if (graph.values[node.first_value + i].absent) continue;
    if (node.kind == GraphNodeKind::forward &&
        static_cast<int>(i) >= node.op->num_visible(node.params->data()))
      break;
    watched.outputs.push_back(
        {value_name(graph, node.first_value + i), array_like(segment.outputs(step)[i], node.device), i});
  }
  return watched;
}

struct StepsTask {
  ProgramRun run;
  Segment& segment;
  size_t first, last;
  void operator()() const { segment.run(run.bindings, streams_of(run), first, last); }
};

struct WatchedTask {
  ProgramRun run;
  Segment& segment;
  size_t step;
  Watched watched;

  void operator()() const {
    segment.bind(run.bindings, true);
    for (const Watched::Item& item : watched.inputs)
      copy_view(segment.inputs(step)[item.place], item.copy->chunk());
    segment.run(run.bindings, streams_of(run), step, step + 1);
    for (const Watched::Item& item : watched.outputs)
      copy_view(segment.outputs(step)[item.place], item.copy->chunk());
  }
};

struct Watching {
  bool inputs;
  const ValueWatcher& watcher;
};

void push_watched_segment(const ProgramRun& run, Segment& segment, Vars vars, const Watching& watching) {
  const size_t named = vars.writes.size();
  for (size_t step = 0; step < segment.num_steps(); ++step) {
    WatchedTask task{run, segment, step, watch_step(*run.program, segment, step, watching.inputs)};
    const Watched watched = task.watched;
    vars.writes.resize(named);
    for (const auto* items : {&watched.inputs, &watched.outputs}) {
      for (const Watched::Item& item : *items) vars.writes.push_back(&item.copy->chunk());
    }
    if (step == 1 && segment.arena() != kNone)
      vars.reads.push_back(run.bindings->arenas[segment.arena()].get());
    push_task(std::move(task), vars, segment.cost_ns(step));
    for (const auto* items : {&watched.inputs, &watched.outputs}) {
      for (const Watched::Item& item : *items) watching.watcher(item.name, item.copy);
    }
  }
}

constexpr size_t kAllSteps = ~size_t{0};

// Segments of the part that runs, or one step of them all.
void push_part(const ProgramRun& run, size_t step, const Watching* watching) {
  const Program& program = *run.program;
  const size_t first = run.backward ? program.num_forward() : 0;
  const size_t last = run.backward ? program.segments().size() : program.num_forward();
  // A part begins by overwriting; what comes later also reads what the arena holds. An arena that the forward part
  // leaves alone is overwritten first by the backward part: errors of earlier runs end there.
  std::vector<bool> used(program.plan().arenas.size(), false);
  thread_local Vars vars;
  for (size_t s = 0; s < last; ++s) {
    Segment& segment = *program.segments()[s];
    const uint32_t arena = segment.arena();
    const bool is_read = arena != kNone && used[arena];
    if (arena != kNone) used[arena] = true;
    if (s < first) continue;
    vars.reads.clear();
    vars.writes.clear();
    segment.collect_vars(*run.bindings, is_read, vars.reads, vars.writes);
    const size_t steps = segment.num_steps();
    if (watching) {
      push_watched_segment(run, segment, vars, *watching);
    } else if (step == kAllSteps) {
      push_task(StepsTask{run, segment, 0, steps}, vars, segment.cost_ns());
    } else if (step < steps) {
      if (step > 0 && arena != kNone) vars.reads.push_back(run.bindings->arenas[arena].get());
      return push_task(StepsTask{run, segment, step, step + 1}, vars, segment.cost_ns(step));
    } else {
      step -= steps;
    }
  }
}

}  // namespace

void push_run(const ProgramRun& run) { push_part(run, kAllSteps, nullptr); }

void push_step(const ProgramRun& run, size_t step) { push_part(run, step, nullptr); }

void push_watched(const ProgramRun& run, bool inputs, const ValueWatcher& watcher) {
  const Watching watching{inputs, watcher};
  push_part(run, kAllSteps, &watching);
}

}  // namespace mixgrad
