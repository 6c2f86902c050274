// Libraries whose static objects outlive the process.
#pragma once

namespace mixgrad::onednn {

// From now on no static object that the shared library holding this address makes at its first use is destroyed at exit.
// False where that cannot be had.
bool keep_objects_of(const void* address);

}  // namespace mixgrad::onednn
