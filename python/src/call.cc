// _core.Op and _core.call: one path from a generated Python function to mg_op_call.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "core.h"
#include "op.h"

namespace mixgrad_python {
namespace {

PyTypeObject* op_type = nullptr;

PyObject* op_new(PyTypeObject* type, PyObject* args, PyObject*) {
  const char* name = nullptr;
  PyObject* result = Py_None;
  if (!PyArg_ParseTuple(args, "s|O", &name, &result)) return nullptr;
  if (result != Py_None && add_array_class(result) != 0) return nullptr;
  const mg_op* op = nullptr;
  if (const mg_status s = mg_op_find(name, &op)) return raise_status(s);
  auto* self = reinterpret_cast<OpObject*>(type->tp_alloc(type, 0));
  if (!self) return nullptr;
  self->op = op;
  self->result =
      result == Py_None ? nullptr : reinterpret_cast<PyTypeObject*>(result);  // registered for good
  self->room = mg_op_has(op, "single_output") ? 1 : kMaxOutputs;
  mg_status status = MG_STATUS_OK;
  try {
    self->names = new std::vector<std::string>();
    self->none_default = new std::vector<bool>();
    for (int i = 0; status == MG_STATUS_OK && i < mg_op_get_num_params(op); ++i) {
      mg_param_info info{};
      info.size = sizeof info;
      status = mg_op_get_param(op, i, &info);
      if (status != MG_STATUS_OK) break;
      self->names->push_back(info.name);
      // A required parameter that may be None is passed on; any other None means "not given".
      const bool nullable = std::strncmp(info.type, "optional ", 9) == 0;
      self->none_default->push_back(std::strcmp(info.default_text, "None") == 0 ||
                                    (info.required && !nullable));
    }
  } catch (const std::bad_alloc&) {
    Py_DECREF(self);
    return PyErr_NoMemory();
  }
  if (status == MG_STATUS_OK) return reinterpret_cast<PyObject*>(self);
  Py_DECREF(self);
  return raise_status(status);
}

void op_dealloc(PyObject* self) {
  auto* object = reinterpret_cast<OpObject*>(self);
  delete object->names;
  delete object->none_default;
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* op_name(PyObject* self, void*) {
  return PyUnicode_FromString(mg_op_get_name(reinterpret_cast<OpObject*>(self)->op));
}

PyGetSetDef op_properties[] = {{"name", op_name, nullptr, nullptr, nullptr},
                               {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyObject* bad_input(const mg_op* op, Py_ssize_t i, PyObject* got) {
  PyObject* module = PyImport_ImportModule("mixgrad._hints");
  PyObject* result =
      module ? PyObject_CallMethod(module, "refuse_input", "snO", mg_op_get_name(op), i, got) : nullptr;
  Py_XDECREF(module);
  Py_XDECREF(result);
  return nullptr;
}

// Keywords that the function has no parameters for: the package refuses them, or warns that they are ignored.
bool may_ignore(const mg_op* op, PyObject* words) {
  PyObject* module = PyImport_ImportModule("mixgrad._hints");
  PyObject* result =
      module ? PyObject_CallMethod(module, "extra_parameters", "sO", mg_op_get_name(op), words) : nullptr;
  const bool may = result != nullptr;
  Py_XDECREF(module);
  Py_XDECREF(result);
  return may;
}

// Existing arrays that receive the outputs: an NDArray, or a tuple of them and None.
bool read_out(PyObject* out, const OpObject* self, mg_array** outputs, PyObject** objects) {
  const mg_op* op = self->op;
  if (is_array(out)) {
    outputs[0] = handle_of(out);
    objects[0] = out;
    return true;
  }
  if (!PyTuple_Check(out)) {
    bad_input(op, 0, out);
    return false;
  }
  const Py_ssize_t n = PyTuple_GET_SIZE(out);
  bool fine = n <= kMaxOutputs;
  for (Py_ssize_t i = 0; fine && i < n; ++i) {
    PyObject* item = PyTuple_GET_ITEM(out, i);
    if (item == Py_None) continue;
    fine = is_array(item);
    if (!fine) break;
    outputs[i] = handle_of(item);
    objects[i] = item;
  }
  if (!fine)
    PyErr_Format(PyExc_TypeError, "[%s] out must be an NDArray or a list of at most 64", mg_op_get_name(op));
  return fine;
}

PyObject* symbol_class = nullptr;
PyObject* symbol_call = nullptr;  // symbol_call(op name, inputs, out, values, name)

PyObject* set_symbol_class(PyObject*, PyObject* args) {
  PyObject *cls = nullptr, *function = nullptr;
  if (!PyArg_ParseTuple(args, "OO", &cls, &function)) return nullptr;
  Py_INCREF(cls);
  Py_INCREF(function);
  Py_XDECREF(symbol_class);
  Py_XDECREF(symbol_call);
  symbol_class = cls;
  symbol_call = function;
  Py_RETURN_NONE;
}

// Some input is no array: the whole call goes to the symbols' function if one of them is a symbol.
PyObject* call_symbols(const OpObject* op, PyObject* const* args, PyObject* name, Py_ssize_t at) {
  bool any = false;
  for (Py_ssize_t i = 0; symbol_class && !any && i < PyTuple_GET_SIZE(args[1]); ++i) {
    const int is = PyObject_IsInstance(PyTuple_GET_ITEM(args[1], i), symbol_class);
    if (is < 0) return nullptr;
    any = is == 1;
  }
  if (!any) return bad_input(op->op, at, PyTuple_GET_ITEM(args[1], at));
  return PyObject_CallFunction(symbol_call, "sOOOO", mg_op_get_name(op->op), args[1], args[2], args[3], name);
}

// call(op, inputs, out, values, name=None, words={}): inputs is a tuple of arrays (None dropped after the second), values one
// object per parameter; the name serves symbols; words are keywords that the caller has no parameters for.
PyObject* call(PyObject*, PyObject* const* args, Py_ssize_t num_args) {
  if (num_args < 4 || num_args > 6 || Py_TYPE(args[0]) != op_type || !PyTuple_Check(args[1]) ||
      !PyTuple_Check(args[3]) || (num_args == 6 && !PyDict_Check(args[5]))) {
    PyErr_SetString(PyExc_TypeError, "[call] expected (op, inputs tuple, out, values tuple, name, words)");
    return nullptr;
  }
  const auto* self = reinterpret_cast<OpObject*>(args[0]);
  const mg_op* op = self->op;
  if (num_args == 6 && PyDict_GET_SIZE(args[5]) != 0 && !may_ignore(op, args[5])) return nullptr;
  Py_ssize_t n = PyTuple_GET_SIZE(args[1]);
  while (n > 0 && PyTuple_GET_ITEM(args[1], n - 1) == Py_None) --n;
  mg_array* few_inputs[kMaxInputs];
  std::unique_ptr<mg_array*[]> many_inputs;
  mg_array** inputs = few_inputs;
  if (n > kMaxInputs) {
    many_inputs.reset(new (std::nothrow) mg_array*[static_cast<size_t>(n)]);
    if (!many_inputs) return PyErr_NoMemory();
    inputs = many_inputs.get();
  }
  Py_ssize_t num_inputs = 0;
  PyTypeObject* cls = usual_class;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = PyTuple_GET_ITEM(args[1], i);
    if (item == Py_None && i >= 2)
      continue;  // an optional input before another one, such as CTCLoss's data_lengths
    if (!is_array(item)) return call_symbols(self, args, num_args > 4 ? args[4] : Py_None, i);
    cls = class_of(cls, item);
    inputs[num_inputs++] = handle_of(item);
  }
  n = num_inputs;

  const char* names[kMaxParams];
  mg_value values[kMaxParams];
  ValuePool pool;
  int num_values = 0;
  const Py_ssize_t given = PyTuple_GET_SIZE(args[3]);
  if (given != static_cast<Py_ssize_t>(self->names->size()) || given > kMaxParams) {
    PyErr_Format(PyExc_TypeError, "[%s] got %zd parameter values; expected %zu", mg_op_get_name(op), given,
                 self->names->size());
    return nullptr;
  }
  for (Py_ssize_t i = 0; i < given; ++i) {
    PyObject* value = PyTuple_GET_ITEM(args[3], i);
    const auto at = static_cast<size_t>(i);
    if (value == Py_None && (*self->none_default)[at]) continue;
    names[num_values] = (*self->names)[at].c_str();
    if (!value_from(value, &values[num_values], pool, mg_op_get_name(op), names[num_values])) return nullptr;
    ++num_values;
  }

  mg_array* outputs[kMaxOutputs];
  PyObject* objects[kMaxOutputs];
  std::fill_n(outputs, self->room, nullptr);
  std::fill_n(objects, self->room, nullptr);
  // A list may lose its arrays to another thread while the library has let go of the interpreter; a tuple may not.
  const bool is_list = PyList_Check(args[2]) != 0;
  const Owned several(is_list ? PyList_AsTuple(args[2]) : nullptr);
  if (is_list && !several.object) return nullptr;
  PyObject* out = is_list ? several.object : args[2];
  if (out != Py_None && !read_out(out, self, outputs, objects)) return nullptr;
  if (PyTuple_Check(out)) {
    int32_t num_needed = 0, num_visible = 0;
    if (const mg_status s = mg_op_arity(op, num_values, names, values, &num_needed, &num_visible)) {
      return raise_status(s);
    }
    if (PyTuple_GET_SIZE(out) != num_visible) {
      PyErr_Format(PyExc_ValueError, "[%s] out has %zd arrays; expected %d", mg_op_get_name(op),
                   PyTuple_GET_SIZE(out), num_visible);
      return nullptr;
    }
  }
  return apply_op(self, static_cast<int>(n), inputs, num_values, names, values, outputs, objects, cls);
}

PyMethodDef call_methods[] = {
    {"call", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)), METH_FASTCALL,
     "call(op, inputs, out, values, name=None, words={}): applies an operator."},
    {"set_symbol_class", set_symbol_class, METH_VARARGS,
     "set_symbol_class(cls, function): what calls with symbols go to."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject* op_object_type() { return op_type; }

PyObject* apply_op(const OpObject* op, int num_inputs, mg_array* const* inputs, int num_values,
                   const char* const* names, const mg_value* values, mg_array** outputs, PyObject** objects,
                   PyTypeObject* cls) {
  int32_t num_outputs = op->room;
  if (const mg_status s =
          mg_op_call(op->op, num_inputs, inputs, num_values, names, values, &num_outputs, outputs)) {
    return raise_status(s);
  }
  if (op->result) cls = op->result;
  const auto object_of = [&](int i) -> PyObject* {
    if (!objects[i]) return wrap_array(outputs[i], cls);
    Py_INCREF(objects[i]);
    return objects[i];
  };
  if (num_outputs == 1) return object_of(0);
  PyObject* list = PyList_New(num_outputs);
  bool failed = list == nullptr;
  for (int i = 0; i < num_outputs; ++i) {
    if (failed) {  // what no object owns yet
      if (!objects[i]) mg_array_destroy(outputs[i]);
      continue;
    }
    PyObject* item = object_of(i);
    failed = item == nullptr;
    if (!failed) PyList_SET_ITEM(list, i, item);
  }
  if (!failed) return list;
  Py_XDECREF(list);
  return nullptr;
}

bool value_from(PyObject* object, mg_value* out, ValuePool& pool, const char* op, const char* name) {
  *out = mg_value{};
  if (object == Py_None) return true;
  if (PyBool_Check(object)) {
    out->kind = MG_VALUE_BOOLEAN;
    out->as.integer = object == Py_True;
    return true;
  }
  if (PyLong_Check(object)) {
    out->kind = MG_VALUE_INTEGER;
    int overflow = 0;
    out->as.integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow) {
      PyErr_Format(PyExc_OverflowError, "[%s] parameter '%s' got an integer beyond 64 bits", op, name);
      return false;
    }
    return !(out->as.integer == -1 && PyErr_Occurred());
  }
  if (PyFloat_Check(object)) {
    out->kind = MG_VALUE_REAL;
    out->as.real = PyFloat_AS_DOUBLE(object);
    return true;
  }
  if (PyUnicode_Check(object)) {
    out->kind = MG_VALUE_STRING;
    out->as.string = PyUnicode_AsUTF8(object);
    return out->as.string != nullptr;
  }
  if (PyTuple_Check(object) || PyList_Check(object)) {
    PyObject* items = PySequence_Fast(object, "tuple");
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(items);
    bool fine = pool.used + n <= static_cast<Py_ssize_t>(sizeof pool.items / sizeof pool.items[0]);
    if (!fine) PyErr_Format(PyExc_ValueError, "[%s] parameter '%s' has too many items", op, name);
    mg_value* place = pool.items + pool.used;
    if (fine) pool.used += static_cast<int>(n);
    for (Py_ssize_t i = 0; fine && i < n; ++i) {
      fine = value_from(PySequence_Fast_GET_ITEM(items, i), place + i, pool, op, name);
    }
    Py_DECREF(items);
    out->kind = MG_VALUE_TUPLE;
    out->num_items = static_cast<int32_t>(n);
    out->as.items = place;
    return fine;
  }
  if (PyIndex_Check(object)) {  // NumPy integers
    PyObject* whole = PyNumber_Index(object);
    if (whole) {
      out->kind = MG_VALUE_INTEGER;
      out->as.integer = PyLong_AsLongLong(whole);
      Py_DECREF(whole);
      return !(out->as.integer == -1 && PyErr_Occurred());
    }
    PyErr_Clear();
  }
  // Arrays of one axis, such as NumPy's, are tuples of their elements.
  if (PySequence_Check(object) && !PyBytes_Check(object) && !is_array(object)) {
    PyObject* items = PySequence_Tuple(object);
    const bool flat =
        items && (PyTuple_GET_SIZE(items) == 0 || !PySequence_Check(PyTuple_GET_ITEM(items, 0)));
    if (flat && pool.num_held < kMaxHeld) {
      pool.held[pool.num_held++] = items;
      return value_from(items, out, pool, op, name);
    }
    Py_XDECREF(items);
    PyErr_Clear();
  }
  if (PyNumber_Check(object) && !PySequence_Check(object)) {  // NumPy floats
    PyObject* real = PyNumber_Float(object);
    if (real) {
      out->kind = MG_VALUE_REAL;
      out->as.real = PyFloat_AS_DOUBLE(real);
      Py_DECREF(real);
      return true;
    }
    PyErr_Clear();
  }
  // dtypes: np.float32, np.dtype('float32'), and the like, by their name.
  for (const char* attribute : {"name", "__name__"}) {
    PyObject* text = PyObject_GetAttrString(object, attribute);
    if (text && PyUnicode_Check(text) && pool.num_held < kMaxHeld) {
      pool.held[pool.num_held++] = text;
      out->kind = MG_VALUE_STRING;
      out->as.string = PyUnicode_AsUTF8(text);
      return out->as.string != nullptr;
    }
    Py_XDECREF(text);
    PyErr_Clear();
  }
  PyErr_Format(PyExc_TypeError, "[%s] parameter '%s' got %.100s; expected a number, text, tuple or None", op,
               name, Py_TYPE(object)->tp_name);
  return false;
}

int add_call(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(op_new)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(op_dealloc)},
                         {Py_tp_getset, op_properties},
                         {0, nullptr}};
  PyType_Spec spec = {"mixgrad._core.Op", sizeof(OpObject), 0, Py_TPFLAGS_DEFAULT, slots};
  op_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!op_type) return -1;
  Py_INCREF(op_type);
  if (PyModule_AddObject(module, "Op", reinterpret_cast<PyObject*>(op_type)) != 0) return -1;
  return PyModule_AddFunctions(module, call_methods);
}

}  // namespace mixgrad_python
