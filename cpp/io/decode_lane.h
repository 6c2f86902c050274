// The engine's threads that decode.
#pragma once

#include "engine/engine.h"

namespace mixgrad::io {

// A lane of the engine of the process with at least that many threads (0: one per core), made when it is first asked for. Programs
// that ask for many different numbers share the largest lanes.
engine::LaneId decode_lane(int threads);

}  // namespace mixgrad::io
