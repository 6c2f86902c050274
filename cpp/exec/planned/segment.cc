#include "exec/planned/segment.h"

#include <algorithm>
#include <cstring>

#include "array/moves.h"
#include "base/build.h"
#include "base/error.h"
#include "base/order.h"
#include "device/api.h"
#include "device/copy.h"
#include "engine/profiler.h"
#include "exec/imperative/device_launch.h"
#include "exec/imperative/fresh_outputs.h"

namespace mixgrad {
namespace {

void sort_once(std::vector<uint32_t>& list) {
  sort_by(list, [](uint32_t a, uint32_t b) { return a < b; });
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// What the engine asks about a task.
double cost_of(const Graph& graph, const GraphNode& node, std::vector<Shape>& in) {
  if constexpr (!kQueues) return 0;
  if (!node.is_call()) return static_cast<double>(graph.values[node.first_value].bytes()) / 8;
  in.clear();
  const Span<const ValueId> operands = graph.operands_of(node);
  const bool forward = node.kind == GraphNodeKind::forward;
  const size_t first = forward ? 0 : node.num_out_grads, count = forward ? operands.size() : node.num_inputs;
  for (size_t i = first; i < first + count; ++i) in.push_back(graph.values[operands[i]].shape);
  int64_t out = 0;
  for (const GraphValue& value : graph.values_of(node)) out += value.shape.size();
  const double cost = node.op->cost(node.params->data(), in, out);
  return forward ? cost : 2 * cost;
}

}  // namespace

Segment::Segment(const Graph& graph, const MemoryPlan& plan, const std::vector<uint32_t>& slot_of,
                 size_t num_slots, NodeId first, NodeId last)
    : graph_(graph), plan_(plan), slot_of_(slot_of) {
  if (first < last) device_ = graph.nodes[first].device;
  // A copy to another worker is a task of the value's own device.
  if (!device_.is_here()) device_ = graph.device_of(graph.operands_of(graph.nodes[first])[0]);
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
  sort_once(state_slots_);
  sort_once(arenas_);
  arena_data_.assign(plan.arenas.size(), nullptr);
  if constexpr (kQueues) {
    if (arena_ == kNone) turn_ = engine::make_var();
  }
}

void Segment::add_step(NodeId n) {
  const GraphNode& node = graph_.nodes[n];
  if (node.kind == GraphNodeKind::variable) return;
  if (node.kind == GraphNodeKind::constant && slot_of(node.first_value) == kNone) return;
  const Span<const ValueId> operands = graph_.operands_of(node);
  // A view of its operand needs no work.
  if (node.kind == GraphNodeKind::forward && node.op->same_elements &&
      plan_.same_memory(operands[0], node.first_value))
    return;
  Step step{};
  step.node = n;
  step.call = {node.op, node.params ? node.params->data() : nullptr, node.training,
               node.kind == GraphNodeKind::backward};
  step.random_slot = node.random_slot;
  step.params_slot = node.params_slot;
  step.call.num_out_grads = step.call.num_outputs = node.num_out_grads;
  step.call.num_inputs = node.num_inputs;
  step.first_view = static_cast<uint32_t>(views_.size());
  step.num_in = node.num_operands;
  step.num_out = node.num_values;
  const size_t num_kept =
      node.kind == GraphNodeKind::forward ? static_cast<size_t>(node.op->num_kept(step.call.params)) : 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const ValueId v = operands[i];
    add_view(v, i > 0 && i <= num_kept && is_given(v));
    name_value(v, false);
    if (!node.mutates(static_cast<uint32_t>(i))) continue;
    name_value(v, true);
    const bool state = i < node.op->inputs.size() && node.op->inputs[i].auxiliary;
    if (kQueues && state && slot_of(v) != kNone) state_slots_.push_back(slot_of(v));
  }
  for (uint32_t i = 0; i < node.num_values; ++i) {
    const ValueId v = node.first_value + i;
    add_view(v);
    name_value(v, true);
  }
  add_memory(step, node);
  if (kQueues && step.call.op && step.call.op->across_devices && node.device.is_host())
    step.fetches = !graph_.device_of(operands[0]).is_host();
  step.plain = step.call.op && step.random_slot == kNone && step.memory == kNone && !step.fetches;
  if constexpr (kTraining) {
    step.plain &= step.params_slot == kNone;
    runs_program_ |= step.call.op && step.call.op->runs_program(step.call.params);
  }
  step.cost_ns = cost_of(graph_, node, shapes_);
  cost_ns_ += step.cost_ns;
  steps_.push_back(step);
}

// kNone of values in an arena and of constants.
uint32_t Segment::slot_of(ValueId v) const {
  return plan_.outside[v] == kNone ? kNone : slot_of_[plan_.outside[v]];
}

bool Segment::is_transfer() const {
  return kQueues && steps_.size() == 1 && graph_.nodes[steps_[0].node].transfer != kNone;
}

// A value that a step reads, or writes.
void Segment::name_value(ValueId v, bool written) {
  if (!is_here(v)) return;
  if (plan_.buffer_of[v] != kNone) {
    const uint32_t arena = plan_.buffers[plan_.buffer_of[v]].arena;
    if (arenas_.empty() || arenas_.back() != arena) arenas_.push_back(arena);
    if (written) arena_ = arena;
  }
  const uint32_t slot = slot_of(v);
  if (!kQueues || slot == kNone) return;
  if (written) {
    written_slots_.push_back(slot);
    written_[slot] = true;
  } else if (!written_[slot]) {
    // What this segment wrote before is no matter of what ran earlier.
    read_slots_.push_back(slot);
  }
}

// Whether an operator that keeps an input may keep this value: what this graph computes changes from run to run, also where
// it lies in an output's memory, or is an argument that it updates.
bool Segment::is_given(ValueId v) const {
  const ValueId root = plan_.outside[v];
  return root != kNone && slot_of_[root] != kNone &&
         graph_.nodes[graph_.values[root].node].kind == GraphNodeKind::variable &&
         !(kTraining && graph_.nodes[graph_.values[root].node].updated) &&
         graph_.values[v].node == graph_.values[root].node;
}

Segment::Memory::Memory(Segment& segment, const GraphNode& node, uint32_t first_view)
    : segment_(segment), first_view_(first_view) {
  const Graph& graph = segment.graph_;
  for (ValueId v : graph.operands_of(node)) {
    slots_.push_back(segment.is_given(v) ? segment.slot_of_[segment.plan_.outside[v]] : kNone);
    const bool constant = graph.nodes[graph.values[v].node].kind == GraphNodeKind::constant;
    for (size_t i = 0; i < kVersionItems; ++i) versions_.push_back(constant ? Chunk::next_number() : 0);
  }
  borrowed_.resize(slots_.size());
  versions = versions_;
}

// Null: none that this run knows by its array.
const Bindings::Slot* Segment::Memory::given(size_t input) const {
  if (slots_[input] == kNone || !segment_.bound_) return nullptr;
  const Bindings::Slot& slot = segment_.bound_->slots[slots_[input]];
  return slot.chunk ? &slot : nullptr;
}

void Segment::Memory::begin() {
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i] == kNone) continue;
    const Bindings::Slot* slot = given(i);
    const bool known = slot && slot->chunk->device().kind == DeviceKind::cpu && !slot->chunk->exposed();
    uint64_t* const version = versions_.data() + i * kVersionItems;
    version[0] = known ? slot->chunk->number() : 0;
    version[1] = known ? slot->offset : 0;
    version[2] = known ? slot->chunk->version() : 0;
  }
}

const void* Segment::Memory::read(size_t input) {
  const View& view = segment_.views_[first_view_ + input];
  const Bindings::Slot* slot = view.data ? nullptr : given(input);
  if (!slot) return view.data;
  const auto* data = static_cast<const char*>(slot->chunk->borrow());
  give_back(input);
  borrowed_[input] = slot->chunk;
  return data + slot->offset;
}

void Segment::Memory::give_back(size_t input) {
  if (borrowed_[input]) borrowed_[input]->give_back();
  borrowed_[input] = Ref<Chunk>();
}

void Segment::Memory::let_go(size_t input, std::shared_ptr<const ValueSource> source) {
  give_back(input);
  const Bindings::Slot* slot = given(input);
  if (!slot) return;
  // The source writes this input, not what else may lie beside it.
  const View& view = segment_.views_[first_view_ + input];
  if (static_cast<size_t>(view.bytes()) != slot->chunk->bytes()) source = nullptr;
  slot->chunk->let_go(std::move(source), input);
}

void Segment::add_memory(Step& step, const GraphNode& node) {
  step.memory = kNone;
  if (node.kind != GraphNodeKind::forward || !node.op->num_kept_fn) return;
  step.memory = static_cast<uint32_t>(memories_.size());
  memories_.push_back(std::make_unique<Memory>(*this, node, step.first_view));
}

void Segment::add_view(ValueId v, bool kept) {
  const GraphValue& value = graph_.values[v];
  const uint32_t at = static_cast<uint32_t>(views_.size());
  View view;
  view.shape_ref = &value.shape.get();
  view.dtype = value.dtype;
  if (!is_here(v)) {
    // Another worker has it.
  } else if (plan_.outside[v] != kNone) {
    const ValueId root = plan_.outside[v];
    if (slot_of_[root] != kNone) {
      slot_patches_.push_back({at, slot_of_[root], kept});
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

double Segment::cost_ns(size_t first, size_t last) const {
  if (last - first == steps_.size()) return cost_ns_;
  double sum = 0;
  for (size_t i = first; i < last; ++i) sum += steps_[i].cost_ns;
  return sum;
}

void Segment::collect_vars(const Bindings& bindings, bool later, Vars& vars) const {
  for (uint32_t s : read_slots_) {
    if (bindings.slots[s].chunk) vars.reads.push_back(bindings.slots[s].chunk.get());
  }
  for (uint32_t s : written_slots_) {
    const Bindings::Slot& slot = bindings.slots[s];
    if (!slot.chunk) continue;
    if (!slot.whole) vars.parts.push_back(slot.chunk.get());
    vars.writes.push_back(slot.chunk.get());
  }
  for (uint32_t s : state_slots_) {
    if (bindings.slots[s].chunk) vars.kept.push_back(bindings.slots[s].chunk.get());
  }
  for (uint32_t a : arenas_) {
    if (a != arena_) vars.reads.push_back(bindings.arenas[a].get());
    if (a == arena_ && (follows_ || later)) vars.parts.push_back(bindings.arenas[a].get());
  }
  vars.writes.push_back(arena_ == kNone ? turn_.get() : bindings.arenas[arena_].get());
}

void Segment::mark_slots(std::vector<bool>& named) const {
  for (const std::vector<uint32_t>* slots : {&read_slots_, &written_slots_}) {
    for (uint32_t s : *slots) named[s] = true;
  }
}

void Segment::bind(const Ref<const Bindings>& bindings, bool kept) {
  if (arena_ != kNone) bindings->arenas[arena_]->ensure();
  bool moved = false;
  for (uint32_t a : arenas_) {
    char* data = bindings->arenas[a]->data();
    moved |= data != arena_data_[a];
    arena_data_[a] = data;
  }
  if (moved) {
    for (const ArenaPatch& p : arena_patches_) views_[p.view].data = arena_data_[p.arena] + p.offset;
  }
  const uint64_t moves = memory_moves.load(std::memory_order_relaxed);
  if (bindings == bound_ && moves == moves_ && !kept) return;
  bound_ = {};  // until all of them are
  for (const SlotPatch& p : slot_patches_) {
    const Bindings::Slot& slot = bindings->slots[p.slot];
    const bool filled = slot.chunk && (kept || !p.kept);
    if (filled) slot.chunk->ensure_for_reading();
    views_[p.view].data = filled ? static_cast<char*>(slot.chunk->data()) + slot.offset : nullptr;
  }
  bound_ = bindings;
  moves_ = moves;
}

void Segment::run(const Ref<const Bindings>& bindings, Span<const RandomStream> streams, size_t first,
                  size_t last, Stream* stream, const std::shared_ptr<const void>& keep,
                  const RunParams* params) {
  // Kernels on a stream keep nothing between runs.
  bind(bindings, stream != nullptr);
  size_t i = first;
  struct Given {  // for this run only
    Segment& segment;
    bool bound;
    ~Given() {
      segment.stream_ = nullptr;
      segment.params_ = nullptr;
      segment.keep_.reset();
      if (bound) segment.bound_ = {};
    }
  } given{*this, bindings->once};
  stream_ = stream;
  params_ = params;
  keep_ = keep;
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
  bound_ = {};
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
  if constexpr (!kCompact) {
    const uint64_t started = engine::profiler_clock_ns();
    run_step(step, streams);
    int64_t bytes = 0;
    for (uint32_t i = 0; i < step.num_in + step.num_out; ++i) {
      const View& view = views_[step.first_view + i];
      if (view.data) bytes += view.bytes();
    }
    engine::profiler_record_step(step.call.op ? step.call.op->name.c_str() : "constant",
                                 step.call.backward ? "backward" : "node", graph_.nodes[step.node].name,
                                 started, static_cast<uint64_t>(bytes));
  }
}

void Segment::run_step(const Step& step, Span<const RandomStream> streams) {
  const Span<const View> in(views_.data() + step.first_view, step.num_in);
  const Span<const View> out(views_.data() + step.first_view + step.num_in, step.num_out);
  if constexpr (kQueues) {
    if (stream_) return give_step(step, streams, in, out);
  }
  fill_outputs(in, out);
  if (step.plain) return launch(step.call, in, out);
  if (!step.call.op) {
    const std::vector<char>& bytes = graph_.nodes[step.node].constant->bytes;
    return copy_bytes(nullptr, out[0].data, bytes.data(), bytes.size());
  }
  launch_with_state(step, streams, in, out);
}

// The call with what this run brings.
Launch Segment::with_run_state(const Step& step, Span<const RandomStream> streams) const {
  Launch call = step.call;
  if (step.random_slot != kNone) {
    call.seed = streams[step.random_slot].seed;
    call.stream = streams[step.random_slot].stream;
  }
  if constexpr (kTraining) {
    if (step.params_slot != kNone) call.params = params_->by_slot[step.params_slot]->data();
  }
  return call;
}

#if MIXGRAD_QUEUES
void Segment::give_step(const Step& step, Span<const RandomStream> streams, Span<const View> in,
                        Span<const View> out) {
  if (!step.call.op) {
    const std::vector<char>& bytes = graph_.nodes[step.node].constant->bytes;
    return copy_bytes(stream_, out[0].data, bytes.data(), bytes.size(), keep_);
  }
  const Launch call = with_run_state(step, streams);
  launch_on(*stream_, call, keep_, in, out);
}
#endif

void Segment::launch_with_state(const Step& step, Span<const RandomStream> streams, Span<const View> in,
                                Span<const View> out) {
  Launch call = with_run_state(step, streams);
  if constexpr (kQueues) {
    if (step.fetches) {
      const Device card = graph_.device_of(graph_.operands_of(graph_.nodes[step.node])[0]);
      Stream* const stream = copy_stream(card, Device::cpu());
      copy_bytes(stream, out[0].data, in[0].data, out[0].bytes());
      stream->mark().wait();  // what follows here computes with it
      return;
    }
  }
  Memory* const memory = step.memory == kNone ? nullptr : memories_[step.memory].get();
  if (memory) memory->begin();
  call.memory = memory;
  launch(call, in, out);
  if (memory) memory->give_back_all();
}

Span<const View> Segment::views(size_t step) const {
  return {views_.data() + steps_[step].first_view, steps_[step].num_in + steps_[step].num_out};
}

void Segment::explain(const Step& step, const Error& error) const {
  std::string operands;
  for (uint32_t i = 0; i < step.num_in; ++i) {
    const View& view = views_[step.first_view + i];
    operands += (i > 0 ? ", " : "") + view.shape().str() + " " + name_of(view.dtype);
  }
  fail(error.status(), error.message(), "; at node '", graph_.nodes[step.node].name, "' (",
       step.call.op ? step.call.op->name.c_str() : "constant", ") with operands ", operands);
}

}  // namespace mixgrad
