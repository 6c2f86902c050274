// The paths in front of functions of Python that make arrays, change their shape and dtype, or begin scopes.
#pragma once

#include "function.h"

namespace mixgrad_python {

// creation.cc
PyObject* zeros_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
PyObject* ones_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
PyObject* full_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
PyObject* arange_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
PyObject* array_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
// reshape.cc
PyObject* reshape_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
PyObject* astype_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
// scope.cc
PyObject* record_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
PyObject* pause_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);

constexpr int kMostAxes = 16;
// A shape as an int, or a tuple or list of them; false for everything else, without an exception.
struct Extents {
  int64_t items[kMostAxes];
  int count = 0;
};
bool read_extents(PyObject* object, Extents* out);
bool read_extent(PyObject* object, int64_t* out);
// The number of a dtype given by its name, or as NumPy's class; float32 where there is none. False as above.
bool read_dtype(PyObject* object, int* number);
const char* dtype_name(int number);

// The only output of an operator that has no more.
PyObject* call_simple(const mg_op* op, PyObject* input, int num_values, const char* const* names,
                      const mg_value* values);

inline mg_value value_of(int64_t number) {
  mg_value value{};
  value.kind = MG_VALUE_INTEGER;
  value.as.integer = number;
  return value;
}
inline mg_value value_of(double number) {
  mg_value value{};
  value.kind = MG_VALUE_REAL;
  value.as.real = number;
  return value;
}
inline mg_value value_of(const char* text) {
  mg_value value{};
  value.kind = MG_VALUE_STRING;
  value.as.string = text;
  return value;
}

}  // namespace mixgrad_python
