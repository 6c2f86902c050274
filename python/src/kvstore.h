// The KVStore type of mixgrad._core.
#pragma once

#include <pybind11/pybind11.h>

#include "mixgrad/mixgrad.h"

namespace mixgrad_python {

void add_kvstore(pybind11::module_& m);
// The store of a _core.KVStore; null for None. Throws TypeError for others.
mg_kvstore* store_of(const pybind11::object& store);

}  // namespace mixgrad_python
