// DLPack exchange: arrays of other libraries over the same memory, both ways, without a copy.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

// A capsule named "dltensor" over the array's memory; blocks until its values are there.
pybind11::capsule to_dlpack(const pybind11::object& array);
// An array over the memory of a "dltensor" capsule, which it consumes. Raises for strided tensors and foreign devices.
pybind11::object from_dlpack(const pybind11::capsule& capsule);

}  // namespace mixgrad_python
