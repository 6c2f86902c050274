// nd.zeros, ones, full, arange and array: shape, dtype and values read in C, on the current device.
#include <cmath>
#include <memory>
#include <new>
#include <vector>

#include "paths.h"
#include "value.h"

namespace mixgrad_python {
namespace {

// Looked up at the first call; null with an exception without it.
const mg_op* found(const char* name, const mg_op** op) {
  if (!*op && mg_op_find(name, op)) return raise_status(MG_STATUS_NOT_FOUND), nullptr;
  return *op;
}

bool given(PyObject* object) { return object && object != Py_None; }

// An operator of a shape, a dtype and perhaps a value.
PyObject* filled(const mg_op* op, PyObject* shape, PyObject* dtype, const mg_value* number) {
  Extents extents;
  int kind = MG_DTYPE_FLOAT32;
  if (!shape || !read_extents(shape, &extents) || !read_dtype(dtype, &kind)) return declined();
  const char* names[3] = {"shape"};
  mg_value items[kMostAxes], values[3] = {};
  for (int i = 0; i < extents.count; ++i) items[i] = value_of(extents.items[i]);
  values[0].kind = MG_VALUE_TUPLE;
  values[0].num_items = extents.count;
  values[0].as.items = items;
  int count = 1;
  if (kind != MG_DTYPE_FLOAT32) {
    names[count] = "dtype";
    values[count++] = value_of(dtype_name(kind));
  }
  if (number) {
    names[count] = "value";
    values[count++] = *number;
  }
  return call_simple(op, nullptr, count, names, values);
}

// Floats and the ints that floats hold; false for everything else.
bool read_number(PyObject* object, mg_value* out) {
  if (PyFloat_CheckExact(object)) {
    *out = value_of(PyFloat_AS_DOUBLE(object));
    return true;
  }
  constexpr int64_t kExact = int64_t{1} << 53;
  int64_t whole = 0;
  if (!read_extent(object, &whole) || whole > kExact || whole < -kExact) return false;
  *out = value_of(whole);
  return true;
}

// The numbers of nested lists of one shape, in order.
struct Numbers {
  std::vector<double> values;
  Extents shape;
  int known = 0;  // axes whose extents are known

  bool read(PyObject* object, int axis) {
    if (PyList_CheckExact(object) || PyTuple_CheckExact(object)) {
      const Py_ssize_t n = PySequence_Fast_GET_SIZE(object);
      if (axis == kMostAxes || (known > axis && shape.items[axis] != n)) return false;
      if (axis == shape.count) {
        if (known > axis || !values.empty()) return false;  // numbers and lists side by side
        shape.items[shape.count++] = n;
        known = shape.count;
      }
      for (Py_ssize_t i = 0; i < n; ++i) {
        if (!read(PySequence_Fast_GET_ITEM(object, i), axis + 1)) return false;
      }
      return true;
    }
    mg_value number{};
    if (axis != shape.count || !read_number(object, &number)) return false;
    values.push_back(number.kind == MG_VALUE_REAL ? number.as.real : static_cast<double>(number.as.integer));
    return true;
  }
};

PyObject* from_host(const void* data, const int64_t* shape, int ndim, int dtype) {
  mg_array* out = nullptr;
  if (const mg_status s = mg_array_create_from(data, shape, ndim, dtype, mg_device_get_current(), &out)) {
    return raise_status(s);
  }
  return wrap_array(out);
}

}  // namespace

// zeros(shape, ctx, dtype, stype, *, out)
PyObject* zeros_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  static const mg_op* op = nullptr;
  PyObject* places[5] = {};
  if (!sort_arguments(self, args, count, keywords, places)) return declined();
  if (given(places[1]) || given(places[3]) || given(places[4])) return declined();
  return found("_zeros", &op) ? filled(op, places[0], places[2], nullptr) : nullptr;
}

// ones(shape, ctx, dtype, *, out)
PyObject* ones_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  static const mg_op* op = nullptr;
  PyObject* places[4] = {};
  if (!sort_arguments(self, args, count, keywords, places)) return declined();
  if (given(places[1]) || given(places[3])) return declined();
  return found("_ones", &op) ? filled(op, places[0], places[2], nullptr) : nullptr;
}

// full(shape, val, ctx, dtype, out)
PyObject* full_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  static const mg_op* op = nullptr;
  PyObject* places[5] = {};
  if (!sort_arguments(self, args, count, keywords, places)) return declined();
  mg_value number{};
  if (given(places[2]) || given(places[4]) || !places[1] || !read_number(places[1], &number)) {
    return declined();
  }
  return found("_full", &op) ? filled(op, places[0], places[3], &number) : nullptr;
}

// arange(start, stop, step, repeat, infer_range, ctx, dtype)
PyObject* arange_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  static const mg_op* op = nullptr;
  PyObject* places[7] = {};
  if (!sort_arguments(self, args, count, keywords, places)) return declined();
  int kind = MG_DTYPE_FLOAT32;
  if (!places[0] || places[3] || places[4] || given(places[5]) || !read_dtype(places[6], &kind)) {
    return declined();
  }
  const char* names[4] = {"start", "stop", "step"};
  mg_value values[4] = {value_of(int64_t{0}), value_of(int64_t{0}), value_of(1.0)};
  PyObject* stop = given(places[1]) ? places[1] : places[0];
  if (!read_number(stop, &values[1])) return declined();
  if (stop == places[1] && !read_number(places[0], &values[0])) return declined();
  if (places[2] && !read_number(places[2], &values[2])) return declined();
  int num_values = 3;
  if (kind != MG_DTYPE_FLOAT32) {
    names[num_values] = "dtype";
    values[num_values++] = value_of(dtype_name(kind));
  }
  return found("_arange", &op) ? call_simple(op, nullptr, num_values, names, values) : nullptr;
}

// array(source_array, ctx, dtype)
PyObject* array_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  PyObject* places[3] = {};
  if (!sort_arguments(self, args, count, keywords, places)) return declined();
  PyObject* source = places[0];
  int kind = MG_DTYPE_FLOAT32;
  if (!source || given(places[1]) || !read_dtype(places[2], &kind)) return declined();
  NumpyView view;
  if (view_numpy(source, kind, &view)) return from_host(view.data, view.shape, view.ndim, kind);
  if (!(PyList_CheckExact(source) || PyTuple_CheckExact(source))) return declined();
  if (kind != MG_DTYPE_FLOAT32 && kind != MG_DTYPE_FLOAT64) return declined();
  try {
    Numbers numbers;
    if (!numbers.read(source, 0)) return declined();
    const double* wide = numbers.values.data();
    if (kind == MG_DTYPE_FLOAT64) return from_host(wide, numbers.shape.items, numbers.shape.count, kind);
    const std::vector<float> narrow(numbers.values.begin(), numbers.values.end());
    return from_host(narrow.data(), numbers.shape.items, numbers.shape.count, kind);
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
}

}  // namespace mixgrad_python
