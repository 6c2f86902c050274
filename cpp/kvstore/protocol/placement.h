// Which servers should hold a slot: those with the highest weights for it (rendezvous hashing), so that a server that comes or goes
// moves no more slots than it must.
#pragma once

#include <set>
#include <vector>

#include "kvstore/protocol/view.h"

namespace mixgrad::kvstore::protocol {

// Servers by weight for this slot, the heaviest first, at most `most`.
std::vector<uint32_t> heaviest(uint32_t slot, const std::set<uint32_t>& servers, size_t most);

// The next placement of a slot, from the present one. `holding`: servers whose state of this view is still there; `live`: servers
// that the scheduler hears of. A server is only given up while another one holds the slot; the last one is waited for, for ever.
Placement next_placement(uint32_t slot, const Placement& now, const std::set<uint32_t>& holding,
                         const std::set<uint32_t>& live, size_t replicas);

}  // namespace mixgrad::kvstore::protocol
