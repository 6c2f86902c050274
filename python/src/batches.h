// mixgrad._core: batches of record files.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_batches(pybind11::module_& m);

}  // namespace mixgrad_python
