// The engine's threads that read records and decode pictures.
#pragma once

#include "engine/engine.h"

namespace mixgrad::io {

// A lane of the engine of the process with at least that many threads (0: one per core), made when it is first asked for. Programs
// that ask for many different numbers share the largest lanes.
engine::LaneId decode_lane(int threads);
// Threads of their own for reading, which may wait long for a disk or another machine.
engine::LaneId read_lane();

}  // namespace mixgrad::io
