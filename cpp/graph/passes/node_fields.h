// Parameters of calls, read and changed by name: how passes look into operators.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

// A parameter of a call; Status::internal (in compact builds the end) when its operator has none of that name. 0, "None"
// and () where it is None.
double number_of(const GraphNode& call, const char* field);
int64_t integer_of(const GraphNode& call, const char* field);
std::string choice_of(const GraphNode& call, const char* field);
Shape tuple_of(const GraphNode& call, const char* field);

// Parameters of `op`: `changes`, then what fields of the same name hold in `call`, then defaults.
ParamsRef params_like(const Op& op, const GraphNode& call, Span<const NamedValue> changes);

}  // namespace mixgrad
