// Shapes and dtypes of all values from those known, forwards and backwards until nothing new follows.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

struct InferOptions {
  // Leave what does not follow unknown; otherwise that is an error naming the arguments to give.
  bool partial = false;
  // Arguments whose dtype does not follow are float32.
  bool default_float32 = true;
  // A 0 in the shape that a parameter gives (of zeros, ones, random numbers) is an extent not known, as in MXNet's symbols;
  // otherwise it is 0, as in calls on arrays.
  bool open_zeros = true;
  // Values that are float32 where nothing says otherwise: one after another, each with what follows from it.
  std::vector<ValueId> float32_if_open = {};
  // Shapes of values that follow from nothing else.
  std::vector<std::pair<ValueId, Shape>> shape_if_open = {};
};

// Contradictions throw Status::shape or Status::dtype with the operator's message, the node and the path that leads to it
// from the inputs. Time is linear in nodes: a node is asked again only when a value next to it became better known.
Graph infer(Graph graph, const InferOptions& options = {});
// The two halves, in place.
void infer_shapes(Graph& graph, bool partial, bool open_zeros = true);
void infer_dtypes(Graph& graph, const InferOptions& options);

// Names an argument or state of the graph, by number as in arguments, then auxiliaries: its value.
ValueId find_variable(const Graph& graph,
                      const std::string& name);  // throws Status::not_found naming near ones

}  // namespace mixgrad
