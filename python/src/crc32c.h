#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_crc32c(pybind11::module_& m);

}  // namespace mixgrad_python
