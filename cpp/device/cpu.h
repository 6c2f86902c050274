// The host as a device: ordinary pages, and pages other processes can attach.
#pragma once

#include "device/api.h"

namespace mixgrad {

DeviceApi& cpu_api();
// Serves cpu_shared; only where shared_memory_available().
DeviceApi& cpu_shared_api();

}  // namespace mixgrad
