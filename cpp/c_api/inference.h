// What the files of the C header share about shapes and dtypes given by callers.
#pragma once

#include "c_api/symbol.h"
#include "graph/graph.h"

namespace mixgrad::c_api {

// Enters the arguments of mg_symbol_infer into the graph. Gives the values whose dtype is float32 if nothing else follows.
std::vector<ValueId> set_known(Graph& graph, int32_t count, const char* const* names, const int32_t* ndims,
                               const int64_t* const* shapes, const int32_t* dtypes);

}  // namespace mixgrad::c_api
