// The passes that simplify a graph without changing what it computes, their switches, and the order they run in.
#pragma once

#include <functional>
#include <initializer_list>

#include "graph/graph.h"

namespace mixgrad {

using PassWatcher = std::function<void(const char* pass, const Graph& graph)>;

struct PassOptions {
  bool prune = true;
  bool common = true;
  bool fold = true;
  bool fuse = true;
  bool layout = true;
  bool chain = true;
  bool pointwise = true;
  // Values above this many bytes are computed in every run rather than kept.
  int64_t constant_bytes = 65536;
  // Called after each pass that ran; may be null.
  const PassWatcher* watch = nullptr;

  // Whether both make the same of a graph.
  bool operator==(const PassOptions& o) const {
    return prune == o.prune && common == o.common && fold == o.fold && fuse == o.fuse && layout == o.layout &&
           chain == o.chain && pointwise == o.pointwise && constant_bytes == o.constant_bytes;
  }
};

// A change of switches, read from left to right: "all", "none", "-fold", "+common", names of passes alone; separated by
// commas. Unknown names throw Status::invalid_argument.
PassOptions with_switches(PassOptions options, const std::string& switches);
// What graphs are built with unless told otherwise: the environment variable MIXGRAD_PASSES, as it was at the first call.
PassOptions default_pass_options();
// "prune,common,fold": those on.
std::string pass_names(const PassOptions& options);

// Leaves out nodes that no head, gradient or change of state depends on. Arguments and states stay.
Graph prune(Graph graph);
// Computes once what is computed twice: calls of one operator on the same values with equal parameters. Not merged: calls
// that are random, write in place or read what others write, and gradients of arguments, which are values of their own.
Graph merge_common(Graph graph, int64_t constant_bytes);
// Replaces calls without variable inputs by their result, and calls that change nothing by their input.
Graph fold_constants(Graph graph, int64_t constant_bytes);

// FullyConnected with its activation becomes one call, and in predictions Convolution with the BatchNorm, addition and
// activation behind it, where nothing else uses what lies between: neither does the gradient.
Graph fuse(Graph graph);
// Keeps images between fused convolutions in blocks of 16 channels.
Graph choose_layouts(Graph graph);
// In predictions: an expanding convolution, a depthwise one and a 1x1 one in blocks become one call, which keeps the
// expanded images in cache.
Graph chain_convolutions(Graph graph);
// In graphs with a backward part: keeps images and their gradients in blocks of 16 channels between convolutions, through
// BatchNorm, pooling and what works element by element, and makes BatchNorm and the relu or clip behind it one call.
Graph block_images(Graph graph);

// Whether some node calls one of these: passes that look for them leave other graphs as they are.
bool any_call_of(const Graph& graph, std::initializer_list<const char*> operators);

// Neighbouring pointwise calls become one, which runs them tile by tile: see launch/pointwise_group.h. Not among those of
// simplify: it comes after recompute, which chooses among single calls.
Graph fuse_pointwise(const Graph& graph);

// The passes that some builds leave out with their files. Each registers itself; one that did not changes nothing.
enum class Pass { common, fold, chain, pointwise };
using PassFn = Graph (*)(Graph graph, const PassOptions& options);
bool register_pass(Pass pass, PassFn run);
Graph run_pass(Pass pass, Graph graph, const PassOptions& options);

// All of these that are switched on, in order, but for the last. Shapes and dtypes are known before and after.
Graph simplify(Graph graph, const PassOptions& options);

}  // namespace mixgrad
