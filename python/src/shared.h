// Arrays in shared memory for Python; see shared.cc.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_shared(pybind11::module_& m);

}  // namespace mixgrad_python
