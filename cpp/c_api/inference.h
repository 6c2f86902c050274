// What the files of the C header share about shapes and dtypes given by callers.
#pragma once

#include "c_api/symbol.h"
#include "graph/graph.h"

struct mg_inference {
  mixgrad::Symbol symbol;
  mixgrad::Graph graph;
  bool has_shapes = false, has_dtypes = false;
  bool bound = false;  // the graph is an executor's now
};

namespace mixgrad::c_api {

// Throws Status::invalid_argument for NULL and where the graph was given away.
const mg_inference& inference_of(const mg_inference* inference, const char* function);

// Enters the arguments of mg_symbol_infer into the graph. Gives the values whose dtype is float32 if nothing else follows.
// Names that are no variable's are refused unless `any_names`.
std::vector<ValueId> set_known(Graph& graph, const char* function, int32_t count, const char* const* names,
                               const int32_t* ndims, const int64_t* const* shapes, const int32_t* dtypes,
                               bool any_names = false);

}  // namespace mixgrad::c_api
