#include "exec/predictor.h"

#include "array/weights.h"
#include "base/error.h"
#include "graph/nearest.h"
#include "graph/passes/infer.h"

namespace mixgrad {
namespace {

GraphValue& variable_value(Graph& graph, NodeId variable) {
  return graph.values[graph.nodes[variable].first_value];
}

// The array of a variable whose shape and dtype are known: the parameter given, or zeros.
ArrayRef array_for(Graph& graph, NodeId variable, const ArrayRef& given, Device device) {
  const GraphValue& value = variable_value(graph, variable);
  if (!given) return Array::zeros(value.shape, value.dtype, device);
  if (given->shape() != value.shape) {
    fail(Status::shape, "[predict] parameter '", graph.nodes[variable].name, "' is ", given->shape(),
         "; the network and its inputs ask for ", value.shape);
  }
  return given;
}

}  // namespace

ArrayRef ParameterMap::find(const std::string& name) const {
  const uint32_t number = names_.find(name);
  return number == NameTable::kMissing ? ArrayRef() : arrays_[number];
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

Predictor::Predictor(const Symbol& symbol, ParameterMap parameters, const NamedShapes& inputs,
                     const NamedDTypes& dtypes, Device device)
    : parameters_(std::move(parameters)) {
  Graph graph = flatten(symbol);
  std::vector<NodeId> variables = graph.arguments;
  variables.insert(variables.end(), graph.auxiliaries.begin(), graph.auxiliaries.end());
  // Per variable its parameter, null where there is none. Shapes come from the inputs where they can, so that a parameter
  // that does not fit is named below. Half precision may only be how a file holds a weight; what the network computes in
  // says the rest of it.
  std::vector<ArrayRef> given;
  for (NodeId n : variables) {
    const std::string name = graph.nodes[n].name;
    bool is_input = false;
    for (const auto& input : inputs) is_input |= input.first == name;
    given.push_back(is_input ? ArrayRef() : parameters_.find(name));
    if (given.back() && given.back()->dtype() != DType::float16)
      variable_value(graph, n).dtype = given.back()->dtype();
    if (given.size() <= graph.arguments.size()) arguments_.push_back(name);
  }
  for (const auto& [name, shape] : inputs) graph.set_shape(find_variable(graph, name), shape);
  for (const auto& [name, dtype] : dtypes) graph.values[find_variable(graph, name)].dtype = dtype;
  infer_shapes(graph, true);
  for (size_t i = 0; i < variables.size(); ++i) {
    if (given[i] && !variable_value(graph, variables[i]).shape.known())
      graph.set_shape(graph.nodes[variables[i]].first_value, given[i]->shape());
  }
  graph = infer(std::move(graph));
  ExecutorArrays arrays;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (given[i] && given[i]->dtype() == DType::float16 &&
        variable_value(graph, variables[i]).dtype == DType::float32) {
      given[i] = expand_half(given[i]);
      given[i]->chunk().allow_rounding();
      parameters_.set(graph.nodes[variables[i]].name, given[i]);
    }
    (i < graph.arguments.size() ? arrays.arguments : arrays.auxiliaries)
        .push_back(array_for(graph, variables[i], given[i], device));
  }
  executor_ = std::make_unique<Executor>(symbol, device, std::move(arrays));
}

Predictor::~Predictor() = default;

std::unique_ptr<Predictor> Predictor::reshape(const NamedShapes& inputs) const {
  NamedDTypes dtypes;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (!parameters_.find(arguments_[i]))
      dtypes.emplace_back(arguments_[i], executor_->arrays().arguments[i]->dtype());
  }
  return std::make_unique<Predictor>(executor_->symbol(), parameters_, inputs, dtypes, executor_->device());
}

Array& Predictor::argument(const std::string& name) const {
  size_t i = 0;
  while (i < arguments_.size() && arguments_[i] != name) ++i;
  if (i == arguments_.size())
    fail(Status::not_found, "[predict] the network has no input '", name, "'",
         nearest_names(name, arguments_));
  return *executor_->arrays().arguments[i];
}

}  // namespace mixgrad
