// _core.Scope: recording and training for a `with` block or a decorated function.
#include "scope.h"

#include <new>
#include <vector>

#include "paths.h"

namespace mixgrad_python {
namespace {

// What was in force when a scope was entered.
struct Before {
  int32_t recording, training;
};
struct ScopeObject {
  PyObject_HEAD int record, train;  // 0, 1, or -1: as it is
  std::vector<Before>* before;      // innermost last: a scope may be entered again inside itself
};
PyTypeObject* scope_type = nullptr;

// Of this thread: scopes that say whether to record and have not been left, and what holds after the last of them, if
// begin_recording has said it meanwhile.
thread_local int open_scopes = 0;
thread_local bool records_afterwards = false;

PyObject* make_scope(int record, int train) {
  auto* self = reinterpret_cast<ScopeObject*>(scope_type->tp_alloc(scope_type, 0));
  if (!self) return nullptr;
  self->record = record;
  self->train = train;
  self->before = nullptr;
  return reinterpret_cast<PyObject*>(self);
}

bool read_flag(PyObject* object, int* flag) {
  *flag = object == Py_None ? -1 : PyObject_IsTrue(object);
  return object == Py_None || *flag >= 0;
}

PyObject* scope_new(PyTypeObject*, PyObject* args, PyObject*) {
  PyObject *record = nullptr, *train = nullptr;
  int record_flag = 0, train_flag = 0;
  if (!PyArg_ParseTuple(args, "OO", &record, &train)) return nullptr;
  if (!read_flag(record, &record_flag) || !read_flag(train, &train_flag)) return nullptr;
  return make_scope(record_flag, train_flag);
}

void scope_dealloc(PyObject* object) {
  delete reinterpret_cast<ScopeObject*>(object)->before;
  PyTypeObject* type = Py_TYPE(object);
  type->tp_free(object);
  Py_DECREF(type);
}

PyObject* scope_enter(PyObject* object, PyObject*) {
  auto* self = reinterpret_cast<ScopeObject*>(object);
  const Before now = {mg_autograd_is_recording(), mg_autograd_is_training()};
  try {
    if (!self->before) self->before = new std::vector<Before>();
    self->before->push_back(now);
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  mg_status status = MG_STATUS_OK;
  if (self->record >= 0) status = mg_autograd_set_recording(self->record, nullptr);
  if (!status && self->train >= 0) status = mg_autograd_set_training(self->train, nullptr);
  if (!status) {
    if (self->record >= 0) ++open_scopes;
    Py_RETURN_NONE;
  }
  self->before->pop_back();
  return raise_status(status);
}

PyObject* scope_exit(PyObject* object, PyObject* const*, Py_ssize_t) {
  auto* self = reinterpret_cast<ScopeObject*>(object);
  if (!self->before || self->before->empty()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "[autograd] a scope left without having been entered; use it in a with statement");
    return nullptr;
  }
  const Before then = self->before->back();
  self->before->pop_back();
  mg_status status = MG_STATUS_OK;
  if (self->record >= 0) {
    if (open_scopes > 0) --open_scopes;
    const bool begun = open_scopes == 0 && records_afterwards;
    if (begun) records_afterwards = false;
    status = mg_autograd_set_recording(begun || then.recording, nullptr);
  }
  if (!status) status = mg_autograd_set_training(then.training, nullptr);
  if (status) return raise_status(status);
  Py_RETURN_NONE;
}

// As a decorator.
PyObject* scope_call(PyObject* self, PyObject* args, PyObject* keywords) {
  PyObject* function = nullptr;
  static const char* const names[] = {"function", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O", const_cast<char**>(names), &function)) return nullptr;
  PyObject* module = PyImport_ImportModule("mixgrad.autograd");
  PyObject* result = module ? PyObject_CallMethod(module, "_scoped", "OO", self, function) : nullptr;
  Py_XDECREF(module);
  return result;
}

PyMethodDef scope_methods[] = {
    {"__enter__", scope_enter, METH_NOARGS, nullptr},
    {"__exit__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(scope_exit)), METH_FASTCALL,
     nullptr},
    {nullptr, nullptr, 0, nullptr}};

// record(train_mode), pause(train_mode)
PyObject* scope_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords,
                     int record, int train) {
  PyObject* places[1] = {};
  if (!sort_arguments(self, args, count, keywords, places)) return declined();
  if (places[0] && !read_flag(places[0], &train)) return nullptr;
  return make_scope(record, train);
}

}  // namespace

PyObject* record_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  return scope_path(self, args, count, keywords, 1, 1);
}
PyObject* pause_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  return scope_path(self, args, count, keywords, 0, 0);
}

mg_status begin_recording() {
  if (open_scopes == 0) return mg_autograd_set_recording(1, nullptr);
  records_afterwards = true;
  return MG_STATUS_OK;
}

int add_scope(PyObject* module) {
  PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(scope_new)},
                         {Py_tp_dealloc, reinterpret_cast<void*>(scope_dealloc)},
                         {Py_tp_call, reinterpret_cast<void*>(scope_call)},
                         {Py_tp_methods, scope_methods},
                         {0, nullptr}};
  PyType_Spec spec = {"mixgrad._core.Scope", sizeof(ScopeObject), 0, Py_TPFLAGS_DEFAULT, slots};
  scope_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!scope_type) return -1;
  Py_INCREF(scope_type);
  return PyModule_AddObject(module, "Scope", reinterpret_cast<PyObject*>(scope_type));
}

}  // namespace mixgrad_python
