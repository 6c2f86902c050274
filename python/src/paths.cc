#include "paths.h"

#include <cstring>

namespace mixgrad_python {
namespace {

// For functions that have none, and whose refusals are explained.
PyObject* python_path(FunctionObject*, PyObject* const*, Py_ssize_t, PyObject*) { return declined(); }

struct Named {
  const char* name;
  Path path;
};
constexpr Named paths[] = {{"zeros", zeros_path},   {"ones", ones_path},     {"full", full_path},
                           {"arange", arange_path}, {"array", array_path},   {"reshape", reshape_path},
                           {"astype", astype_path}, {"record", record_path}, {"pause", pause_path},
                           {"python", python_path}};

struct DtypeName {
  const char* name;
  int number;
};
constexpr DtypeName dtype_names[] = {
    {"float32", MG_DTYPE_FLOAT32}, {"float64", MG_DTYPE_FLOAT64}, {"float16", MG_DTYPE_FLOAT16},
    {"uint8", MG_DTYPE_UINT8},     {"int32", MG_DTYPE_INT32},     {"int8", MG_DTYPE_INT8},
    {"int64", MG_DTYPE_INT64},     {"bool", MG_DTYPE_BOOL},       {"bfloat16", MG_DTYPE_BFLOAT16}};

}  // namespace

Path find_path(const char* name) {
  for (const Named& one : paths) {
    if (std::strcmp(one.name, name) == 0) return one.path;
  }
  return nullptr;
}

bool read_extent(PyObject* object, int64_t* out) {
  if (!PyLong_CheckExact(object)) return false;
  int overflow = 0;
  *out = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0;
}

bool read_extents(PyObject* object, Extents* out) {
  out->count = 1;
  if (PyLong_CheckExact(object)) return read_extent(object, out->items);
  if (!PyTuple_CheckExact(object) && !PyList_CheckExact(object)) return false;
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(object);
  if (count > kMostAxes) return false;
  out->count = static_cast<int>(count);
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!read_extent(PySequence_Fast_GET_ITEM(object, i), &out->items[i])) return false;
  }
  return true;
}

bool read_dtype(PyObject* object, int* number) {
  *number = MG_DTYPE_FLOAT32;
  if (!object || object == Py_None) return true;
  if (PyUnicode_CheckExact(object)) {
    for (const DtypeName& one : dtype_names) {
      if (PyUnicode_CompareWithASCIIString(object, one.name) != 0) continue;
      *number = one.number;
      return true;
    }
    return false;
  }
  *number = find_dtype(object);
  return *number >= 0;
}

const char* dtype_name(int number) {
  for (const DtypeName& one : dtype_names) {
    if (one.number == number) return one.name;
  }
  return "";
}

PyObject* call_simple(const mg_op* op, PyObject* input, int num_values, const char* const* names,
                      const mg_value* values) {
  mg_array* in[1] = {input ? handle_of(input) : nullptr};
  mg_array* out = nullptr;
  int32_t num_outputs = 1;
  if (const mg_status s = mg_op_call(op, input ? 1 : 0, in, num_values, names, values, &num_outputs, &out)) {
    return raise_status(s);
  }
  return wrap_array(out, input ? class_of(input) : usual_class);
}

}  // namespace mixgrad_python
