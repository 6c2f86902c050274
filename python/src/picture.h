// Pictures as _core's functions.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_picture(pybind11::module_& m);

}  // namespace mixgrad_python
