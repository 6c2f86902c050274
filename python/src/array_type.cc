// The array type: one pointer, so that a call from Python costs little more than the call itself.
#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "core.h"
#include "interpreter.h"
#include "paths.h"
#include "value.h"

namespace mixgrad_python {
namespace {

PyTypeObject* base_type = nullptr;
PyObject* exceptions = nullptr;
PyTypeObject* sparse_classes[MG_STORAGE_CSR + 1];  // of arrays of these storage types

bool is_array_class(PyObject* cls) {
  if (PyType_Check(cls) && PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), base_type)) return true;
  PyErr_SetString(PyExc_TypeError, "expected a subclass of NDArrayBase");
  return false;
}

void array_dealloc(PyObject* self) {
  auto* object = reinterpret_cast<ArrayObject*>(self);
  if (object->weak_references) PyObject_ClearWeakRefs(self);
  mg_array_destroy(object->handle);
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* array_new(PyTypeObject* type, PyObject* args, PyObject*) {
  if (PyTuple_GET_SIZE(args) != 0) {
    PyErr_SetString(PyExc_TypeError, "[NDArray] arrays are made by mx.nd.array, zeros, ones and the like");
    return nullptr;
  }
  const int64_t shape[1] = {0};
  mg_array* handle = nullptr;
  if (const mg_status s = mg_array_create(shape, 1, MG_DTYPE_FLOAT32, mg_device_get_current(), &handle))
    return raise_status(s);
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) {
    mg_array_destroy(handle);
    return nullptr;
  }
  reinterpret_cast<ArrayObject*>(self)->handle = handle;
  return self;
}

PyObject* array_shape(PyObject* self, void*) {
  const mg_array* a = handle_of(self);
  const int ndim = mg_array_get_ndim(a);
  const int64_t* extents = mg_array_get_shape(a);
  PyObject* tuple = PyTuple_New(ndim);
  for (int i = 0; tuple && i < ndim; ++i) {
    PyObject* extent = PyLong_FromLongLong(extents[i]);
    if (!extent) {
      Py_DECREF(tuple);
      return nullptr;
    }
    PyTuple_SET_ITEM(tuple, i, extent);
  }
  return tuple;
}

PyObject* array_ndim(PyObject* self, void*) { return PyLong_FromLong(mg_array_get_ndim(handle_of(self))); }
PyObject* array_size(PyObject* self, void*) {
  return PyLong_FromLongLong(mg_array_get_size(handle_of(self)));
}
PyObject* array_dtype_number(PyObject* self, void*) {
  return PyLong_FromLong(mg_array_get_dtype(handle_of(self)));
}
PyObject* dtypes[MG_DTYPE_BFLOAT16 + 1];  // classes, by number
PyObject* array_dtype(PyObject* self, void*) {
  PyObject* dtype = dtypes[mg_array_get_dtype(handle_of(self))];
  Py_INCREF(dtype);
  return dtype;
}

// An operator of one array without parameters.
PyObject* call_unary(const mg_op* op, PyObject* self) { return call_simple(op, self, 0, nullptr, nullptr); }
const mg_op *transpose_op = nullptr, *identity_op = nullptr;
PyObject* array_transposed(PyObject* self, void*) { return call_unary(transpose_op, self); }
PyObject* array_copy(PyObject* self, PyObject*) { return call_unary(identity_op, self); }

Py_ssize_t array_length(PyObject* self) {
  const mg_array* array = handle_of(self);
  if (mg_array_get_ndim(array) > 0) return static_cast<Py_ssize_t>(mg_array_get_shape(array)[0]);
  PyErr_SetString(PyExc_TypeError, "[len] a 0-d array has no length");
  return -1;
}

PyObject* array_storage(PyObject* self, void*) {
  return PyLong_FromLong(mg_array_get_storage(handle_of(self)));
}
// _part(number) -> values, indices or starts of a sparse array
PyObject* array_part(PyObject* self, PyObject* number) {
  const long part = PyLong_AsLong(number);
  if (part == -1 && PyErr_Occurred()) return nullptr;
  mg_array* out = nullptr;
  if (const mg_status s = mg_array_get_part(handle_of(self), static_cast<int32_t>(part), &out))
    return raise_status(s);
  return wrap_array(out);
}
PyObject* array_check_sparse(PyObject* self, PyObject*) {
  mg_status status;
  {
    const Outside outside;
    status = mg_array_check_sparse(handle_of(self));
  }
  if (status) return raise_status(status);
  Py_RETURN_NONE;
}

PyObject* array_version(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(mg_array_get_version(handle_of(self)));
}
PyObject* array_device(PyObject* self, void*) {
  const mg_device d = mg_array_get_device(handle_of(self));
  return Py_BuildValue("ii", d.kind, d.id);
}
PyObject* array_recorded(PyObject* self, void*) {
  return PyBool_FromLong(mg_array_is_recorded(handle_of(self)));
}
PyObject* array_variable(PyObject* self, void*) {
  return PyBool_FromLong(mg_array_is_variable(handle_of(self)));
}

PyObject* array_fresh(PyObject* self, void*) {
  return PyBool_FromLong(mg_array_is_grad_fresh(handle_of(self)));
}
int array_set_fresh(PyObject* self, PyObject* value, void*) {
  const int given = value && value != Py_None ? PyObject_IsTrue(value) : 0;
  if (given < 0) return -1;
  const int fresh = value == Py_None ? -1 : given;
  if (const mg_status s = mg_array_set_grad_fresh(handle_of(self), fresh)) {
    raise_status(s);
    return -1;
  }
  return 0;
}

PyObject* array_grad(PyObject* self, void*) {
  mg_array* out = nullptr;
  if (const mg_status s = mg_array_get_grad(handle_of(self), &out)) return raise_status(s);
  if (!out) Py_RETURN_NONE;
  return wrap_array(out, class_of(self));
}

PyObject* wait_outside(mg_status (*wait)(mg_array*), PyObject* self) {
  mg_status status;
  {
    const Outside outside;
    status = wait(handle_of(self));
  }
  if (status) return raise_status(status);
  Py_RETURN_NONE;
}

PyObject* array_wait(PyObject* self, PyObject*) { return wait_outside(mg_array_wait_to_read, self); }

PyObject* array_wait_to_write(PyObject* self, PyObject*) {
  return wait_outside(mg_array_wait_to_write, self);
}

PyObject* array_detach(PyObject* self, PyObject*) {
  mg_array* out = nullptr;
  if (const mg_status s = mg_array_detach(handle_of(self), &out)) return raise_status(s);
  return wrap_array(out, class_of(self));
}

// _view(shape tuple) -> array over the same memory
PyObject* array_view(PyObject* self, PyObject* shape) {
  const Py_ssize_t n = PyTuple_Check(shape) ? PyTuple_GET_SIZE(shape) : -1;
  if (n < 0) {
    PyErr_SetString(PyExc_TypeError, "[reshape] expected a tuple of int");
    return nullptr;
  }
  constexpr Py_ssize_t kMostAxes = 64;  // more than the library takes
  if (n > kMostAxes) {
    PyErr_Format(PyExc_ValueError, "[reshape] %zd axes; at most %zd are supported", n, kMostAxes);
    return nullptr;
  }
  int64_t extents[kMostAxes];
  for (Py_ssize_t i = 0; i < n; ++i) {
    extents[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(shape, i));
    if (extents[i] == -1 && PyErr_Occurred()) return nullptr;
  }
  mg_array* out = nullptr;
  if (const mg_status s = mg_array_reshape(handle_of(self), extents, static_cast<int32_t>(n), &out)) {
    return raise_status(s);
  }
  return wrap_array(out, class_of(self));
}

// _rows(begin, end) -> view of the leading axis
PyObject* array_rows(PyObject* self, PyObject* args) {
  long long begin = 0, end = 0;
  if (!PyArg_ParseTuple(args, "LL", &begin, &end)) return nullptr;
  mg_array* out = nullptr;
  if (const mg_status s = mg_array_slice(handle_of(self), begin, end, &out)) return raise_status(s);
  return wrap_array(out, class_of(self));
}

PyObject* array_attach(PyObject* self, PyObject* args) {
  PyObject* gradient = nullptr;
  int req = MG_GRAD_REQ_WRITE;
  if (!PyArg_ParseTuple(args, "Oi", &gradient, &req)) return nullptr;
  if (gradient != Py_None && !is_array(gradient)) {
    PyErr_SetString(PyExc_TypeError, "[attach_grad] the gradient must be an NDArray");
    return nullptr;
  }
  mg_array* g = gradient == Py_None ? nullptr : handle_of(gradient);
  if (const mg_status s = mg_array_attach_grad(handle_of(self), g, req)) return raise_status(s);
  Py_RETURN_NONE;
}

PyObject* array_retain_grad(PyObject* self, PyObject*) {
  if (const mg_status s = mg_array_retain_grad(handle_of(self))) return raise_status(s);
  Py_RETURN_NONE;
}
PyObject* array_grad_retained(PyObject* self, void*) {
  return PyBool_FromLong(mg_array_is_grad_retained(handle_of(self)));
}

PyObject* array_copy_into(PyObject* self, PyObject* other) {
  if (!is_array(other)) {
    PyErr_Format(PyExc_TypeError, "[copyto] expected an NDArray; got %.100s", Py_TYPE(other)->tp_name);
    return nullptr;
  }
  if (const mg_status s = mg_array_copy(handle_of(self), handle_of(other))) return raise_status(s);
  Py_RETURN_NONE;
}

// _become(other): this object stands for the array that `other` stands for.
PyObject* array_become(PyObject* self, PyObject* other) {
  if (!is_array(other)) {
    PyErr_SetString(PyExc_TypeError, "[_become] expected an NDArray");
    return nullptr;
  }
  mg_array* before = handle_of(self);
  mg_array_retain(handle_of(other));
  reinterpret_cast<ArrayObject*>(self)->handle = handle_of(other);
  mg_array_destroy(before);
  Py_RETURN_NONE;
}

// _as(cls): the same array as an object of another class.
PyObject* array_as(PyObject* self, PyObject* cls) {
  if (!is_array_class(cls)) return nullptr;
  mg_array_retain(handle_of(self));
  return wrap_array(handle_of(self), reinterpret_cast<PyTypeObject*>(cls));
}

PyObject* array_shares_memory(PyObject* self, PyObject* other) {
  if (!is_array(other)) Py_RETURN_FALSE;
  return PyBool_FromLong(mg_array_shares_memory(handle_of(self), handle_of(other)));
}

PyMethodDef methods[] = {
    {"_part", array_part, METH_O, nullptr},
    {"_check_sparse", array_check_sparse, METH_NOARGS, nullptr},
    {"wait_to_read", array_wait, METH_NOARGS, "Blocks until the values are computed; raises what failed."},
    {"wait_to_write", array_wait_to_write, METH_NOARGS, "Blocks until nothing else uses the memory."},
    {"detach", array_detach, METH_NOARGS, "The same memory as a new array that no gradient flows to."},
    {"asnumpy", array_asnumpy, METH_NOARGS,
     "A NumPy copy; blocks until the values are computed. bfloat16 becomes float32."},
    {"asscalar", array_asscalar, METH_NOARGS,
     "The one element as a NumPy scalar; blocks. ShapeError where there are more, or none."},
    {"item", array_item, METH_NOARGS, "The one element as a Python number; blocks."},
    {"copy", array_copy, METH_NOARGS, "A new array with the same elements, on the same device."},
    {"_view", array_view, METH_O, nullptr},
    {"_rows", array_rows, METH_VARARGS, nullptr},
    {"_attach_grad", array_attach, METH_VARARGS, nullptr},
    {"_retain_grad", array_retain_grad, METH_NOARGS, nullptr},
    {"_copy_into", array_copy_into, METH_O, nullptr},
    {"_as", array_as, METH_O, nullptr},
    {"_become", array_become, METH_O, nullptr},
    {"_shares_memory", array_shares_memory, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef properties[] = {
    {"shape", array_shape, nullptr, "Extents, outermost first.", nullptr},
    {"ndim", array_ndim, nullptr, "Number of axes.", nullptr},
    {"size", array_size, nullptr, "Number of elements.", nullptr},
    {"dtype", array_dtype, nullptr,
     "Element type as a NumPy scalar type (numpy.float32, ...), or mixgrad.bfloat16.", nullptr},
    {"T", array_transposed, nullptr, "The array with its axes in reverse order (a copy).", nullptr},
    {"grad", array_grad, nullptr,
     "Gradient of a variable (see attach_grad), or what a result keeps (retain_grad), or None.", nullptr},
    {"_dtype_number", array_dtype_number, nullptr, nullptr, nullptr},
    {"_device", array_device, nullptr, nullptr, nullptr},
    {"_version", array_version, nullptr, nullptr, nullptr},
    {"_storage", array_storage, nullptr, nullptr, nullptr},
    {"_recorded", array_recorded, nullptr, nullptr, nullptr},
    {"_variable", array_variable, nullptr, nullptr, nullptr},
    {"_retains_grad", array_grad_retained, nullptr, nullptr, nullptr},
    {"_fresh_grad", array_fresh, array_set_fresh,
     "Of a variable: whether a backward pass has written its gradient since this was set to False. None "
     "also\n"
     "forgets the gradient, which is zeros from then on.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ArrayObject, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

}  // namespace

int make_array_type(PyObject* module) {
  if (find_number_operators() != 0) return -1;
  if (mg_op_find("transpose", &transpose_op) || mg_op_find("identity", &identity_op)) {
    PyErr_SetString(PyExc_ImportError, mg_last_error());
    return -1;
  }
  std::vector<PyType_Slot> slots = {{Py_tp_dealloc, reinterpret_cast<void*>(array_dealloc)},
                                    {Py_tp_new, reinterpret_cast<void*>(array_new)},
                                    {Py_tp_methods, methods},
                                    {Py_tp_getset, properties},
                                    {Py_tp_members, members},
                                    {Py_mp_length, reinterpret_cast<void*>(array_length)},
                                    {Py_sq_length, reinterpret_cast<void*>(array_length)},
                                    {Py_nb_float, reinterpret_cast<void*>(array_float)},
                                    {Py_nb_int, reinterpret_cast<void*>(array_int)}};
  for (PyType_Slot* s = array_number_slots; s->slot; ++s) slots.push_back(*s);
  for (PyType_Slot* s = array_index_slots; s->slot; ++s) slots.push_back(*s);
  slots.push_back({0, nullptr});
  PyType_Spec spec = {"mixgrad._core.NDArrayBase", sizeof(ArrayObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots.data()};
  base_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!base_type) return -1;
  usual_class = base_type;
  Py_INCREF(base_type);
  return PyModule_AddObject(module, "NDArrayBase", reinterpret_cast<PyObject*>(base_type));
}

int set_dtypes(PyObject* by_number) {
  PyObject *number = nullptr, *cls = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(by_number, &at, &number, &cls)) {
    const long i = PyLong_AsLong(number);
    if (i < 0 || i > MG_DTYPE_BFLOAT16) {
      PyErr_SetString(PyExc_ValueError, "no dtype has that number");
      return -1;
    }
    Py_INCREF(cls);
    dtypes[i] = cls;
  }
  return 0;
}

int find_dtype(PyObject* object) {
  for (int i = 0; i <= MG_DTYPE_BFLOAT16; ++i) {
    if (dtypes[i] == object) return i;
  }
  return -1;
}

PyTypeObject* array_base_type() { return base_type; }
PyTypeObject* usual_class = nullptr;

namespace {

PyTypeObject* further_classes[8];
int num_further_classes = 0;

// The garbage collector tracks the instances of every class that is written in Python. Arrays refer to no objects and can do
// without, which makes them cheaper to make and to free. Only for a class without attributes and before it has instances;
// classes derived from it are tracked again.
void leave_uncollected(PyTypeObject* type) {
  if (type->tp_basicsize != base_type->tp_basicsize || type->tp_dictoffset != 0) return;
  type->tp_flags &= ~Py_TPFLAGS_HAVE_GC;
  type->tp_free = base_type->tp_free;
  type->tp_traverse = nullptr;
  type->tp_clear = nullptr;
}

}  // namespace

int set_array_class(PyObject* cls) {
  if (!is_array_class(cls)) return -1;
  if (usual_class == base_type) leave_uncollected(reinterpret_cast<PyTypeObject*>(cls));
  Py_INCREF(cls);
  usual_class = reinterpret_cast<PyTypeObject*>(cls);
  return 0;
}

int add_array_class(PyObject* cls, bool uncollected) {
  if (!is_array_class(cls)) return -1;
  if (registered_class(reinterpret_cast<PyTypeObject*>(cls)) == reinterpret_cast<PyTypeObject*>(cls))
    return 0;
  if (num_further_classes == sizeof further_classes / sizeof further_classes[0]) {
    PyErr_SetString(PyExc_ValueError, "no room for another class of arrays");
    return -1;
  }
  if (uncollected) leave_uncollected(reinterpret_cast<PyTypeObject*>(cls));
  Py_INCREF(cls);
  further_classes[num_further_classes++] = reinterpret_cast<PyTypeObject*>(cls);
  return 0;
}

PyTypeObject* registered_class(PyTypeObject* type) {
  for (int i = 0; i < num_further_classes; ++i) {
    if (further_classes[i] == type) return type;
  }
  return is_numpy_class(type) ? numpy_class : usual_class;
}

int set_sparse_classes(PyObject* row_sparse, PyObject* csr) {
  PyObject* const given[] = {row_sparse, csr};
  for (int i = 0; i < 2; ++i) {
    if (!is_array_class(given[i])) return -1;
    Py_INCREF(given[i]);
    sparse_classes[MG_STORAGE_ROW_SPARSE + i] = reinterpret_cast<PyTypeObject*>(given[i]);
  }
  return 0;
}

PyObject* wrap_array(mg_array* handle, PyTypeObject* cls) {
  const int32_t storage = mg_array_get_storage(handle);
  if (storage != MG_STORAGE_DENSE && sparse_classes[storage]) cls = sparse_classes[storage];
  PyObject* self = cls->tp_alloc(cls, 0);
  if (!self) {
    mg_array_destroy(handle);
    return nullptr;
  }
  reinterpret_cast<ArrayObject*>(self)->handle = handle;
  return self;
}

void set_exceptions(PyObject* by_status) {
  Py_INCREF(by_status);
  exceptions = by_status;
}

PyObject* raise_text(mg_status status, PyObject* text) {
  PyObject* number = PyLong_FromLong(status);
  PyObject* cls = exceptions && number ? PyDict_GetItem(exceptions, number) : nullptr;
  Py_XDECREF(number);
  PyErr_SetObject(cls ? cls : PyExc_RuntimeError, text);
  Py_DECREF(text);
  return nullptr;
}

PyObject* raise_status(mg_status status) {
  // What a task of a program that ends failed with is no news to a thread that ends, too.
  if (status == MG_STATUS_STOPPED && ends_with_interpreter()) wait_for_end();
  if (PyErr_Occurred()) return nullptr;  // a Python callback failed inside: its exception says more
  PyObject* text = last_message();
  return text ? raise_text(status, text) : nullptr;
}

}  // namespace mixgrad_python
