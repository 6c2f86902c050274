#include "exec/planned/predictor.h"

#include "base/error.h"
#include "files/weights.h"
#include "graph/passes/infer.h"

namespace mixgrad {
namespace {

// Arguments, then auxiliary states.
std::vector<NodeId> all_variables(const Graph& graph) {
  std::vector<NodeId> variables = graph.arguments;
  variables.insert(variables.end(), graph.auxiliaries.begin(), graph.auxiliaries.end());
  return variables;
}

GraphValue& variable_value(Graph& graph, NodeId variable) {
  return graph.values[graph.nodes[variable].first_value];
}

}  // namespace

Array* ParameterMap::find(const std::string& name) const {
  const uint32_t number = names_.find(name);
  return number == NameTable::kMissing ? nullptr : arrays_[number].get();
}

void ParameterMap::set(const std::string& name, ArrayRef array) {
  const uint32_t number = names_.add(name);
  arrays_.resize(names_.size());
  arrays_[number] = std::move(array);
}

ParameterMap parameters_of(NamedArrays file) {
  if (file.names.size() != file.arrays.size())
    fail(Status::format, "[predict] ", file.arrays.size(), " parameters without names");
  ParameterMap plain, prefixed;
  for (size_t i = 0; i < file.names.size(); ++i) {
    const std::string& name = file.names[i];
    if (!file.arrays[i]) continue;
    if (name.rfind("arg:", 0) == 0 || name.rfind("aux:", 0) == 0)
      prefixed.set(name.substr(4), file.arrays[i]);
    else
      plain.set(name, file.arrays[i]);
  }
  return prefixed.arrays().empty() ? plain : prefixed;
}

Predictor::Predictor(const Ref<Network>& network, const NamedShapes& inputs, const NamedDTypes& dtypes)
    : device_(network->device) {
  Graph graph = flatten(network->symbol, FlattenOptions());
  std::vector<bool> is_input(graph.nodes.size(), false);
  for (const auto& [name, shape] : inputs) {
    const ValueId v = find_variable(graph, name);
    is_input[graph.values[v].node] = true;
    graph.set_shape(v, shape);
  }
  // Shapes come from the inputs where they can, so that a parameter that does not fit is named below. Half precision may
  // only be how a file holds a weight; what the network computes in says the rest of it.
  const std::vector<NodeId> variables = all_variables(graph);
  InferOptions inferring;
  for (NodeId n : variables) {
    Array* const given = is_input[n] ? nullptr : network->parameters.find(graph.nodes[n].name);
    variables_.push_back(given);
    if (given) inferring.shape_if_open.emplace_back(graph.nodes[n].first_value, given->shape());
    if (given && given->dtype() != DType::float16) variable_value(graph, n).dtype = given->dtype();
  }
  for (const auto& [name, dtype] : dtypes) graph.values[find_variable(graph, name)].dtype = dtype;
  graph = infer(std::move(graph), inferring);
  for (GraphNode& node : graph.nodes) node.device = device_;
  for (size_t i = 0; i < variables.size(); ++i) {
    const Array* const array = variables_[i];
    const GraphNode& node = graph.nodes[variables[i]];
    const GraphValue& value = graph.values[node.first_value];
    if (!array) continue;
    if (array->shape() != value.shape) {
      fail(Status::shape, "[predict] parameter '", node.name, "' is ", array->shape(),
           "; the network and its inputs ask for ", value.shape);
    }
    if (array->dtype() == DType::float16 && value.dtype == DType::float32) {
      widened_.push_back(i);
    } else if (array->dtype() != value.dtype) {
      fail(Status::dtype, "[predict] parameter '", node.name, "' is ", name_of(array->dtype()),
           "; the network and its inputs ask for ", name_of(value.dtype));
    }
  }
  for (size_t i = 0; i < variables.size(); ++i) {
    if (variables_[i]) continue;
    const GraphValue& value = variable_value(graph, variables[i]);
    variables_[i] = own_.emplace_back(Array::zeros(value.shape, value.dtype, device_)).get();
    const Array* const given = network->parameters.find(graph.nodes[variables[i]].name);
    if (given && given->shape() == value.shape && given->dtype() == value.dtype)
      variables_[i]->copy_from_host(given->host_data());
  }
  for (size_t i : widened_) {
    variables_[i] = own_.emplace_back(expand_half(ArrayRef(variables_[i]))).get();
    variables_[i]->chunk().allow_rounding();
  }
  graph_ = std::move(graph);
  plan(false);
  network_ = network;
}

void Predictor::share_widened() {
  const std::vector<NodeId> variables = all_variables(graph_);
  for (size_t i : widened_)
    network_->parameters.set(graph_.nodes[variables[i]].name, ArrayRef(variables_[i]));
}

std::unique_ptr<Predictor> Predictor::reshape(const NamedShapes& inputs) const {
  const Graph& graph = run_.program->graph();
  NamedDTypes dtypes;
  for (size_t i = 0; i < graph.arguments.size(); ++i) {
    const std::string name = graph.nodes[graph.arguments[i]].name;
    if (!network_->parameters.find(name)) dtypes.emplace_back(name, variables_[i]->dtype());
  }
  return std::make_unique<Predictor>(network_, inputs, dtypes);
}

Array& Predictor::variable(const std::string& name) const {
  const Graph& graph = run_.program->graph();
  const std::vector<NodeId> variables = all_variables(graph);
  const NodeId found = graph.values[find_variable(graph, name)].node;
  size_t i = 0;
  while (variables[i] != found) ++i;
  return *variables_[i];
}

void Predictor::plan(bool watched) {
  PlanOptions options;
  options.watched = watched;
  options.passes = passes_;
  const Ref<Program> made(new Program(plan_graph(graph_, options)));
  const Program& program = *made;
  std::vector<Array*> arrays(program.slot_values().size(), nullptr);
  const std::vector<NodeId> variables = all_variables(program.graph());
  for (size_t i = 0; i < variables.size(); ++i)
    arrays[program.slot_of(program.graph().nodes[variables[i]].first_value)] = variables_[i];
  // Heads of one value have one array.
  std::vector<Array*> outputs;
  std::vector<ArrayRef> made_now;
  for (size_t i = 0; i < program.graph().heads.size(); ++i) {
    const ValueId v = program.graph().heads[i];
    const GraphValue& value = program.graph().values[v];
    Array*& array = arrays[program.slot_of(v)];
    if (!array && i < outputs_.size()) array = outputs_[i].get();
    if (!array) array = made_now.emplace_back(Array::empty(value.shape, value.dtype, device_)).get();
    outputs.push_back(array);
  }
  std::vector<Ref<Arena>> arenas;
  for (const MemoryPlan::Arena& planned : program.plan().arenas) {
    arenas.push_back(Arena::make(planned.device));
    arenas.back()->want(planned.bytes);
  }
  for (size_t i = outputs_.size(); i < outputs.size(); ++i) outputs_.emplace_back(outputs[i]);
  run_.bindings = bind_arrays(arrays, std::move(arenas));
  run_.program = made;
  next_step_ = 0;
}

void Predictor::expect_outputs() const {
  if (unfinished_ && !watch_.is_running())
    fail(Status::invalid_argument,
         "[predict] there was no run, or the last one failed or has steps left; expected outputs after a "
         "whole run");
}

void Predictor::begin() { run_.streams = next_streams(run_.program->graph(), device_); }

void Predictor::forward() {
  watch_.refuse_inside("predict");
  begin();
  next_step_ = 0;
  unfinished_ = true;
  watch_.push(run_);
  unfinished_ = false;
}

size_t Predictor::forward_step(size_t step) {
  watch_.refuse_inside("predict");
  const size_t steps = run_.program->num_forward_steps();
  const size_t from = step == 0 || step < steps ? step : next_step_;
  if (from > 0 && from >= steps) return 0;
  if (from == 0) {
    begin();
  } else if (from != next_step_) {
    fail(Status::invalid_argument, "[forward] step is ", step, "; expected the next one, ", next_step_);
  }
  next_step_ = 0;
  unfinished_ = true;
  const size_t to = step < steps ? step + 1 : steps;
  watch_.push(run_, from, to);
  next_step_ = to;
  unfinished_ = to < steps;
  return steps - to;
}

void Predictor::watch(ValueWatcher watcher, bool inputs) {
  watch_.refuse_inside("predict");
  const bool watched = static_cast<bool>(watcher);
  if (watched != watch_.is_set()) plan(watched);
  watch_.set(std::move(watcher), inputs);
}

}  // namespace mixgrad
