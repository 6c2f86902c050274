// Pictures as _core's functions.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

// Pictures will be decoded: before a fork what decodes them is imported, since tasks cannot do that while one waits for them.
void expect_pictures();

void add_picture(pybind11::module_& m);

}  // namespace mixgrad_python
