// Traces and cached graphs for Python; see graph.cc.
#pragma once

#include <pybind11/pybind11.h>

namespace mixgrad_python {

void add_graph(pybind11::module_& m);

}  // namespace mixgrad_python
