// Shared by the files of mixgrad._core: the array type and the conversion of statuses into exceptions.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "mixgrad/mixgrad.h"

namespace mixgrad_python {

// The Python object of an array. It owns one reference.
struct ArrayObject {
  PyObject_HEAD mg_array* handle;
  PyObject* weak_references;
};

// An object that is given back with the scope.
struct Owned {
  explicit Owned(PyObject* held) : object(held) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { Py_XDECREF(object); }
  PyObject* object;
};

// Creates the base type mixgrad._core.NDArrayBase; -1 with an exception on failure.
int make_array_type(PyObject* module);
PyTypeObject* array_base_type();
// The class of arrays where nothing else decides: NDArrayBase, or the subclass that set_array_class registered.
extern PyTypeObject* usual_class;
int set_array_class(PyObject* cls);
// Registers a subclass besides: what operators make of its arrays is of that class, too. `uncollected`: it has no instances yet
// and no attributes, so that the garbage collector need not know its arrays.
int add_array_class(PyObject* cls, bool uncollected = false);
// The class of arrays of NumPy's kind, whose operators are those of `_npi_`; nullptr as long as nobody asked for them. What these
// operators refuse goes to `other` (operator, a, b, where the result goes or None).
extern PyTypeObject* numpy_class;
// Whether it is that class, or one derived from it.
inline bool is_numpy_class(PyTypeObject* type) {
  return type == numpy_class || (numpy_class && type != usual_class && PyType_IsSubtype(type, numpy_class));
}
int set_numpy_class(PyObject* cls, PyObject* other);
// The classes of arrays that are not dense.
int set_sparse_classes(PyObject* row_sparse, PyObject* csr);
// `type` if it is registered, else NumPy's kind for classes derived from that, else the usual class.
PyTypeObject* registered_class(PyTypeObject* type);

inline bool is_array(PyObject* object) { return PyObject_TypeCheck(object, array_base_type()); }
inline mg_array* handle_of(PyObject* object) { return reinterpret_cast<ArrayObject*>(object)->handle; }
// The class of what an operator makes of an array, or of several: that of the first one that is not of the usual class.
inline PyTypeObject* class_of(PyObject* array) {
  PyTypeObject* const type = Py_TYPE(array);
  return type == usual_class ? type : registered_class(type);
}
inline PyTypeObject* class_of(PyTypeObject* before, PyObject* array) {
  return before == usual_class ? class_of(array) : before;
}
// A new Python object that takes over the handle; on failure the handle is destroyed.
PyObject* wrap_array(mg_array* handle, PyTypeObject* cls = usual_class);

// Registers {status number: exception class}.
void set_exceptions(PyObject* by_status);
// The message of the last failure, with the names that Python's users know in place of the C functions' and of traces.
PyObject* last_message();
// Sets the Python exception that fits a failed status; returns nullptr.
PyObject* raise_status(mg_status status);
// The same with a text of one's own, which it takes over.
PyObject* raise_text(mg_status status, PyObject* text);

// Registers {number: what an array's `dtype` is}.
int set_dtypes(PyObject* by_number);
// The number of such a class, or -1.
int find_dtype(PyObject* object);

// Fills a value from a Python object (None, bool, int, float, str, tuple or list, NumPy scalars, dtypes by name). Text is
// borrowed from the object; tuples use `pool`, which has room for `room` values. False with an exception on failure.
constexpr int kMaxHeld = 64;
struct ValuePool {
  mg_value items[256];
  PyObject* held[kMaxHeld];  // objects kept alive for their text or their items
  int used = 0;
  int num_held = 0;
  ~ValuePool() {
    for (int i = 0; i < num_held; ++i) Py_DECREF(held[i]);
  }
};
bool value_from(PyObject* object, mg_value* out, ValuePool& pool, const char* op, const char* name);

// _core.call(op, inputs, out, values) and the Op type.
int add_call(PyObject* module);

// Number slots of the array type.
extern PyType_Slot array_number_slots[];
int find_number_operators();

// Indexing: slots of the array type, and _core.set_indexing.
extern PyType_Slot array_index_slots[];
int add_indexing(PyObject* module);

}  // namespace mixgrad_python
