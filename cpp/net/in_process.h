// Nodes of one process, for tests of what stands above: messages go from memory to memory.
#pragma once

#include <memory>

#include "net/transport.h"

namespace mixgrad::net {

// Through which nodes find each other. Ends with the last transport that was opened in it, and its owner.
class InProcessNetwork;
std::shared_ptr<InProcessNetwork> make_in_process_network();

// A node with a thread of its own, which calls `receive`. Payloads are shared, never copied. Addresses are not looked at; keys
// are not used. Messages to a node that is not there are unsent. Throws Status::invalid_argument for a name that is taken.
std::unique_ptr<Transport> open_in_process(std::shared_ptr<InProcessNetwork> network, const NodeName& name,
                                           Receive receive);

}  // namespace mixgrad::net
