#pragma once

#include <Python.h>

namespace mixgrad_python {

int add_scope(PyObject* module);

}  // namespace mixgrad_python
