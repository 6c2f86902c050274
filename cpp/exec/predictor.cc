#include "exec/predictor.h"

#include "array/weights.h"
#include "base/error.h"
#include "graph/nearest.h"
#include "graph/passes/infer.h"

namespace mixgrad {
namespace {

std::string variable_name(const Graph& graph, NodeId variable) { return graph.nodes[variable].name; }

GraphValue& variable_value(Graph& graph, NodeId variable) {
  return graph.values[graph.nodes[variable].first_value];
}

// The array of a variable whose shape and dtype are known: the parameter of that name, or zeros.
ArrayRef array_for(const Graph& graph, NodeId variable, const ParameterMap& parameters, Device device) {
  const GraphValue& value = graph.values[graph.nodes[variable].first_value];
  const auto given = parameters.find(variable_name(graph, variable));
  if (given == parameters.end()) return Array::zeros(value.shape, value.dtype, device);
  if (given->second->shape() != value.shape) {
    fail(Status::shape, "[predict] parameter '", given->first, "' is ", given->second->shape(),
         "; the network and its inputs ask for ", value.shape);
  }
  return given->second;
}

}  // namespace

ParameterMap parameters_of(NamedArrays file) {
  if (file.names.size() != file.arrays.size())
    fail(Status::format, "[predict] ", file.arrays.size(), " parameters without names");
  ParameterMap plain, prefixed;
  for (size_t i = 0; i < file.names.size(); ++i) {
    const std::string& name = file.names[i];
    if (!file.arrays[i]) continue;
    if (name.rfind("arg:", 0) == 0 || name.rfind("aux:", 0) == 0)
      prefixed[name.substr(4)] = file.arrays[i];
    else
      plain[name] = file.arrays[i];
  }
  return prefixed.empty() ? plain : prefixed;
}

Predictor::Predictor(const Symbol& symbol, ParameterMap parameters, const NamedShapes& inputs,
                     const NamedDTypes& dtypes, Device device)
    : parameters_(std::move(parameters)) {
  Graph graph = flatten(symbol);
  ParameterMap used = parameters_;
  for (const auto& [name, shape] : inputs) used.erase(name);
  for (const auto* variables : {&graph.arguments, &graph.auxiliaries}) {
    for (NodeId n : *variables) {
      const auto given = used.find(variable_name(graph, n));
      if (given == used.end()) continue;
      // Shapes come from the inputs where they can, so that a parameter that does not fit is named below. Half precision
      // may only be how a file holds a weight; what the network computes in says the rest of it.
      if (given->second->dtype() != DType::float16) variable_value(graph, n).dtype = given->second->dtype();
    }
  }
  for (const auto& [name, shape] : inputs) graph.set_shape(find_variable(graph, name), shape);
  for (const auto& [name, dtype] : dtypes) graph.values[find_variable(graph, name)].dtype = dtype;
  infer_shapes(graph, true);
  for (const auto* variables : {&graph.arguments, &graph.auxiliaries}) {
    for (NodeId n : *variables) {
      const auto given = used.find(variable_name(graph, n));
      if (given != used.end() && !variable_value(graph, n).shape.known())
        graph.set_shape(graph.nodes[n].first_value, given->second->shape());
    }
  }
  graph = infer(std::move(graph));
  for (const auto* variables : {&graph.arguments, &graph.auxiliaries}) {
    for (NodeId n : *variables) {
      const auto given = used.find(variable_name(graph, n));
      if (given == used.end() || given->second->dtype() != DType::float16 ||
          variable_value(graph, n).dtype != DType::float32) {
        continue;
      }
      given->second = expand_half(given->second);
      given->second->chunk().allow_rounding();
      parameters_[given->first] = given->second;
    }
  }
  ExecutorArrays arrays;
  for (NodeId n : graph.arguments) {
    places_.emplace(variable_name(graph, n), arrays.arguments.size());
    arrays.arguments.push_back(array_for(graph, n, used, device));
  }
  for (NodeId n : graph.auxiliaries) arrays.auxiliaries.push_back(array_for(graph, n, used, device));
  executor_ = std::make_unique<Executor>(symbol, device, std::move(arrays));
}

Predictor::~Predictor() = default;

std::unique_ptr<Predictor> Predictor::reshape(const NamedShapes& inputs) const {
  NamedDTypes dtypes;
  for (const auto& [name, place] : places_) {
    if (!parameters_.count(name)) dtypes.emplace_back(name, executor_->arrays().arguments[place]->dtype());
  }
  return std::make_unique<Predictor>(executor_->symbol(), parameters_, inputs, dtypes, executor_->device());
}

Array& Predictor::argument(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) {
    Strings names;
    for (const auto& place : places_) names.push_back(place.first);
    fail(Status::not_found, "[predict] the network has no input '", name, "'", nearest_names(name, names));
  }
  return *executor_->arrays().arguments[found->second];
}

}  // namespace mixgrad
