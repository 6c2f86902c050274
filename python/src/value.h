// Values of arrays as objects of Python and NumPy.
#pragma once

#include "core.h"

namespace mixgrad_python {

// NumPy's C functions, by their place in the table that NumPy keeps for extensions; false with an exception without them.
bool find_numpy();

// The one element of an array as float(), int(), asscalar() and item() give it.
PyObject* array_float(PyObject* self);
PyObject* array_int(PyObject* self);
PyObject* array_asscalar(PyObject* self, PyObject*);
PyObject* array_item(PyObject* self, PyObject*);
// NDArray.asnumpy for all but bfloat16, which declines.
PyObject* array_asnumpy(PyObject* self, PyObject*);

// A NumPy array's memory and shape, where it is C-contiguous and of that dtype.
struct NumpyView {
  const void* data;
  int64_t shape[64];  // as many axes as NumPy has
  int ndim;
};
bool view_numpy(PyObject* object, int dtype, NumpyView* out);

}  // namespace mixgrad_python
