// Time for memory: forward values that the backward part computes again instead of keeping them.
#pragma once

#include <string>

#include "graph/graph.h"

namespace mixgrad {

struct RecomputeOptions {
  enum class Goal {
    off,
    cheap,   // what costs little beside convolutions and products: normalisation, activations, pooling
    least,   // as little memory as segments of about sqrt(n) nodes reach
    budget,  // as little extra time as keeps the plan within `bytes`
  } goal = Goal::off;
  int64_t bytes = 0;
};

// "off", "cheap", "least", or a budget such as "500MB", "2GB" or a number of bytes; anything else throws
// Status::invalid_argument.
RecomputeOptions recompute_options(const std::string& setting);
// The setting that gives these options; a budget in bytes.
std::string recompute_setting(const RecomputeOptions& options);
// What graphs are planned with unless told otherwise: MIXGRAD_RECOMPUTE, else "cheap" when MXNET_BACKWARD_DO_MIRROR is 1,
// else off, as these were at the first call.
RecomputeOptions default_recompute();

// Nodes with the attribute __force_mirroring__ are computed again whatever the goal; where there are nodes with __mirror_stage__,
// only these end segments. What writes states, but for batch normalisation, and what makes heads is always kept. Clones of batch
// normalisation use the statistics found before; random nodes draw the same numbers again. Comes last of the passes that
// change what runs: merging common calls would undo it.
Graph recompute(Graph graph, const RecomputeOptions& options);

}  // namespace mixgrad
