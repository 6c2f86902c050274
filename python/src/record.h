// mixgrad._core: bytes by position and files of records.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_records(pybind11::module_& m);

}  // namespace mixgrad_python
