// mixgrad._core: bytes by position and files of records.
#pragma once

#include <pybind11/pybind11.h>

#include "mixgrad/mixgrad.h"

namespace mixgrad_python {

void add_records(pybind11::module_& m);

// The handle of a _core.Source, borrowed.
mg_source* source_handle(const pybind11::handle& source);

}  // namespace mixgrad_python
