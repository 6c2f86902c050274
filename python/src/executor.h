// Executors for Python; see executor.cc.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_executor(pybind11::module_& m);

}  // namespace mixgrad_python
