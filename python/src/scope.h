#pragma once

#include <Python.h>

#include "mixgrad/mixgrad.h"

namespace mixgrad_python {

int add_scope(PyObject* module);

// Records from now on in this thread; inside scopes that say themselves whether to record, from the end of the outermost.
mg_status begin_recording();

}  // namespace mixgrad_python
