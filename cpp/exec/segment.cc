#include "exec/segment.h"

#include <algorithm>
#include <cstring>

#include "base/build.h"
#include "base/error.h"
#include "engine/profiler.h"
#include "exec/call.h"
#include "op/pointwise.h"

namespace mixgrad {
namespace {

void sort_once(std::vector<uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

double cost_of(const Graph& graph, const GraphNode& node, std::vector<Shape>& in) {
  in.clear();
  const Span<const ValueId> operands = graph.operands_of(node);
  const bool forward = node.kind == GraphNodeKind::forward;
  const size_t first = forward ? 0 : node.num_out_grads, count = forward ? operands.size() : node.num_inputs;
  for (size_t i = first; i < first + count; ++i) in.push_back(graph.values[operands[i]].shape);
  int64_t out = 0;
  for (const GraphValue& value : graph.values_of(node)) out += value.shape.size();
  const double cost = estimate_cost(*node.op, node.params->data(), in, out);
  return forward ? cost : 2 * cost;
}

}  // namespace

Segment::Segment(const Graph& graph, const MemoryPlan& plan, const std::vector<uint32_t>& slot_of,
                 size_t num_slots, NodeId first, NodeId last)
    : graph_(graph), plan_(plan), slot_of_(slot_of) {
  written_.assign(num_slots, false);
  size_t views = 0;
  for (NodeId n = first; n < last; ++n) views += graph.nodes[n].num_operands + graph.nodes[n].num_values;
  steps_.reserve(last - first);
  views_.reserve(views);
  arena_patches_.reserve(views);
  for (NodeId n = first; n < last; ++n) {
    fetch_ahead(graph, n);
    add_step(n);
  }
  written_ = {};
  shapes_ = {};
  sort_once(read_slots_);
  sort_once(written_slots_);
  sort_once(read_arenas_);
  arena_data_.assign(plan.arenas.size(), nullptr);
}

void Segment::add_step(NodeId n) {
  const GraphNode& node = graph_.nodes[n];
  if (node.kind == GraphNodeKind::variable) return;
  const auto outside_slot = [&](ValueId v) {
    return plan_.outside[v] == kNone ? kNone : slot_of_[plan_.outside[v]];
  };
  if (node.kind == GraphNodeKind::constant && outside_slot(node.first_value) == kNone) return;
  const Span<const ValueId> operands = graph_.operands_of(node);
  // A view of its operand needs no work.
  if (node.kind == GraphNodeKind::forward && node.op->same_elements &&
      plan_.same_memory(operands[0], node.first_value))
    return;
  Step step{};
  step.node = n;
  step.training = node.training;
  step.op = node.op;
  step.params = node.params ? node.params->data() : nullptr;
  step.random_slot = node.random_slot;
  step.num_out_grads = node.num_out_grads;
  step.num_inputs = node.num_inputs;
  step.first_view = static_cast<uint32_t>(views_.size());
  step.num_in = node.num_operands;
  step.num_out = node.num_values;
  step.kind = node.kind == GraphNodeKind::constant   ? Kind::constant
              : node.kind == GraphNodeKind::backward ? Kind::backward
              : node.op->is_pointwise                ? Kind::pointwise
                                                     : Kind::kernel;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ValueId v = operands[i];
    add_view(v);
    const uint32_t slot = outside_slot(v);
    if (slot != kNone) {
      // What this segment wrote before is no matter of what ran earlier.
      if (!written_[slot]) read_slots_.push_back(slot);
      if (node.mutates(static_cast<uint32_t>(i))) written_slots_.push_back(slot);
    } else if (plan_.buffer_of[v] != kNone) {
      read_arenas_.push_back(plan_.buffers[plan_.buffer_of[v]].arena);
    }
  }
  for (uint32_t i = 0; i < node.num_values; ++i) {
    const ValueId v = node.first_value + i;
    add_view(v);
    const uint32_t slot = outside_slot(v);
    if (slot != kNone) {
      written_slots_.push_back(slot);
      written_[slot] = true;
    }
    if (plan_.buffer_of[v] != kNone) arena_ = plan_.buffers[plan_.buffer_of[v]].arena;
  }
  add_memory(step, node);
  step.cost_ns = node.is_call() ? cost_of(graph_, node, shapes_)
                                : static_cast<double>(graph_.values[node.first_value].bytes()) / 8;
  cost_ns_ += step.cost_ns;
  steps_.push_back(step);
}

namespace {

constexpr uint32_t kConstantSlot = kNone - 1;  // elements that never change

}  // namespace

void Segment::add_memory(Step& step, const GraphNode& node) {
  step.memory = kNone;
  if (step.kind != Kind::kernel || !node.op->keeps) return;
  step.memory = static_cast<uint32_t>(memories_.size());
  Memory memory;
  for (ValueId v : graph_.operands_of(node)) {
    const ValueId root = plan_.outside[v];
    // What this graph computes changes from run to run, also where it lies in an output's memory.
    const bool given = root != kNone &&
                       graph_.nodes[graph_.values[root].node].kind == GraphNodeKind::variable &&
                       graph_.values[v].node == graph_.values[root].node;
    const bool constant = graph_.nodes[graph_.values[v].node].kind == GraphNodeKind::constant;
    memory.slots.push_back(constant ? kConstantSlot : given ? slot_of_[root] : kNone);
  }
  memory.versions.resize(memory.slots.size());
  memories_.push_back(std::move(memory));
}

CallMemory* Segment::memory_of(const Step& step) {
  if (step.memory == kNone) return nullptr;
  Memory& memory = memories_[step.memory];
  for (size_t i = 0; i < memory.slots.size(); ++i) {
    const uint32_t s = memory.slots[i];
    uint64_t& version = memory.versions[i];
    version = s == kConstantSlot ? 1 : 0;
    if (s >= kConstantSlot || !bound_) continue;
    const Chunk* chunk = bound_->slots[s].chunk.get();
    if (chunk && chunk->device().kind == DeviceKind::cpu && !chunk->exposed())
      version = (slot_changes_[s] << 40) + chunk->version() + 1;
  }
  memory.call.versions = memory.versions;
  return &memory.call;
}

void Segment::forget_kept(const Step& step) {
  Memory& memory = memories_[step.memory];
  for (size_t i = 0; bound_ && i < memory.slots.size() && i < 64; ++i) {
    const uint32_t s = memory.slots[i];
    if (((memory.call.kept_inputs >> i) & 1) == 0 || s >= kConstantSlot) continue;
    if (Chunk* chunk = bound_->slots[s].chunk.get()) chunk->forget_values();
  }
  memory.call.kept_inputs = 0;
}

void Segment::add_view(ValueId v) {
  const GraphValue& value = graph_.values[v];
  const uint32_t at = static_cast<uint32_t>(views_.size());
  View view;
  view.shape_ref = &value.shape.get();
  view.dtype = value.dtype;
  if (plan_.outside[v] != kNone) {
    const ValueId root = plan_.outside[v];
    if (slot_of_[root] != kNone) {
      slot_patches_.push_back({at, slot_of_[root]});
    } else {
      const GraphNode& node = graph_.nodes[graph_.values[root].node];
      view.data = const_cast<char*>(node.constant->bytes.data());
    }
  } else if (plan_.buffer_of[v] != kNone) {
    const MemoryPlan::Buffer& buffer = plan_.buffers[plan_.buffer_of[v]];
    arena_patches_.push_back({at, buffer.arena, buffer.offset});
  }
  views_.push_back(view);
}

void Segment::collect_vars(const Bindings& bindings, bool arena_is_read, std::vector<engine::Var*>& reads,
                           std::vector<engine::Var*>& writes) const {
  for (uint32_t s : read_slots_) {
    if (bindings.slots[s].chunk) reads.push_back(bindings.slots[s].chunk.get());
  }
  for (uint32_t s : written_slots_) {
    const Bindings::Slot& slot = bindings.slots[s];
    if (!slot.chunk) continue;
    if (!slot.whole) reads.push_back(slot.chunk.get());
    writes.push_back(slot.chunk.get());
  }
  for (uint32_t a : read_arenas_) {
    if (a != arena_ || arena_is_read) reads.push_back(bindings.arenas[a].get());
  }
  if (arena_ != kNone) writes.push_back(bindings.arenas[arena_].get());
}

void Segment::bind(const std::shared_ptr<const Bindings>& bindings) {
  if (arena_ != kNone) bindings->arenas[arena_]->ensure();
  bool moved = false;
  for (size_t a = 0; a < arena_data_.size(); ++a) {
    char* data =
        a == arena_ || std::binary_search(read_arenas_.begin(), read_arenas_.end(), static_cast<uint32_t>(a))
            ? bindings->arenas[a]->data()
            : nullptr;
    moved |= data != arena_data_[a];
    arena_data_[a] = data;
  }
  if (moved) {
    for (const ArenaPatch& p : arena_patches_) views_[p.view].data = arena_data_[p.arena] + p.offset;
  }
  if (bindings == bound_) return;
  for (uint32_t s : read_slots_) {
    if (bindings->slots[s].chunk) bindings->slots[s].chunk->ensure_for_reading();
  }
  for (uint32_t s : written_slots_) {
    if (bindings->slots[s].chunk) bindings->slots[s].chunk->ensure();
  }
  if (!memories_.empty()) {
    slot_changes_.resize(bindings->slots.size());
    for (size_t s = 0; s < slot_changes_.size(); ++s) {
      const Bindings::Slot& now = bindings->slots[s];
      const bool same =
          bound_ && bound_->slots[s].chunk == now.chunk && bound_->slots[s].offset == now.offset;
      slot_changes_[s] += !same;
    }
  }
  for (const SlotPatch& p : slot_patches_) {
    const Bindings::Slot& slot = bindings->slots[p.slot];
    views_[p.view].data = slot.chunk ? static_cast<char*>(slot.chunk->data()) + slot.offset : nullptr;
  }
  bound_ = bindings;
}

void Segment::run(const std::shared_ptr<const Bindings>& bindings, Span<const RandomStream> streams,
                  size_t first, size_t last) {
  bind(bindings);
  size_t i = first;
  try {
    if (engine::profiling()) {
      for (; i < last; ++i) profile_step(steps_[i], streams);
    }
    for (; i < last; ++i) run_step(steps_[i], streams);
  } catch (const Error& error) {
    explain(steps_[i], error);
  }
}

void Segment::run(Span<char* const> slots, char* arena, Span<const RandomStream> streams) {
  bound_ = nullptr;
  for (const ArenaPatch& p : arena_patches_) views_[p.view].data = arena + p.offset;
  for (const SlotPatch& p : slot_patches_) views_[p.view].data = slots[p.slot];
  std::fill(arena_data_.begin(), arena_data_.end(), arena);
  for (const Step& step : steps_) {
    try {
      run_step(step, streams);
    } catch (const Error& error) {
      explain(step, error);
    }
  }
}

void Segment::profile_step(const Step& step, Span<const RandomStream> streams) {
  const uint64_t started = engine::profiler_clock_ns();
  run_step(step, streams);
  int64_t bytes = 0;
  for (uint32_t i = 0; i < step.num_in + step.num_out; ++i) {
    const View& view = views_[step.first_view + i];
    if (view.data) bytes += view.bytes();
  }
  engine::profiler_record_step(step.op ? step.op->name.c_str() : "constant",
                               step.kind == Kind::backward ? "backward" : "node",
                               graph_.nodes[step.node].name, started, static_cast<uint64_t>(bytes));
}

void Segment::run_step(const Step& step, Span<const RandomStream> streams) {
  const Span<const View> in(views_.data() + step.first_view, step.num_in);
  const Span<const View> out(views_.data() + step.first_view + step.num_in, step.num_out);
  switch (step.kind) {
    case Kind::pointwise: return run_pointwise(*step.op, step.params, in, out[0]);
    case Kind::kernel: {
      KernelArgs args;
      args.op = step.op;
      args.in = in;
      args.out = out;
      args.training = step.training;
      args.memory = memory_of(step);
      if (step.random_slot != kNone) {
        args.seed = streams[step.random_slot].seed;
        args.stream = streams[step.random_slot].stream;
      }
      step.op->kernel_fn(*step.op, step.params, args);
      if (args.memory && args.memory->kept_inputs != 0) forget_kept(step);
      return;
    }
    case Kind::backward: {
      if constexpr (!kTraining) return;
      BackwardArgs args;
      args.op = step.op;
      args.training = step.training;
      args.out_grad = in.subspan(0, step.num_out_grads);
      args.in = in.subspan(step.num_out_grads, step.num_inputs);
      args.out = in.subspan(step.num_out_grads + step.num_inputs, step.num_out_grads);
      args.in_grad = out;
      return step.op->backward_fn(*step.op, step.params, args);
    }
    case Kind::constant: {
      const std::vector<char>& bytes = graph_.nodes[step.node].constant->bytes;
      if (!bytes.empty()) std::memcpy(out[0].data, bytes.data(), bytes.size());
      return;
    }
  }
}

Span<const View> Segment::inputs(size_t step) const {
  return {views_.data() + steps_[step].first_view, steps_[step].num_in};
}
Span<const View> Segment::outputs(size_t step) const {
  return {views_.data() + steps_[step].first_view + steps_[step].num_in, steps_[step].num_out};
}

void Segment::explain(const Step& step, const Error& error) const {
  std::string operands;
  for (uint32_t i = 0; i < step.num_in; ++i) {
    const View& view = views_[step.first_view + i];
    operands += (i > 0 ? ", " : "") + view.shape().str() + " " + name_of(view.dtype);
  }
  throw Error(error.status(), text(error.message(), "; at node '", graph_.nodes[step.node].name, "' (",
                                   step.op ? step.op->name : "constant", ") with operands ", operands));
}

}  // namespace mixgrad
