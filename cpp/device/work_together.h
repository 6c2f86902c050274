// Which devices' operands one call can take.
#pragma once

#include "device/device.h"

namespace mixgrad {

// The devices of the host share its memory, whatever their numbers.
inline bool work_together(Device a, Device b) { return a == b || (a.is_host() && b.is_host()); }

}  // namespace mixgrad
