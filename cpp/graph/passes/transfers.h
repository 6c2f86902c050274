// Values that one worker of a graph over several processes makes and another one reads.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace mixgrad {

// Whose graph it is: nodes of this worker lie on its own devices, those of the others on Device::worker(rank).
struct Workers {
  int32_t own = 0, count = 1;

  int32_t of(Device device) const { return device.is_here() ? own : device.id; }
  Device device_of(int32_t rank, Device here) const { return rank == own ? here : Device::worker(rank); }
};

// The graph with a copy (_copyto, GraphNode::transfer) wherever a node reads a value of another worker, one per value and reader, and
// with every head on every worker. All workers make the same copies of the same graph, numbered alike within the forward and the backward
// part, if its nodes are placed alike: to be done before passes that look at devices, so that what crosses does not depend on what a
// worker makes of its own part. Throws Status::invalid_argument where a node writes another worker's state.
Graph insert_transfers(const Graph& graph, const Workers& workers);

}  // namespace mixgrad
