// _core.quick and _core.op_function: functions of Python with a path in C before them.
#include "function.h"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "op.h"

namespace mixgrad_python {
namespace {

PyTypeObject* function_type = nullptr;

// Where Python itself refused a call, whose function never ran, so there is no traceback: an error of ours.
void explain_refusal(const FunctionObject* self, PyObject* keywords) {
  if (!self->op && !keywords) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  if (traceback) return PyErr_Restore(type, value, traceback);
  PyObject* text = value ? PyObject_Str(value) : nullptr;
  PyObject* module = text ? PyImport_ImportModule("mixgrad._hints") : nullptr;
  if (module && self->op) {
    const mg_op* op = reinterpret_cast<const OpObject*>(self->op)->op;
    Py_XDECREF(PyObject_CallMethod(module, "refuse_call", "sO", mg_op_get_name(op), text));
  } else if (module) {
    Py_XDECREF(PyObject_CallMethod(module, "refuse_words", "OO", self->function, keywords));
  }
  Py_XDECREF(text);
  Py_XDECREF(module);
  if (!PyErr_Occurred()) return PyErr_Restore(type, value, nullptr);  // it is something else
  Py_XDECREF(type);
  Py_XDECREF(value);
}

PyObject* function_vectorcall(PyObject* object, PyObject* const* args, size_t flags, PyObject* keywords) {
  auto* self = reinterpret_cast<FunctionObject*>(object);
  PyObject* result = self->path(self, args, PyVectorcall_NARGS(flags), keywords);
  if (result != declined()) return result;
  result = PyObject_Vectorcall(self->function, args, flags, keywords);
  if (!result && PyErr_ExceptionMatches(PyExc_TypeError)) explain_refusal(self, keywords);
  return result;
}

void function_dealloc(PyObject* object) {
  auto* self = reinterpret_cast<FunctionObject*>(object);
  PyObject_GC_UnTrack(object);
  if (self->weak_references) PyObject_ClearWeakRefs(object);
  for (int i = 0; i < self->num_arguments; ++i) {
    Py_XDECREF(self->arguments[i].name);
    Py_XDECREF(self->arguments[i].value);
  }
  delete[] self->arguments;
  Py_XDECREF(self->op);
  Py_XDECREF(self->function);
  Py_XDECREF(self->attributes);
  PyTypeObject* type = Py_TYPE(object);
  type->tp_free(object);
  Py_DECREF(type);
}

int function_traverse(PyObject* object, visitproc visit, void* arg) {
  auto* self = reinterpret_cast<FunctionObject*>(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->function);
  Py_VISIT(self->attributes);
  return 0;
}

int function_clear(PyObject* object) {
  Py_CLEAR(reinterpret_cast<FunctionObject*>(object)->attributes);
  return 0;
}

PyObject* function_get(PyObject* self, PyObject* instance, PyObject*) {
  if (instance && instance != Py_None) return PyMethod_New(self, instance);
  Py_INCREF(self);
  return self;
}

PyObject* function_repr(PyObject* self) {
  return PyObject_Repr(reinterpret_cast<FunctionObject*>(self)->function);
}

// Pickles and copies refer to it by its name, as they do to functions.
PyObject* function_reduce(PyObject* self, PyObject*) { return PyObject_GetAttrString(self, "__qualname__"); }

PyMethodDef function_methods[] = {{"__reduce__", function_reduce, METH_NOARGS, nullptr},
                                  {nullptr, nullptr, 0, nullptr}};
PyMemberDef function_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall), READONLY, nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(FunctionObject, attributes), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(FunctionObject, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyGetSetDef function_properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// The path of operators: the work of _core.call without a frame, a tuple or a dict, and without the parameters that nobody gave.
PyObject* op_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  PyObject* places[kMostArguments];
  std::fill_n(places, self->num_arguments, nullptr);
  mg_array* inputs[kMaxInputs];
  int num_inputs = 0;
  PyTypeObject* cls = usual_class;
  Owned several(nullptr);  // a list may lose its arrays while the library has let go of the interpreter
  if (self->variadic) {
    PyObject* list = nullptr;
    if (count == 1 && PyTuple_CheckExact(args[0])) list = args[0];
    if (count == 1 && PyList_CheckExact(args[0])) {
      list = several.object = PyList_AsTuple(args[0]);
      if (!list) return nullptr;
    }
    const Py_ssize_t n = list ? PyTuple_GET_SIZE(list) : count;
    if (n > kMaxInputs) return declined();
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject* item = list ? PyTuple_GET_ITEM(list, i) : args[i];
      if (!is_array(item)) return declined();
      cls = class_of(cls, item);
      inputs[num_inputs++] = handle_of(item);
    }
    if (!sort_arguments(self, args + count, 0, keywords, places)) return declined();
  } else if (!sort_arguments(self, args, count, keywords, places)) {
    return declined();
  }

  const char* names[kMaxParams];
  mg_value values[kMaxParams];
  ValuePool pool;
  int num_values = 0;
  bool absent = false;  // an input was left out; those after it must be, too
  const auto* op = reinterpret_cast<const OpObject*>(self->op);
  for (int i = 0; i < self->num_arguments; ++i) {
    const Argument& argument = self->arguments[i];
    PyObject* given = places[i];
    if (argument.input >= 0) {
      if (!given && !argument.value) return declined();
      if (!given || given == Py_None) {
        absent = true;
      } else {
        if (absent || !is_array(given)) return declined();
        cls = class_of(cls, given);
        inputs[num_inputs++] = handle_of(given);
      }
    } else if (argument.param) {
      const bool is_count = argument.param == self->count_param;
      if (given && (is_count || argument.is_device)) return declined();
      if (!given && !argument.value) return declined();
      if (is_count) {
        names[num_values] = argument.param;
        values[num_values] = mg_value{};
        values[num_values].kind = MG_VALUE_INTEGER;
        values[num_values++].as.integer = num_inputs;
        continue;
      }
      // What the signature says by default is the library's default, too.
      if (!given && argument.value != Py_None) continue;
      if (!given) given = Py_None;
      if (given == Py_None && argument.none_is_absent) continue;
      names[num_values] = argument.param;
      if (!value_from(given, &values[num_values], pool, mg_op_get_name(op->op), argument.param))
        return nullptr;
      ++num_values;
    }
  }

  mg_array* outputs[kMaxOutputs];
  PyObject* objects[kMaxOutputs];
  std::fill_n(outputs, op->room, nullptr);
  std::fill_n(objects, op->room, nullptr);
  if (PyObject* out = self->out >= 0 ? places[self->out] : nullptr; out && out != Py_None) {
    if (!is_array(out)) return declined();
    outputs[0] = handle_of(out);
    objects[0] = out;
  }
  return apply_op(op, num_inputs, inputs, num_values, names, values, outputs, objects, cls);
}

// What the function of Python, or the one that it wraps, takes, from its code: its arguments with their defaults.
bool read_signature(FunctionObject* self) {
  PyObject* function = PyObject_GetAttrString(self->function, "__wrapped__");
  if (!function) {
    PyErr_Clear();
    function = Py_NewRef(self->function);
  }
  PyObject* code = PyObject_GetAttrString(function, "__code__");
  PyObject* names = code ? PyObject_GetAttrString(code, "co_varnames") : nullptr;
  PyObject* positional = code ? PyObject_GetAttrString(code, "co_argcount") : nullptr;
  PyObject* by_keyword = code ? PyObject_GetAttrString(code, "co_kwonlyargcount") : nullptr;
  PyObject* defaults = PyObject_GetAttrString(function, "__defaults__");
  PyObject* keyword_defaults = PyObject_GetAttrString(function, "__kwdefaults__");
  bool fine = names && positional && by_keyword && defaults && keyword_defaults;
  if (fine) {
    self->num_positional = static_cast<int>(PyLong_AsLong(positional));
    self->num_arguments = 0;
    const int count = self->num_positional + static_cast<int>(PyLong_AsLong(by_keyword));
    if (count > kMostArguments) {
      PyErr_SetString(PyExc_ValueError, "[quick] the function has too many arguments");
      fine = false;
    } else {
      self->arguments = new (std::nothrow) Argument[static_cast<size_t>(count) + 1];
      if (!self->arguments) PyErr_NoMemory(), fine = false;
    }
    const Py_ssize_t num_defaults = fine && defaults != Py_None ? PyTuple_GET_SIZE(defaults) : 0;
    for (int i = 0; fine && i < count; ++i) {
      PyObject* name = PyTuple_GET_ITEM(names, i);
      Py_INCREF(name);
      PyUnicode_InternInPlace(&name);
      PyObject* value = nullptr;
      const Py_ssize_t at = i - (self->num_positional - num_defaults);
      if (i >= self->num_positional) {
        value = keyword_defaults == Py_None ? nullptr : PyDict_GetItem(keyword_defaults, name);
      } else if (at >= 0) {
        value = PyTuple_GET_ITEM(defaults, at);
      }
      Py_XINCREF(value);
      self->arguments[i] = {name, value, -1, nullptr, false, false};
      self->num_arguments = i + 1;
    }
  }
  for (PyObject* held : {function, code, names, positional, by_keyword, defaults, keyword_defaults})
    Py_XDECREF(held);
  return fine;
}

// Which arguments are the operator's inputs and parameters.
bool match_op(FunctionObject* self) {
  const auto* op = reinterpret_cast<const OpObject*>(self->op);
  self->variadic = mg_op_has(op->op, "variadic") != 0;
  self->num_inputs = mg_op_get_num_inputs(op->op);
  const char* counts = mg_op_get_num_inputs_param(op->op);
  size_t matched = 0;
  for (int i = 0; i < self->num_arguments; ++i) {
    Argument& argument = self->arguments[i];
    if (!self->variadic && i < self->num_inputs) {
      argument.input = i;
      continue;
    }
    const char* name = PyUnicode_AsUTF8(argument.name);
    if (!name) return false;
    const size_t length = std::strlen(name);
    for (size_t p = 0; p < op->names->size() && !argument.param; ++p) {
      const std::string& param = (*op->names)[p];
      // A word of Python's own has an underscore after it.
      const bool same = param == name || (length == param.size() + 1 && name[length - 1] == '_' &&
                                          param.compare(0, length - 1, name, length - 1) == 0);
      if (!same) continue;
      argument.param = param.c_str();
      argument.none_is_absent = (*op->none_default)[p];
      argument.is_device = param == "ctx";
      if (counts && param == counts) self->count_param = argument.param;
      ++matched;
    }
    if (argument.param) continue;
    if (std::strcmp(name, "out") == 0) self->out = i;
    if (std::strcmp(name, "name") == 0) self->name = i;
  }
  if (matched == op->names->size() && matched <= kMaxParams && self->num_inputs <= kMaxInputs) return true;
  PyErr_Format(PyExc_ValueError, "[op_function] the function's arguments are not those of %s",
               mg_op_get_name(op->op));
  return false;
}

PyObject* make_function(PyObject* function, Path path, PyObject* op) {
  auto* self = reinterpret_cast<FunctionObject*>(function_type->tp_alloc(function_type, 0));
  if (!self) return nullptr;
  self->vectorcall = function_vectorcall;
  self->path = path;
  self->out = self->name = -1;
  Py_INCREF(function);
  self->function = function;
  Py_XINCREF(op);
  self->op = op;
  auto* object = reinterpret_cast<PyObject*>(self);
  PyObject* tools = nullptr;
  bool fine = read_signature(self) && (!op || match_op(self));
  if (fine) {
    tools = PyImport_ImportModule("functools");
    PyObject* same = tools ? PyObject_CallMethod(tools, "update_wrapper", "OO", object, function) : nullptr;
    fine = same != nullptr;
    Py_XDECREF(same);
  }
  Py_XDECREF(tools);
  if (fine) return object;
  Py_DECREF(object);
  return nullptr;
}

PyObject* op_function(PyObject*, PyObject* args) {
  PyObject *op = nullptr, *function = nullptr;
  if (!PyArg_ParseTuple(args, "O!O", op_object_type(), &op, &function)) return nullptr;
  return make_function(function, op_path, op);
}

PyObject* quick(PyObject*, PyObject* args) {
  const char* name = nullptr;
  PyObject* function = nullptr;
  if (!PyArg_ParseTuple(args, "sO", &name, &function)) return nullptr;
  if (const Path path = find_path(name)) return make_function(function, path, nullptr);
  return PyErr_Format(PyExc_ValueError, "[quick] no path is called '%s'", name);
}

PyMethodDef module_functions[] = {
    {"op_function", op_function, METH_VARARGS, "op_function(op, function): an operator's function."},
    {"quick", quick, METH_VARARGS, "quick(path, function): the function behind a path in C."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool sort_arguments(const FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords,
                    PyObject** places) {
  if (count > self->num_positional) return false;
  std::copy_n(args, count, places);
  const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(keywords, k);
    int at = 0;
    while (at < self->num_arguments && self->arguments[at].name != name) ++at;
    if (at == self->num_arguments || places[at]) return false;
    places[at] = args[count + k];
  }
  return true;
}

int add_function(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(function_dealloc)},
                         {Py_tp_traverse, reinterpret_cast<void*>(function_traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(function_clear)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(function_get)},
                         {Py_tp_repr, reinterpret_cast<void*>(function_repr)},
                         {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                         {Py_tp_methods, function_methods},
                         {Py_tp_members, function_members},
                         {Py_tp_getset, function_properties},
                         {0, nullptr}};
  PyType_Spec spec = {
      "mixgrad._core.QuickFunction", sizeof(FunctionObject), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
      slots};
  function_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!function_type) return -1;
  Py_INCREF(function_type);
  if (PyModule_AddObject(module, "QuickFunction", reinterpret_cast<PyObject*>(function_type)) != 0) return -1;
  return PyModule_AddFunctions(module, module_functions);
}

}  // namespace mixgrad_python
