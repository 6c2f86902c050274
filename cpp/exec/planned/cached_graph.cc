#include "exec/planned/cached_graph.h"

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/planned/cached_plan.h"
#include "exec/tape/tape.h"
#include "exec/tape/trace.h"

namespace mixgrad {
namespace {

// Plans are for dense arrays and their gradients.
bool any_sparse(Span<Array* const> arrays) {
  for (const Array* array : arrays) {
    const Leaf* const leaf = as_leaf(array->link());
    if (array->sparse() || (leaf && leaf->gradient() && leaf->gradient()->sparse())) return true;
  }
  return false;
}

}  // namespace

CachedGraph::CachedGraph(const Symbol& symbol, CachedGraphOptions options)
    : options_{options.name, options.passes, options.recompute, options.open_zeros},
      inline_limit_(options.inline_limit),
      num_inputs_(options.inputs.size()),
      symbol_(symbol),
      graph_(flatten(symbol)) {
  Strings names = options.inputs;
  for (const auto& [name, array] : options.kept) {
    if (!array) fail(Status::invalid_argument, "[", options_.name, "] '", name, "' is kept without an array");
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    fail(Status::invalid_argument, "[", options_.name, "] '", *twice, "' is there twice");
  for (NodeId n : graph_.arguments) sources_.push_back(find_source(graph_.nodes[n].name, options));
  for (NodeId n : graph_.auxiliaries) sources_.push_back(find_source(graph_.nodes[n].name, options));
  for (const GraphNode& node : graph_.nodes) num_calls_ += node.is_call();
}

CachedGraph::~CachedGraph() = default;

CachedGraph::Source CachedGraph::find_source(const std::string& variable, const CachedGraphOptions& options) {
  for (size_t i = 0; i < options.inputs.size(); ++i) {
    if (options.inputs[i] == variable) return {i, {}};
  }
  for (const auto& [name, array] : options.kept) {
    if (name == variable) return {0, array};
  }
  fail(Status::invalid_argument, "[", options.name, "] the variable '", variable,
       "' has no array; expected it among the inputs or among what is kept");
}

void CachedGraph::call(Span<Array* const> inputs, Span<ArrayRef> outputs) {
  if (inputs.size() != num_inputs_ || outputs.size() != num_outputs()) {
    fail(Status::invalid_argument, "[", options_.name, "] got ", inputs.size(), " inputs and room for ",
         outputs.size(), " outputs; expected ", num_inputs_, " and ", num_outputs());
  }
  std::vector<Array*> variables;
  variables.reserve(sources_.size());
  for (const Source& source : sources_)
    variables.push_back(source.kept ? source.kept.get() : inputs[source.input]);
  if (Trace::active()) return call_operators(variables, outputs);
  if constexpr (kTraining) {
    if (num_calls_ <= inline_limit_ && mode().recording) return call_operators(variables, outputs);
    if (any_sparse(variables)) return call_operators(variables, outputs);
  }
  plan_for(variables)->call(variables, outputs);
}

Ref<CachedPlan> CachedGraph::find_plan(Span<Array* const> variables, Device device) {
  for (const Ref<CachedPlan>& plan : plans_) {
    if (!plan || !plan->serves(variables, device)) continue;
    plan->last_used.store(calls_.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
    return plan;
  }
  return {};
}

Ref<CachedPlan> CachedGraph::plan_for(Span<Array* const> variables) {
  const Device device = variables.empty() ? mode().device : variables[0]->device();
  {
    const std::lock_guard<ObjectMutex> lock(mutex_);
    if (Ref<CachedPlan> known = find_plan(variables, device)) return known;
  }
  Ref<CachedPlan> made(new CachedPlan(symbol_, variables, device, options_));
  Ref<CachedPlan> dropped;  // outside the lock
  const std::lock_guard<ObjectMutex> lock(mutex_);
  if (Ref<CachedPlan> known = find_plan(variables, device)) return known;  // of another thread
  Ref<CachedPlan>* place = plans_;
  for (Ref<CachedPlan>& plan : plans_) {
    if (*place && (!plan || plan->last_used.load(std::memory_order_relaxed) <
                                (*place)->last_used.load(std::memory_order_relaxed)))
      place = &plan;
  }
  made->last_used.store(calls_.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
  dropped = std::move(*place);
  *place = made;
  return made;
}

// One by one, as calls on arrays.
void CachedGraph::call_operators(Span<Array* const> variables, Span<ArrayRef> outputs) const {
  std::vector<ArrayRef> values(graph_.values.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    const size_t num_arguments = graph_.arguments.size();
    const NodeId n = i < num_arguments ? graph_.arguments[i] : graph_.auxiliaries[i - num_arguments];
    values[graph_.nodes[n].first_value] = ArrayRef(variables[i]);
  }
  std::vector<Array*> in;
  for (const GraphNode& node : graph_.nodes) {
    if (!node.is_call()) continue;
    in.clear();
    for (ValueId v : graph_.operands_of(node)) in.push_back(values[v].get());
    invoke(*node.op, ParamsRef(node.params), in, {values.data() + node.first_value, node.num_values});
  }
  static const Op& copy = find_op("_copy");
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ValueId v = graph_.heads[i];
    outputs[i] = values[v];
    if (graph_.nodes[graph_.values[v].node].is_call()) continue;
    Array* const from[] = {values[v].get()};
    outputs[i] = ArrayRef();
    invoke(copy, copy.defaults, from, Span<ArrayRef>(&outputs[i], 1));
  }
}

}  // namespace mixgrad
