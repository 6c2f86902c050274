// Which servers should hold a slot: those with the highest weights for it (rendezvous hashing), so that a server that comes or goes
// moves no more slots than it must.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "kvstore/protocol/view.h"

namespace mixgrad::kvstore::protocol {

// Servers by weight for this slot, the heaviest first, at most `most`.
std::vector<uint32_t> heaviest(uint32_t slot, const std::set<uint32_t>& servers, size_t most);

// What a scheduler knows of servers.
struct ServerHealth {
  std::set<uint32_t> holding;              // the state that they had in the present view is still there
  std::set<uint32_t> live;                 // heard within the time after which a node counts as dead
  std::map<uint32_t, int64_t> heard;       // when, of those that live
  std::map<uint32_t, int64_t> dead_since;  // when the others began to count as dead
  std::set<uint32_t> following;            // follow the present view
};

// The next placement of a slot, from the present one. A server that still holds the slot is only given up for another
// one that was heard after the first began to count as dead: one that has ended, which nobody has noticed yet, must not be all that
// is left. The last one is waited for, for ever. `filled`: of those being filled, who has everything by now. Of more replicas than there
// should be, those too many go when the others follow a view that has them.
Placement next_placement(uint32_t slot, const Placement& now, const std::vector<uint32_t>& filled,
                         const ServerHealth& health, size_t replicas);

}  // namespace mixgrad::kvstore::protocol
