// mixgrad._core: files that are written piece by piece.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_files(pybind11::module_& m);

}  // namespace mixgrad_python
