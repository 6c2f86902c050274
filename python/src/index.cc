// x[key] and x[key] = value. Integers, slices, None, an ellipsis, arrays of numbers and lists of ints are read here; what else
// keys and values may be is for functions of the package, which come back with these.
#include <algorithm>
#include <memory>
#include <new>

#include "core.h"

namespace mixgrad_python {
namespace {

PyObject *get_other = nullptr, *assign_other = nullptr;  // get_other(x, key), assign_other(x, key, value)
PyTypeObject* numpy_integer = nullptr;

enum class Read { done, other, failed };

constexpr Py_ssize_t kMostItems = 48;  // more than axes and new ones together
constexpr int kMostLists = 16;

struct Key {
  mg_index items[kMostItems];
  int32_t count = 0;
  mg_array* made[kMostLists];  // of lists
  int num_made = 0;
  bool has_arrays = false, only_arrays = true;  // beside whole axes
  int num_places = 0, num_others = 0;           // integers; what else than these and an ellipsis
  Key() {}
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
  ~Key() {
    for (int i = 0; i < num_made; ++i) mg_array_destroy(made[i]);
  }
};

Read read_integer(PyObject* object, int64_t* out) {
  int overflow = 0;
  *out = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow ? Read::other : Read::done;
}

Read read_slice(PyObject* slice, mg_index* item) {
  Py_ssize_t begin = 0, end = 0, step = 0;
  if (PySlice_Unpack(slice, &begin, &end, &step) < 0) return Read::failed;
  item->kind = MG_INDEX_SLICE;
  item->begin = begin == PY_SSIZE_T_MAX ? INT64_MAX : begin;
  item->end = end == PY_SSIZE_T_MAX ? INT64_MAX : end == PY_SSIZE_T_MIN ? INT64_MIN : end;
  item->step = step;
  return Read::done;
}

// A list of ints as an array beside x.
Read read_list(PyObject* list, mg_array* x, Key& key, mg_array** out) {
  const Py_ssize_t n = PyList_GET_SIZE(list);
  if (n == 0 || key.num_made == kMostLists) return Read::other;
  int64_t few[32];
  std::unique_ptr<int64_t[]> many;
  int64_t* values = few;
  if (n > 32) {
    many.reset(new (std::nothrow) int64_t[static_cast<size_t>(n)]);
    if (!many) return PyErr_NoMemory(), Read::failed;
    values = many.get();
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = PyList_GET_ITEM(list, i);
    if (!PyLong_CheckExact(item) || read_integer(item, values + i) != Read::done) return Read::other;
  }
  const int64_t shape[1] = {n};
  if (const mg_status s =
          mg_array_create_from(values, shape, 1, MG_DTYPE_INT64, mg_array_get_device(x), out)) {
    return raise_status(s), Read::failed;
  }
  key.made[key.num_made++] = *out;
  return Read::done;
}

// Comparisons give floats of their operands' shape, which are positions here and not what a user of masks means.
bool looks_like_mask(const mg_array* index, const mg_array* x) {
  const int32_t ndim = mg_array_get_ndim(index), dtype = mg_array_get_dtype(index);
  if (ndim < 2 || ndim != mg_array_get_ndim(x)) return false;
  const int64_t *shape = mg_array_get_shape(index), *extents = mg_array_get_shape(x);
  return (dtype <= MG_DTYPE_FLOAT16 || dtype == MG_DTYPE_BFLOAT16) &&
         std::equal(shape, shape + ndim, extents);
}

Read read_item(PyObject* part, mg_array* x, Key& key) {
  mg_index* item = key.items + key.count++;
  item->array = nullptr;
  if (PyLong_CheckExact(part)) {
    item->kind = MG_INDEX_AT;
    key.only_arrays = false;
    ++key.num_places;
    return read_integer(part, &item->begin);
  }
  if (PySlice_Check(part)) {
    ++key.num_others;
    const Read read = read_slice(part, item);
    key.only_arrays &= item->begin == 0 && item->end == INT64_MAX && item->step == 1;
    return read;
  }
  if (part == Py_None || part == Py_Ellipsis) {
    item->kind = part == Py_None ? MG_INDEX_NEW_AXIS : MG_INDEX_ELLIPSIS;
    key.only_arrays = false;
    key.num_others += part == Py_None;
    return Read::done;
  }
  if (is_array(part)) {
    mg_array* array = handle_of(part);
    if (mg_array_get_ndim(array) == 0 || mg_array_get_dtype(array) == MG_DTYPE_BOOL) return Read::other;
    item->array = array;
  } else if (PyList_CheckExact(part)) {
    if (const Read read = read_list(part, x, key, &item->array); read != Read::done) return read;
  } else if ((PyLong_Check(part) && !PyBool_Check(part)) || PyObject_TypeCheck(part, numpy_integer)) {
    PyObject* whole = PyNumber_Index(part);
    if (!whole) return Read::failed;
    item->kind = MG_INDEX_AT;
    key.only_arrays = false;
    ++key.num_places;
    const Read read = read_integer(whole, &item->begin);
    Py_DECREF(whole);
    return read;
  } else {
    return Read::other;
  }
  item->kind = MG_INDEX_ARRAY;
  key.has_arrays = true;
  return Read::done;
}

Read read_key(PyObject* object, mg_array* x, Key& key) {
  if (is_array(object) && !is_numpy_class(Py_TYPE(object)) && looks_like_mask(handle_of(object), x))
    return Read::other;
  if (!PyTuple_Check(object)) return read_item(object, x, key);
  const Py_ssize_t n = PyTuple_GET_SIZE(object);
  if (n > kMostItems) {
    PyErr_Format(PyExc_IndexError, "[index] %zd items; at most %zd are supported", n, kMostItems);
    return Read::failed;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (const Read read = read_item(PyTuple_GET_ITEM(object, i), x, key); read != Read::done) return read;
  }
  return key.has_arrays && !key.only_arrays ? Read::other : Read::done;
}

// One element is an array without axes in NumPy, where MXNet has one axis.
PyObject* wrap_element(mg_array* element, PyTypeObject* cls) {
  mg_array* out = nullptr;
  const int64_t none[1] = {0};
  const mg_status status = mg_array_reshape(element, none, 0, &out);
  mg_array_destroy(element);
  return status ? raise_status(status) : wrap_array(out, cls);
}

PyObject* get(PyObject* self, PyObject* object) {
  mg_array *x = handle_of(self), *out = nullptr;
  Key key;
  const Read read = read_key(object, x, key);
  if (read == Read::failed) return nullptr;
  if (read == Read::other) return PyObject_CallFunctionObjArgs(get_other, self, object, nullptr);
  if (const mg_status s = mg_array_index(x, key.count, key.items, &out)) return raise_status(s);
  const bool is_element =
      key.num_places > 0 && !key.has_arrays && key.num_others == 0 && key.num_places == mg_array_get_ndim(x);
  if (is_element && class_of(self) == numpy_class) return wrap_element(out, numpy_class);
  if (out != x) return wrap_array(out, class_of(self));
  mg_array_destroy(out);
  Py_INCREF(self);
  return self;
}

// As a sequence: reversed() and C programs. Python adds the length to what is below 0.
PyObject* get_row(PyObject* self, Py_ssize_t at) {
  mg_index item = {MG_INDEX_AT, at, 0, 0, nullptr};
  mg_array* out = nullptr;
  if (const mg_status s = mg_array_index(handle_of(self), 1, &item, &out)) return raise_status(s);
  if (mg_array_get_ndim(handle_of(self)) == 1 && class_of(self) == numpy_class)
    return wrap_element(out, numpy_class);
  return wrap_array(out, class_of(self));
}

// Whether `object` is a number that a double holds exactly.
bool read_number(PyObject* object, double* out) {
  if (PyFloat_Check(object)) {
    *out = PyFloat_AS_DOUBLE(object);
    return true;
  }
  if (!PyLong_Check(object)) return false;
  constexpr int64_t kMost = int64_t{1} << 53;
  int64_t whole = 0;
  if (read_integer(object, &whole) != Read::done || whole < -kMost || whole > kMost) return false;
  *out = static_cast<double>(whole);
  return true;
}

// No gradient flows through whole numbers.
bool loses_gradient(const mg_array* x, mg_array* value) {
  const int32_t dtype = mg_array_get_dtype(x);
  const bool is_float = dtype <= MG_DTYPE_FLOAT16 || dtype == MG_DTYPE_BFLOAT16;
  return !is_float && mg_autograd_is_recording() && mg_array_is_recorded(value);
}

int assign(PyObject* self, PyObject* object, PyObject* value) {
  if (!value) {
    PyErr_SetString(PyExc_TypeError, "[setitem] elements of an array cannot be deleted");
    return -1;
  }
  mg_array* x = handle_of(self);
  Key key;
  double number = 0;
  const bool with_array = is_array(value);
  if (with_array && class_of(self) == numpy_class && loses_gradient(x, handle_of(value))) {
    PyObject* text = PyUnicode_FromString(
        "[setitem] Inplace operations (+=, -=, x[:]=, etc) are not supported when recording with autograd "
        "where a value "
        "with a gradient goes into an array of whole numbers; expected an array of floats");
    if (text) raise_text(MG_STATUS_AUTOGRAD, text);
    return -1;
  }
  Read read = with_array || read_number(value, &number) ? read_key(object, x, key) : Read::other;
  if (!with_array && key.has_arrays) read = Read::other;
  if (read == Read::failed) return -1;
  if (read == Read::other) {
    PyObject* result = PyObject_CallFunctionObjArgs(assign_other, self, object, value, nullptr);
    Py_XDECREF(result);
    return result ? 0 : -1;
  }
  const mg_status status = with_array ? mg_array_assign(x, key.count, key.items, handle_of(value))
                                      : mg_array_assign_number(x, key.count, key.items, number);
  return status ? (raise_status(status), -1) : 0;
}

PyObject* set_indexing(PyObject*, PyObject* args) {
  PyObject *get_function = nullptr, *assign_function = nullptr, *integer = nullptr;
  if (!PyArg_ParseTuple(args, "OOO!", &get_function, &assign_function, &PyType_Type, &integer))
    return nullptr;
  Py_INCREF(get_function);
  Py_INCREF(assign_function);
  Py_INCREF(integer);
  get_other = get_function;
  assign_other = assign_function;
  numpy_integer = reinterpret_cast<PyTypeObject*>(integer);
  Py_RETURN_NONE;
}

PyMethodDef index_methods[] = {{"set_indexing", set_indexing, METH_VARARGS,
                                "set_indexing(get, assign, integer): what keys and values go to that are not "
                                "read here; NumPy's type of integers."},
                               {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyType_Slot array_index_slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(get)},
                                   {Py_sq_item, reinterpret_cast<void*>(get_row)},
                                   {Py_mp_ass_subscript, reinterpret_cast<void*>(assign)},
                                   {0, nullptr}};

int add_indexing(PyObject* module) { return PyModule_AddFunctions(module, index_methods); }

}  // namespace mixgrad_python
