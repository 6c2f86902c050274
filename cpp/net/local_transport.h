// ZeroMQ between machines, and sockets with shared memory between processes of one machine (docs/transport.md).
#pragma once

#include <memory>

#include "net/zeromq.h"

namespace mixgrad::net {

// open_zeromq() which speaks to peers on its own machine, of the same user, by links of their own (local_link.h) as soon as each has
// shown the other, over ZeroMQ, that it is who it says. Where there can be none, or one ends, ZeroMQ carries what is sent. Messages that
// change from one to the other may overtake each other. `receive` is called by two threads, that of ZeroMQ's transport and that of the
// links, possibly at once.
std::unique_ptr<Transport> open_zeromq_with_links(const ZeroMqOptions& options, Receive receive);

}  // namespace mixgrad::net
