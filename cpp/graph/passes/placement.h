// On which device each node runs, and the copies between devices.
#pragma once

#include <string>
#include <utility>

#include "graph/graph.h"

namespace mixgrad {

// Devices by value of the attribute ctx_group.
using DeviceGroups = std::vector<std::pair<std::string, Device>>;

// Gives every node its group's device. A node without a group takes that of its first placed input, then, going back, that
// of a user; what is left gets `device`.
void place(Graph& graph, Device device, const DeviceGroups& groups);

// The graph with a copy wherever a node reads a value of another device, one per value and device, and with gradients on
// the devices given per argument. States that lie on another device than the operator that writes them are an error.
Graph insert_copies(const Graph& graph, const std::vector<Device>& gradient_devices);

// Throws if a value that the node writes lies on another device than the node runs on.
void check_state_device(const Graph& graph, const GraphNode& node, ValueId state);

}  // namespace mixgrad
