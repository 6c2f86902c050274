// How long the roles wait, and how many take part.
#pragma once

#include <cstdint>

#include "kvstore/protocol/actions.h"

namespace mixgrad::kvstore::protocol {

struct Timing {
  Time heartbeat = 200'000;
  Time dead_after = 2'000'000;  // a node that was not heard for so long counts as dead
  Time retry =
      100'000;  // the first repetition of what was not answered; each further one waits twice as long
  Time retry_limit = 2'000'000;      // but never longer than this
  Time request_limit = 600'000'000;  // after which a worker's request fails
  Time view_gap = 10'000;            // the scheduler makes views no faster
  // How long a scheduler waits for processes that it could go on without, if they never came.
  Time patience = 10'000'000;
};

// What a scheduler is started with.
struct Membership {
  uint32_t servers = 1, workers = 1;  // that must be there before anything begins; numbers from 0 on
  uint32_t replicas = 2;              // of each slot, where there are that many servers
  uint32_t slots = 64;
};

// What keeps the promise. All true; tests switch one off at a time and must see the promise break.
struct Safeguards {
  bool counts_once = true;         // an update whose mark is there already is not added again
  bool fences = true;              // messages between servers must be of the present view
  bool waits_for_replicas = true;  // an update is acknowledged when all of the view's replicas have it
  bool transfers_marks = true;     // a new replica gets the marks with the values
  bool waits_for_reports = true;   // a new scheduler waits for whoever may know of a later view
};

}  // namespace mixgrad::kvstore::protocol
