// The backward part of a graph: gradients of its heads with regard to its arguments.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

// What becomes of a variable's gradient; numbers of mg_grad_req.
enum class GradientRequest : uint8_t { null = 0, write = 1, add = 3 };

struct GradientOptions {
  // Per argument of the graph; empty: write for all.
  std::vector<GradientRequest> requests;
};

// The graph with a backward part behind its nodes. Shapes and dtypes must all be known. Semantics are those of the tape:
//  - every head has a gradient, in a new variable of role head_gradient; operators that give a loss ignore it, and a
//    variable that nothing reads is left out (head_gradients says kNone);
//  - an operator's fused backward is taken where it has one, else its composed gradient;
//  - where several gradients meet they are added one after another in the order they are computed, so one buffer is enough;
//  - an argument that no gradient reaches gets zeros; one of request add gets the sum with what its array held.
// Operators without a gradient that lie on the way throw Status::autograd naming node and path.
Graph gradient(const Graph& forward, const GradientOptions& options = {});

}  // namespace mixgrad
