// The side of failure injection that the allocator sees.
#pragma once

#include <atomic>
#include <cstddef>

#include "device/device.h"

namespace mixgrad::storage {

// True while any rule for allocations is in force.
extern std::atomic<bool> failures_armed;

// Counts one allocation; throws Error(out_of_memory) when a rule says so.
void check_failure_rules(Device device, std::size_t bytes);
// True when this request to the system is to be refused.
bool refuse_system_request();

}  // namespace mixgrad::storage
