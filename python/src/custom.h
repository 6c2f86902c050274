// Operators written in Python, for mixgrad._core.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_custom(pybind11::module_& m);

}  // namespace mixgrad_python
