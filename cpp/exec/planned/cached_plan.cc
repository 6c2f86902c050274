#include "exec/planned/cached_plan.h"

#include <mutex>

#include "base/build.h"
#include "base/error.h"
#include "exec/imperative/room.h"
#include "exec/tape/tape.h"
#include "graph/passes/infer.h"
#include "graph/passes/placement.h"

namespace mixgrad {
namespace {

bool wants_gradient(const Array& array) { return kTraining && mode().recording && on_tape(array); }

void set_slot(Bindings& bindings, uint32_t slot, const Array& array) {
  if (slot == kNone) return;
  bindings.slots[slot].chunk = array.chunk_ref();
  bindings.slots[slot].offset = array.offset();
  bindings.slots[slot].whole = array.whole_chunk();
}

// Of a call that a trace wrote down in another mode than its own: that.
bool mode_of(const GraphNode& node, bool training) {
  const std::string* said = node.source ? node.source->attributes.find("__training__") : nullptr;
  return said ? *said == "1" : training;
}

}  // namespace

// The gradient of one call. It refers to memory, never to outputs, which own it by their place on the tape.
class CachedGradient final : public CustomGradient {
 public:
  CachedGradient(const Ref<CachedPlan>& plan, Span<Array* const> variables, const Bindings& forward)
      : plan_(plan), kept_(new Bindings) {
    kept_->once = true;
    kept_->slots = forward.slots;
    versions_.resize(kept_->slots.size());
    for (size_t i = 0; i < variables.size(); ++i) note(plan->variable_slots_[i]);
    for (size_t i = plan->num_arguments_; i < variables.size(); ++i) states_.emplace_back(variables[i]);
  }

  // Once the forward part has been pushed: what it wrote is as the gradient wants it.
  void begin(CachedPlan::Lease lease, Ref<Streams> streams) {
    lease_ = std::move(lease);
    streams_ = std::move(streams);
    for (size_t i = plan_->num_arguments_; i < plan_->variable_slots_.size(); ++i)
      moved_.push_back(note(plan_->variable_slots_[i]));
    for (uint32_t slot : plan_->head_slots_) {
      if (is_variable(slot)) continue;
      if (plan_->backward_slots_[slot])
        note(slot);
      else
        kept_->slots[slot] = Bindings::Slot();
    }
  }

  const Symbol* graph() const override { return &plan_->symbol_; }
  void backward(Span<const ArrayRef> out_grads, Span<ArrayRef> in_grads) override {
    if (mode().recording) {
      fail(
          Status::autograd, "[", plan_->name(),
          "] a planned graph has no gradient of second order; create_graph=True cannot pass through it: call "
          "the function itself instead");
    }
    CachedPlan::Lease lease = std::move(lease_);
    check_unchanged(!lease);
    const Ref<Bindings> forward = lease ? kept_ : run_again(lease);
    const Ref<Bindings> bindings(new Bindings);
    bindings->once = true;
    bindings->slots = forward->slots;
    bindings->arenas = lease->by_number;
    for (size_t i = 0; i < plan_->num_arguments_; ++i) {
      const CachedPlan::Described& argument = plan_->variables_[i];
      if (!argument.wanted) continue;
      in_grads[i] = Array::empty(argument.shape, argument.dtype, argument.device);
      set_slot(*bindings, plan_->gradient_slots_[i], *in_grads[i]);
    }
    for (size_t i = 0; i < out_grads.size(); ++i)
      set_slot(*bindings, plan_->head_gradient_slots_[i], *out_grads[i]);
    Watch(plan_->name()).push({lease->program, Ref<const Bindings>(bindings.get()), streams_, true});
  }

 private:
  // Whether it is another version than before.
  bool note(uint32_t slot) {
    if (slot == kNone || !kept_->slots[slot].chunk) return false;
    const uint64_t before = versions_[slot];
    versions_[slot] = kept_->slots[slot].chunk->push_version();
    return versions_[slot] != before;
  }
  // What the forward part computes from: not a state that it moves on, of which other calls may have made more.
  bool decides_outputs(size_t variable) const {
    return variable < plan_->num_arguments_ || !moved_[variable - plan_->num_arguments_];
  }
  bool is_variable(uint32_t slot) const {
    for (uint32_t other : plan_->variable_slots_) {
      if (slot == other) return true;
    }
    return false;
  }

  void check_slot(uint32_t slot, const std::string& what) const {
    if (slot == kNone || !kept_->slots[slot].chunk) return;
    const uint64_t now = kept_->slots[slot].chunk->push_version();
    if (now == versions_[slot]) return;
    fail(Status::autograd, "[", plan_->name(), "] the gradient needs ", what,
         ", but it was changed in place after the call (version ", versions_[slot], " then, ", now,
         " now); compute on a copy instead");
  }
  // `again`: the forward part is to run once more, too.
  void check_unchanged(bool again) const {
    for (size_t i = 0; i < plan_->variable_slots_.size(); ++i) {
      const uint32_t slot = plan_->variable_slots_[i];
      const bool read = slot != kNone && (plan_->backward_slots_[slot] || (again && decides_outputs(i)));
      if (read) check_slot(slot, text("'", plan_->variable_name(i), "'"));
    }
    for (size_t i = 0; !again && i < plan_->head_slots_.size(); ++i) {
      const uint32_t slot = plan_->head_slots_[i];
      if (plan_->backward_slots_[slot]) check_slot(slot, text("output ", i));
    }
  }

  // The backward part overwrites what it uses: a second one computes that again, with the same random numbers, into outputs of
  // its own and without changing the states.
  Ref<Bindings> run_again(CachedPlan::Lease& lease) const {
    lease = CachedPlan::Lease(plan_);
    std::vector<ArrayRef> outputs(plan_->outputs_.size());
    plan_->make_outputs(outputs);
    const Ref<Bindings> bindings(new Bindings);
    bindings->once = true;
    bindings->slots = kept_->slots;
    bindings->arenas = lease->by_number;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!is_variable(plan_->head_slots_[i])) set_slot(*bindings, plan_->head_slots_[i], *outputs[i]);
    }
    for (size_t i = 0; i < states_.size(); ++i) {
      const Array& state = *states_[i];
      const ArrayRef copy = Array::empty(state.shape(), state.dtype(), state.device());
      state.push_copy_to(*copy, "copy_state");
      set_slot(*bindings, plan_->variable_slots_[plan_->num_arguments_ + i], *copy);
    }
    Watch(plan_->name()).push({lease->program, Ref<const Bindings>(bindings.get()), streams_, false});
    return bindings;
  }

  const Ref<CachedPlan> plan_;
  CachedPlan::Lease lease_;  // what the forward part kept; empty once that was used
  const Ref<Bindings> kept_;
  Ref<Streams> streams_;
  std::vector<uint64_t> versions_;  // by slot
  std::vector<ArrayRef> states_;
  std::vector<bool> moved_;  // per state: whether the call wrote it
};

CachedPlan::CachedPlan(const Symbol& symbol, Span<Array* const> variables, Device device,
                       const CachedPlanOptions& options)
    : symbol_(symbol), options_(options), device_(device), training_(mode().training) {
  Graph base = flatten(symbol);  // with a pool of its own, which passes write
  num_arguments_ = base.arguments.size();
  std::vector<NodeId> nodes = base.arguments;
  nodes.insert(nodes.end(), base.auxiliaries.begin(), base.auxiliaries.end());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const ValueId v = base.nodes[nodes[i]].first_value;
    variables_.push_back(described(*variables[i], i < num_arguments_));
    num_wanted_ += variables_[i].wanted;
    base.set_shape(v, variables_[i].shape);
    base.values[v].dtype = variables_[i].dtype;
  }
  InferOptions inferring;
  inferring.open_zeros = options_.open_zeros;
  base = infer(std::move(base), inferring);
  if constexpr (kQueues) place(base, device_, {});
  for (GraphNode& node : base.nodes) {
    node.training = mode_of(node, training_);
    if (!kQueues) node.device = device_;
  }
  GradientOptions wanted;
  PlanOptions planning;
  for (size_t i = 0; i < nodes.size(); ++i) {
    base.nodes[nodes[i]].device = variables_[i].device;
    if (i >= num_arguments_) continue;
    planning.gradient_devices.push_back(variables_[i].device);
    wanted.requests.push_back(variables_[i].wanted ? GradientRequest::write : GradientRequest::null);
  }
  for (ValueId v : base.heads)
    outputs_.push_back({base.values[v].shape, base.values[v].dtype, base.device_of(v), false});
  if (has_gradients()) planning.gradients = &wanted;
  planning.recompute = &options_.recompute;
  planning.passes = options_.passes;
  program_ = Ref<Program>(new Program(plan_graph(base, planning)));
  number_slots();
}

CachedPlan::~CachedPlan() {
  while (Flight* flight = free_) {
    free_ = flight->next;
    delete flight;
  }
}

CachedPlan::Described CachedPlan::described(const Array& array, bool argument) const {
  return {array.shape(), array.dtype(), array.device(), argument && wants_gradient(array)};
}

void CachedPlan::number_slots() {
  const Graph& graph = program_->graph();
  const auto slot_of_node = [&](NodeId n) {
    return n == kNone ? kNone : program_->slot_of(graph.nodes[n].first_value);
  };
  for (NodeId n : graph.arguments) variable_slots_.push_back(slot_of_node(n));
  for (NodeId n : graph.auxiliaries) variable_slots_.push_back(slot_of_node(n));
  for (ValueId v : graph.heads) head_slots_.push_back(program_->slot_of(v));
  for (ValueId v : graph.gradients) gradient_slots_.push_back(v == kNone ? kNone : program_->slot_of(v));
  for (NodeId n : graph.head_gradients) head_gradient_slots_.push_back(slot_of_node(n));
  backward_slots_.assign(program_->slot_values().size(), false);
  for (size_t s = program_->num_forward(); s < program_->segments().size(); ++s)
    program_->segments()[s]->mark_slots(backward_slots_);
  // A slot is bound to its variable, else to the last head that lies there.
  for (uint32_t i = 0; i < head_slots_.size(); ++i) {
    uint32_t from = kNone;
    for (uint32_t k = 0; k < variable_slots_.size(); ++k) {
      if (variable_slots_[k] == head_slots_[i]) from = k;
    }
    const bool from_variable = from != kNone;
    for (uint32_t k = i + 1; !from_variable && k < head_slots_.size(); ++k) {
      if (head_slots_[k] == head_slots_[i]) from = k;
    }
    if (from != kNone) copies_.push_back({i, from, from_variable});
  }
}

std::string CachedPlan::variable_name(size_t i) const {
  const Graph& graph = program_->graph();
  const NodeId n = i < num_arguments_ ? graph.arguments[i] : graph.auxiliaries[i - num_arguments_];
  return graph.nodes[n].name;
}

bool CachedPlan::serves(Span<Array* const> variables, Device device) const {
  if (training_ != mode().training || device_ != device) return false;
  for (size_t i = 0; i < variables_.size(); ++i) {
    const Described& planned = variables_[i];
    const Array& given = *variables[i];
    if (given.shape() != planned.shape || given.dtype() != planned.dtype ||
        given.device() != planned.device || (i < num_arguments_ && wants_gradient(given) != planned.wanted))
      return false;
  }
  return true;
}

CachedPlan::Flight* CachedPlan::take() {
  {
    const std::lock_guard<ObjectMutex> lock(mutex_);
    if (Flight* flight = free_) {
      free_ = flight->next;
      return flight;
    }
  }
  auto made = std::make_unique<Flight>();
  made->program = program_->again();
  for (const MemoryPlan::Arena& arena : made->program->plan().arenas) {
    made->by_number.push_back(made->arenas.of(arena.device));
    made->by_number.back()->want(arena.bytes);
  }
  return made.release();
}

void CachedPlan::give_back(Flight* flight) noexcept {
  const std::lock_guard<ObjectMutex> lock(mutex_);
  flight->next = free_;
  free_ = flight;
}

void CachedPlan::make_outputs(Span<ArrayRef> outputs) const {
  for (size_t i = 0; i < outputs_.size(); ++i)
    outputs[i] = Array::empty(outputs_[i].shape, outputs_[i].dtype, outputs_[i].device);
}

Ref<Bindings> CachedPlan::bind(const Flight& flight, Span<Array* const> variables,
                               Span<const ArrayRef> outputs) const {
  Ref<Bindings> bindings(new Bindings);
  bindings->once = true;
  bindings->slots.resize(program_->slot_values().size());
  for (size_t i = 0; i < outputs.size(); ++i) set_slot(*bindings, head_slots_[i], *outputs[i]);
  for (size_t i = 0; i < variables.size(); ++i) set_slot(*bindings, variable_slots_[i], *variables[i]);
  bindings->arenas = flight.by_number;
  return bindings;
}

void CachedPlan::call(Span<Array* const> variables, Span<ArrayRef> outputs) {
  const Ref<CachedPlan> self(this);
  Lease lease(self);
  lease->arenas.make_room();
  make_outputs(outputs);
  if constexpr (kQueues) make_room_for(Span<const ArrayRef>(outputs.data(), outputs.size()));
  const Ref<Bindings> bindings =
      bind(*lease.operator->(), variables, Span<const ArrayRef>(outputs.data(), outputs.size()));
  std::unique_ptr<CachedGradient> gradient;
  if (has_gradients()) gradient = std::make_unique<CachedGradient>(self, variables, *bindings);
  const Ref<Streams> streams = next_streams(lease->program->graph(), device_);
  Watch(name()).push({lease->program, Ref<const Bindings>(bindings.get()), streams, false});
  for (const HeadCopy& copy : copies_) {
    const Array& from = copy.from_variable ? *variables[copy.from] : *outputs[copy.from];
    from.push_copy_to(*outputs[copy.head], "copy_output");
  }
  if (!gradient) return;
  gradient->begin(std::move(lease), streams);
  if constexpr (kTraining) {
    record_custom(options_.name, std::move(gradient), {variables.data(), num_arguments_},
                  Span<const ArrayRef>(outputs.data(), outputs.size()));
  }
}

}  // namespace mixgrad
