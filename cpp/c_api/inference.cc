// What follows for the shapes and dtypes of a symbol from those of some variables.
#include <unordered_map>

#include "c_api/inference.h"
#include "graph/passes/infer.h"

namespace api = mixgrad::c_api;
using mixgrad::DType;
using mixgrad::Graph;
using mixgrad::NodeId;
using mixgrad::Shape;
using mixgrad::Status;
using mixgrad::ValueId;

namespace {

Shape partial_shape(const int64_t* extents, int32_t ndim, const char* name, const char* function) {
  if (ndim < 0) return Shape::unknown();
  if (ndim > 0) api::require(extents, function, "a shape");
  const Shape shape(extents, ndim);
  for (int64_t extent : shape) {
    if (extent < -1)
      mixgrad::fail(Status::shape, "[infer] '", name, "' is given shape ", shape, " with extent ", extent);
  }
  if (shape.known()) mixgrad::check_extents(shape, sizeof(double), "infer");
  return shape;
}

// What the caller says of a variable, with extents it leaves open taken from the variable's own declaration.
Shape merged_shape(Shape given, const Shape& declared) {
  if (!given.known_rank()) return declared;
  for (int i = 0; given.ndim() == declared.ndim() && i < given.ndim(); ++i) {
    if (given[i] < 0) given[i] = declared[i];
  }
  return given;
}

constexpr int32_t kFloat32IfOpen = -2;  // of a dtype

}  // namespace

namespace mixgrad::c_api {

std::vector<ValueId> set_known(Graph& graph, const char* function, int32_t count, const char* const* names,
                               const int32_t* ndims, const int64_t* const* shapes, const int32_t* dtypes,
                               bool any_names) {
  std::unordered_multimap<std::string, ValueId> places;
  for (const auto* list : {&graph.arguments, &graph.auxiliaries}) {
    for (NodeId id : *list) places.emplace(graph.nodes[id].name, graph.nodes[id].first_value);
  }
  std::vector<ValueId> supposed;
  for (int32_t i = 0; i < count; ++i) {
    require(names[i], function, "a name");
    const auto range = places.equal_range(names[i]);
    if (range.first == range.second && !any_names) find_variable(graph, names[i]);  // throws
    for (auto place = range.first; place != range.second; ++place) {
      GraphValue& value = graph.values[place->second];
      if (shapes && ndims)
        graph.set_shape(place->second,
                        merged_shape(partial_shape(shapes[i], ndims[i], names[i], function), value.shape));
      if (dtypes && dtypes[i] >= 0) value.dtype = dtype_from(dtypes[i], function);
      if (dtypes && dtypes[i] == kFloat32IfOpen) supposed.push_back(place->second);
    }
  }
  return supposed;
}

const mg_inference& inference_of(const mg_inference* inference, const char* function) {
  require(inference, function, "inference");
  if (inference->bound)
    fail(Status::invalid_argument, "[", function, "] the inference was bound: its graph is the executor's");
  return *inference;
}

}  // namespace mixgrad::c_api

namespace {

const Graph& inferred_graph(const mg_inference* inference, int32_t part, const char* function) {
  const Graph& graph = api::inference_of(inference, function).graph;
  if (part < MG_PART_ARGUMENTS || part > MG_PART_AUXILIARY_STATES)
    mixgrad::fail(Status::invalid_argument, "[", function, "] part ", part, "; expected 0 to 2");
  return graph;
}

const mixgrad::GraphValue& inferred(const mg_inference* inference, int32_t part, int32_t index,
                                    const char* function) {
  const Graph& graph = inferred_graph(inference, part, function);
  const bool outputs = part == MG_PART_OUTPUTS;
  const api::vector<NodeId>& variables = part == MG_PART_ARGUMENTS ? graph.arguments : graph.auxiliaries;
  const size_t count = outputs ? graph.heads.size() : variables.size(), at = static_cast<size_t>(index);
  if (index < 0 || at >= count) mixgrad::fail(Status::index, "[", function, "] ", index, " of ", count);
  return graph.values[outputs ? graph.heads[at] : graph.nodes[variables[at]].first_value];
}

// `for_arrays`: dtypes that do not follow are float32, and names may be any.
mg_status infer_symbol(const mg_symbol* symbol, int32_t num_known, const char* const* names,
                       const int32_t* ndims, const int64_t* const* shapes, const int32_t* dtypes,
                       bool for_arrays, mg_inference** out, const char* function) {
  return api::guard([&] {
    api::require(out, function, "out");
    api::check_list(num_known, names, function, "names");
    auto inference = api::make_unique<mg_inference>();
    inference->symbol = api::symbol_of(symbol, function);
    Graph& graph = inference->graph;
    graph = mixgrad::flatten(inference->symbol);
    mixgrad::InferOptions options{true, for_arrays};
    options.float32_if_open =
        api::set_known(graph, function, num_known, names, ndims, shapes, dtypes, for_arrays);
    mixgrad::infer_shapes(graph, true);
    mixgrad::infer_dtypes(graph, options);
    inference->has_shapes = inference->has_dtypes = true;
    for (const mixgrad::GraphValue& value : graph.values) {
      inference->has_shapes &= value.shape.known();
      inference->has_dtypes &= value.dtype != DType::unknown;
    }
    *out = inference.release();
  });
}

}  // namespace

extern "C" {

mg_status mg_symbol_infer(const mg_symbol* symbol, int32_t num_known, const char* const* names,
                          const int32_t* ndims, const int64_t* const* shapes, const int32_t* dtypes,
                          mg_inference** out) {
  return infer_symbol(symbol, num_known, names, ndims, shapes, dtypes, false, out, "mg_symbol_infer");
}

mg_status mg_symbol_infer_arrays(const mg_symbol* symbol, int32_t num_known, const char* const* names,
                                 const int32_t* ndims, const int64_t* const* shapes, const int32_t* dtypes,
                                 mg_inference** out) {
  return infer_symbol(symbol, num_known, names, ndims, shapes, dtypes, true, out, "mg_symbol_infer_arrays");
}

mg_status mg_inference_list(const mg_inference* inference, int32_t part, mg_string_list** out) {
  return api::guard([&] {
    api::require(out, "mg_inference_list", "out");
    const Graph& graph = inferred_graph(inference, part, "mg_inference_list");
    auto list = api::make_unique<mg_string_list>();
    if (part == MG_PART_OUTPUTS) {
      list->items = inference->symbol.list_outputs();
    } else {
      for (const NodeId n : part == MG_PART_ARGUMENTS ? graph.arguments : graph.auxiliaries)
        list->items.push_back(graph.nodes[n].name.str());
    }
    *out = list.release();
  });
}

mg_status mg_inference_get_shape(const mg_inference* inference, int32_t part, int32_t index, int32_t* ndim,
                                 const int64_t** extents) {
  return api::guard([&] {
    api::require(ndim, "mg_inference_get_shape", "ndim");
    api::require(extents, "mg_inference_get_shape", "extents");
    const Shape& shape = inferred(inference, part, index, "mg_inference_get_shape").shape;
    *ndim = shape.ndim();
    *extents = shape.data();
  });
}

mg_status mg_inference_get_dtype(const mg_inference* inference, int32_t part, int32_t index, int32_t* dtype) {
  return api::guard([&] {
    api::require(dtype, "mg_inference_get_dtype", "dtype");
    *dtype = static_cast<int32_t>(inferred(inference, part, index, "mg_inference_get_dtype").dtype);
  });
}

int32_t mg_inference_has_shapes(const mg_inference* inference) { return inference && inference->has_shapes; }

int32_t mg_inference_has_dtypes(const mg_inference* inference) { return inference && inference->has_dtypes; }

void mg_inference_destroy(mg_inference* inference) { delete inference; }

}  // extern "C"
