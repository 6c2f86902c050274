#include "value.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "exchange.h"
#include "interpreter.h"

namespace mixgrad_python {
namespace {

// NumPy's table: the places are part of its binary interface, the same in its versions 1 and 2.
constexpr int kArrayType = 2, kDescrFromType = 45, kScalar = 60, kNew = 93;
using DescrFromType = PyObject* (*)(int number);
using MakeScalar = PyObject* (*)(void* data, PyObject* descr, PyObject* base);
using MakeArray = PyObject* (*)(PyTypeObject* type, int ndim, const Py_ssize_t* shape, int number,
                                const Py_ssize_t* strides, void* data, int itemsize, int flags, PyObject*);
void** numpy = nullptr;
// The head of NumPy's array object, the same in both versions, too.
struct NumpyArray {
  PyObject_HEAD char* data;
  int ndim;
  Py_ssize_t* shape;
  Py_ssize_t* strides;
  PyObject* base;
  PyObject* descr;
  int flags;
};
constexpr int kContiguous = 1, kAligned = 0x100;

constexpr int kNumDtypes = 8;  // those that NumPy has: all but bfloat16
constexpr int kLong = sizeof(long) == 8 ? 7 : 9;
constexpr int kInt = 5;
// NumPy's numbers of our dtypes.
constexpr int kNumpyNumbers[kNumDtypes] = {11, 12, 23, 2, kInt, 1, kLong, 0};
constexpr int kBytes[kNumDtypes] = {4, 8, 2, 1, 4, 1, 8, 1};
PyObject* descrs[kNumDtypes];

int itemsize(int dtype) { return dtype < kNumDtypes ? kBytes[dtype] : 2; }

// Copies an array's values, without the interpreter's lock where they are many.
bool copy_values(mg_array* array, void* dst, size_t bytes) {
  constexpr size_t kMany = 1 << 16;
  try {
    if (bytes > kMany) {
      call_unlocked([&] { return mg_array_copy_to(array, dst, bytes); });
    } else {
      const CallbackScope scope;
      scope.check(mg_array_copy_to(array, dst, bytes));  // lets go of the lock where it waits
    }
    return true;
  } catch (pybind11::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return false;
}

// The bytes of the only element. False with an exception, also where there are more or none.
bool read_one(PyObject* self, void* dst) {
  mg_array* array = handle_of(self);
  if (mg_array_get_size(array) == 1) {
    return copy_values(array, dst, static_cast<size_t>(itemsize(mg_array_get_dtype(array))));
  }
  PyObject* shape = PyObject_GetAttrString(self, "shape");
  PyObject* text =
      shape ? PyUnicode_FromFormat("[asscalar] the array has shape %R; expected exactly one element", shape)
            : nullptr;
  Py_XDECREF(shape);
  if (text) raise_text(MG_STATUS_SHAPE, text);
  return false;
}

double from_half(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  const double size = exponent == 31  ? (fraction ? std::nan("") : HUGE_VAL)
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -size : size;
}

template <class T>
T as(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

float from_bfloat16(const void* bytes) {
  const uint32_t bits = static_cast<uint32_t>(as<uint16_t>(bytes)) << 16;
  return as<float>(&bits);
}

// A float, an int or a bool.
PyObject* number_from(const void* bytes, int dtype) {
  switch (dtype) {
    case MG_DTYPE_FLOAT32: return PyFloat_FromDouble(static_cast<double>(as<float>(bytes)));
    case MG_DTYPE_FLOAT64: return PyFloat_FromDouble(as<double>(bytes));
    case MG_DTYPE_FLOAT16: return PyFloat_FromDouble(from_half(as<uint16_t>(bytes)));
    case MG_DTYPE_UINT8: return PyLong_FromLong(as<uint8_t>(bytes));
    case MG_DTYPE_INT32: return PyLong_FromLong(as<int32_t>(bytes));
    case MG_DTYPE_INT8: return PyLong_FromLong(as<int8_t>(bytes));
    case MG_DTYPE_INT64: return PyLong_FromLongLong(as<int64_t>(bytes));
    case MG_DTYPE_BOOL: return PyBool_FromLong(as<uint8_t>(bytes));
    default: return PyFloat_FromDouble(static_cast<double>(from_bfloat16(bytes)));
  }
}

}  // namespace

bool find_numpy() {
  if (numpy) return true;
  PyObject* module = PyImport_ImportModule("numpy._core._multiarray_umath");
  if (!module) {
    PyErr_Clear();
    module = PyImport_ImportModule("numpy.core._multiarray_umath");
  }
  PyObject* capsule = module ? PyObject_GetAttrString(module, "_ARRAY_API") : nullptr;
  auto** table = capsule ? static_cast<void**>(PyCapsule_GetPointer(capsule, nullptr)) : nullptr;
  Py_XDECREF(capsule);
  Py_XDECREF(module);
  if (!table) return false;
  const auto descr_from = reinterpret_cast<DescrFromType>(table[kDescrFromType]);
  for (int i = 0; i < kNumDtypes; ++i) {
    descrs[i] = descr_from(kNumpyNumbers[i]);
    if (!descrs[i]) return false;
  }
  numpy = table;
  return true;
}

PyObject* array_item(PyObject* self, PyObject*) {
  char bytes[8];
  return read_one(self, bytes) ? number_from(bytes, mg_array_get_dtype(handle_of(self))) : nullptr;
}

PyObject* array_float(PyObject* self) {
  PyObject* number = array_item(self, nullptr);
  if (!number || PyFloat_CheckExact(number)) return number;
  PyObject* result = PyNumber_Float(number);
  Py_DECREF(number);
  return result;
}

PyObject* array_int(PyObject* self) {
  PyObject* number = array_item(self, nullptr);
  if (!number || PyLong_CheckExact(number)) return number;
  PyObject* result = PyNumber_Long(number);
  Py_DECREF(number);
  return result;
}

PyObject* array_asscalar(PyObject* self, PyObject*) {
  alignas(8) char bytes[8];
  if (!read_one(self, bytes)) return nullptr;
  int dtype = mg_array_get_dtype(handle_of(self));
  if (dtype == MG_DTYPE_BFLOAT16) {
    const float wide = from_bfloat16(bytes);
    std::memcpy(bytes, &wide, sizeof wide);
    dtype = MG_DTYPE_FLOAT32;
  }
  return reinterpret_cast<MakeScalar>(numpy[kScalar])(bytes, descrs[dtype], nullptr);
}

PyObject* array_asnumpy(PyObject* self, PyObject*) {
  mg_array* array = handle_of(self);
  const int dtype = mg_array_get_dtype(array), ndim = mg_array_get_ndim(array);
  if (dtype == MG_DTYPE_BFLOAT16) return PyObject_CallMethod(self, "_widened", nullptr);
  const size_t bytes = static_cast<size_t>(mg_array_get_size(array)) * static_cast<size_t>(itemsize(dtype));
  constexpr size_t kGigabyte = size_t{1} << 30;
  if (bytes > kGigabyte) {  // what failed is raised before as much host memory is asked for
    try {
      call_unlocked([&] { return mg_array_wait_to_read(array); });
    } catch (pybind11::error_already_set& error) {
      error.restore();
      return nullptr;
    }
  }
  Py_ssize_t shape[64];
  const int64_t* extents = mg_array_get_shape(array);
  for (int i = 0; i < ndim; ++i) shape[i] = static_cast<Py_ssize_t>(extents[i]);
  PyObject* made =
      reinterpret_cast<MakeArray>(numpy[kNew])(reinterpret_cast<PyTypeObject*>(numpy[kArrayType]), ndim,
                                               shape, kNumpyNumbers[dtype], nullptr, nullptr, 0, 0, nullptr);
  if (made && copy_values(array, reinterpret_cast<NumpyArray*>(made)->data, bytes)) return made;
  Py_XDECREF(made);
  return nullptr;
}

bool view_numpy(PyObject* object, int dtype, NumpyView* out) {
  if (dtype >= kNumDtypes || Py_TYPE(object) != static_cast<PyTypeObject*>(numpy[kArrayType])) {
    return false;
  }
  const auto* array = reinterpret_cast<const NumpyArray*>(object);
  constexpr int kPlain = kContiguous | kAligned;
  if (array->descr != descrs[dtype] || (array->flags & kPlain) != kPlain) return false;
  out->data = array->data;
  out->ndim = array->ndim;
  std::copy_n(array->shape, array->ndim, out->shape);
  return true;
}

}  // namespace mixgrad_python
