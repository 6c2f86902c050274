// Executors that take an optimiser's step inside backward().
#include <algorithm>
#include <functional>
#include <string>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/planned/executor.h"
#include "exec/sparse/stepwise.h"

namespace mixgrad {
namespace {

const Field& field_of(const ExecutorUpdate& update, const char* name) {
  const int i = update.op->schema->index_of(name);
  if (i < 0)
    fail(Status::invalid_argument, "[set_updates] operator ", update.op->name, " has no parameter '", name,
         "'; expected one of an optimiser, such as sgd_update");
  return update.op->schema->fields[static_cast<size_t>(i)];
}

// The same parameters with another learning rate and weight decay.
ParamsRef params_with(const ExecutorUpdate& update, double lr, double wd) {
  const Ref<ParamsBox> made = ParamsBox::make(*update.op->schema, update.params->data());
  field_of(update, "lr").set(made->mutable_data(), Value(lr), update.op->name.c_str());
  field_of(update, "wd").set(made->mutable_data(), Value(wd), update.op->name.c_str());
  return ParamsRef(made.get());
}

bool same_steps(const std::vector<ExecutorUpdate>& a, const std::vector<ExecutorUpdate>& b) {
  const auto same_state = [](const ArrayRef& x, const ArrayRef& y) { return x->dtype() == y->dtype(); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    return x.argument == y.argument && x.op == y.op &&
           std::equal(x.states.begin(), x.states.end(), y.states.begin(), y.states.end(), same_state);
  });
}

// Memory that a graph reads or writes, and what messages call it.
struct Place {
  const Chunk* chunk;
  size_t begin, end;
  bool changes;  // it is that of an argument that is updated, or of a state
  std::string name;
};
Place place_of(const Array& array, bool changes, std::string name) {
  return {&array.chunk(), array.offset(), array.offset() + array.bytes(), changes, std::move(name)};
}

Ref<const RunParams> params_of(const std::vector<ExecutorUpdate>& updates) {
  const Ref<RunParams> params(new RunParams);
  for (const ExecutorUpdate& update : updates) params->by_slot.push_back(update.params);
  return Ref<const RunParams>(params.get());
}

}  // namespace

// That the operator makes of these arrays one of the argument's shape and dtype, and may write it over the argument.
void Executor::check_update(const ExecutorUpdate& update) const {
  if (update.argument >= arrays_.arguments.size())
    fail(Status::index, "[set_updates] argument ", update.argument, " of ", arrays_.arguments.size());
  const Array& argument = *arrays_.arguments[update.argument];
  const auto& name = base_.nodes[base_.arguments[update.argument]].name;
  if (requests_[update.argument] == GradientRequest::add)
    fail(Status::invalid_argument, "[set_updates] the gradient of '", name,
         "' is added up over several passes; expected grad_req write");
  const Op& op = *update.op;
  field_of(update, "lr");
  field_of(update, "wd");
  const size_t inputs = 2 + update.states.size();
  if (op.variadic || op.inputs.size() != inputs || op.num_outputs(update.params->data()) != 1 ||
      op.overwrites == Op::Overwrites::none) {
    fail(Status::invalid_argument, "[set_updates] operator ", op.name, " for '", name, "' with ",
         update.states.size(), " states; expected one that takes the argument, its gradient and these");
  }
  std::vector<Shape> shapes(inputs, argument.shape());
  std::vector<DType> dtypes(inputs, argument.dtype());
  for (size_t i = 2; i < inputs; ++i) {
    const Array& state = *update.states[i - 2];
    if (state.device() != argument.device())
      fail(Status::invalid_argument, "[set_updates] a state of '", name, "' is on ", state.device().name(),
           "; expected ", argument.device().name());
    shapes[i] = state.shape();
    dtypes[i] = state.dtype();
  }
  Shape shape = Shape::unknown();
  DType dtype = DType::unknown;
  ShapeInfer shape_infer(op, shapes, {&shape, 1});
  op.shape_fn(op, update.params->data(), shape_infer);
  DTypeInfer dtype_infer(op, dtypes, {&dtype, 1});
  op.dtype_fn(op, update.params->data(), dtype_infer);
  if (shape != argument.shape() || dtype != argument.dtype()) {
    fail(Status::shape, "[set_updates] ", op.name, " makes ", shape, " ", name_of(dtype), " of '", name,
         "', ", argument.shape(), " ", name_of(argument.dtype()));
  }
}

void Executor::check_updates(const std::vector<ExecutorUpdate>& updates) const {
  if (options_.link && !updates.empty())
    fail(Status::unsupported,
         "[set_updates] groups name workers; expected gradients, and updates outside the graph");
  std::vector<bool> named(arrays_.arguments.size(), false);
  for (const ExecutorUpdate& update : updates) {
    check_update(update);
    if (named[update.argument]) {
      fail(Status::invalid_argument, "[set_updates] two updates of '",
           base_.nodes[base_.arguments[update.argument]].name, "'; expected one");
    }
    named[update.argument] = true;
  }
  check_memory(updates, arrays_);
}

// That nothing else lies where a step writes: nodes are ordered by their values alone.
void Executor::check_memory(const std::vector<ExecutorUpdate>& updates, const ExecutorArrays& arrays) const {
  std::vector<Place> places;
  std::vector<bool> updated(arrays.arguments.size(), false);
  for (const ExecutorUpdate& update : updates) {
    updated[update.argument] = true;
    for (const ArrayRef& state : update.states) {
      places.push_back(place_of(
          *state, true, text("a state of '", base_.nodes[base_.arguments[update.argument]].name, '\'')));
    }
  }
  for (size_t i = 0; i < arrays.arguments.size(); ++i) {
    const std::string name = text('\'', base_.nodes[base_.arguments[i]].name, '\'');
    places.push_back(place_of(*arrays.arguments[i], updated[i], name));
    if (arrays.gradients[i] && !updated[i])
      places.push_back(place_of(*arrays.gradients[i], false, "the gradient of " + name));
  }
  for (size_t i = 0; i < arrays.auxiliaries.size(); ++i)
    places.push_back(
        place_of(*arrays.auxiliaries[i], false, text('\'', base_.nodes[base_.auxiliaries[i]].name, '\'')));
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.chunk != b.chunk ? std::less<>()(a.chunk, b.chunk) : a.begin < b.begin;
  });
  const Place* widest = nullptr;  // of those of this memory so far, and of these that change
  const Place* changed = nullptr;
  for (const Place& place : places) {
    if (!widest || widest->chunk != place.chunk) widest = changed = nullptr;
    const Place* const other = place.changes ? widest : changed;
    if (other && other->end > place.begin && place.end > place.begin) {
      fail(Status::invalid_argument, "[set_updates] ", other->name, " and ", place.name,
           " share memory, which a step changes; expected arrays of their own");
    }
    if (!widest || place.end > widest->end) widest = &place;
    if (place.changes && (!changed || place.end > changed->end)) changed = &place;
  }
}

// Copies of head gradients that have another dtype than their output, or lie where a step writes, which nodes that read them
// would see.
std::vector<ArrayRef> Executor::own_head_gradients(Span<Array* const> head_gradients) const {
  std::vector<ArrayRef> copies(head_gradients.size());
  for (size_t i = 0; i < copies.size(); ++i) {
    Array* const given = head_gradients[i];
    if (!given) continue;
    const auto lies_there = [&](const ArrayRef& array) { return &array->chunk() == &given->chunk(); };
    const bool changes = std::any_of(arrays_.updates.begin(), arrays_.updates.end(), [&](const auto& update) {
      return lies_there(arrays_.arguments[update.argument]) ||
             std::any_of(update.states.begin(), update.states.end(), lies_there);
    });
    const DType dtype = outputs_[i]->dtype();
    if (!changes && given->dtype() == dtype) continue;
    copies[i] = Array::empty(given->shape(), dtype, given->device());
    if (given->dtype() == dtype)
      given->push_copy_to(*copies[i], "copy_head_gradient");
    else
      copy_array(*given, *copies[i]);
  }
  return copies;
}

void Executor::take_updates(std::vector<ExecutorUpdate> updates) {
  Ref<const RunParams> params = params_of(updates);
  for (const ExecutorUpdate& update : updates) {
    arrays_.gradients[update.argument] = ArrayRef();
    arrays_.requests[update.argument] = GradientRequest::write;
  }
  std::swap(arrays_.updates, updates);
  std::swap(update_params_, params);
}

void Executor::set_updates(std::vector<ExecutorUpdate> updates) {
  watch_.refuse_inside("set_updates");
  if (steps_ && !updates.empty()) sparse::refuse_updates();
  if (steps_) return;
  check_updates(updates);
  same_steps(updates, arrays_.updates) ? take_updates(std::move(updates))
                                       : replan_updates(std::move(updates));
}

// All or nothing: what fails leaves the executor as it was.
void Executor::replan_updates(std::vector<ExecutorUpdate> updates) {
  std::vector<ArrayRef> gradients = arrays_.gradients;
  std::vector<GradientRequest> requests = arrays_.requests;
  for (const ExecutorUpdate& before : arrays_.updates) {
    const Array& argument = *arrays_.arguments[before.argument];
    const GradientRequest asked = requests_[before.argument];
    requests[before.argument] = asked;
    if (asked != GradientRequest::null)
      gradients[before.argument] = Array::zeros(argument.shape(), argument.dtype(), argument.device());
  }
  Ready plans[2][2];  // by watched, training
  struct Change {
    Executor& executor;
    std::vector<ArrayRef>& gradients;
    std::vector<GradientRequest>& requests;
    std::vector<ExecutorUpdate> updates = executor.arrays_.updates;
    Ref<const RunParams> params = executor.update_params_;
    Ready (&plans)[2][2];
    bool done = false;
    void swap() noexcept {
      std::swap(executor.arrays_.gradients, gradients);
      std::swap(executor.arrays_.requests, requests);
      for (int watched = 0; watched < 2; ++watched) {
        for (int training = 0; training < 2; ++training)
          std::swap(executor.ready_[watched][training][true], plans[watched][training]);
      }
    }
    ~Change() {
      if (done) return;
      swap();
      std::swap(executor.arrays_.updates, updates);
      std::swap(executor.update_params_, params);
    }
  };
  Change change{*this, gradients, requests, arrays_.updates, update_params_, plans};
  change.swap();
  take_updates(std::move(updates));
  ready(wants_gradients(), wants_gradients());
  state_ = State::idle;
  change.done = true;
}

void Executor::set_rates(Span<const double> lrs, Span<const double> wds) {
  const std::vector<ExecutorUpdate>& updates = arrays_.updates;
  if (lrs.size() != updates.size() || wds.size() != updates.size()) {
    fail(Status::invalid_argument, "[set_rates] ", lrs.size(), " learning rates and ", wds.size(),
         " weight decays; expected ", updates.size(), " of each, one per update");
  }
  const Ref<RunParams> params(new RunParams);
  params->by_slot.reserve(updates.size());
  for (size_t i = 0; i < updates.size(); ++i)
    params->by_slot.push_back(params_with(updates[i], lrs[i], wds[i]));
  update_params_ = Ref<const RunParams>(params.get());
}

}  // namespace mixgrad
