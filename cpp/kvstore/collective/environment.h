// How a collective store's process is told who takes part.
#pragma once

#include "kvstore/collective/group.h"

namespace mixgrad::kvstore::collective {

// By the variables of docs/kvstore.md. Throws Status::invalid_argument, naming the variable, for what is missing or makes no sense.
GroupSettings settings_from_environment();
// ZeroMQ; worker 0 listens at the meeting place, others where they reach it from.
OpenTransport open_for(const GroupSettings& settings);

}  // namespace mixgrad::kvstore::collective
