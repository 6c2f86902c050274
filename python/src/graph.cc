// _core.TraceHandle and _core.CachedGraph: functions that are written down as graphs, then called as those.
#include "graph.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "exchange.h"
#include "symbol.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

// A callable of the interpreter's own, since its calls are as frequent as those of operators.
struct GraphObject {
  PyObject_HEAD mg_graph* graph;
  PyTypeObject**
      classes;  // of the outputs, registered for good; null: the class that operators give for the inputs
  int num_outputs;
  PyTypeObject* many;  // the outputs are given as a list, as a tuple; null: the one output itself
  // More inputs, which it holds: objects of arrays that the function used. They may stand for other arrays later.
  PyObject** followed;
  int num_followed;
};
PyTypeObject* graph_type = nullptr;

void graph_dealloc(PyObject* object) {
  auto* self = reinterpret_cast<GraphObject*>(object);
  mg_graph_destroy(self->graph);
  delete[] self->classes;
  for (int i = 0; i < self->num_followed; ++i) Py_DECREF(self->followed[i]);
  delete[] self->followed;
  PyTypeObject* type = Py_TYPE(object);
  type->tp_free(object);
  Py_DECREF(type);
}

// What the function returned, with these arrays, which it takes over.
PyObject* outputs_as_objects(const GraphObject* self, mg_array* const* outputs, PyTypeObject* cls) {
  if (!self->many) return wrap_array(outputs[0], self->classes ? self->classes[0] : cls);
  const bool is_tuple = self->many == &PyTuple_Type;
  PyObject* all = is_tuple ? PyTuple_New(self->num_outputs) : PyList_New(self->num_outputs);
  bool failed = all == nullptr;
  for (int i = 0; i < self->num_outputs; ++i) {
    PyObject* item = failed ? nullptr : wrap_array(outputs[i], self->classes ? self->classes[i] : cls);
    if (failed) mg_array_destroy(outputs[i]);
    failed = !item;
    if (failed) continue;
    if (is_tuple)
      PyTuple_SET_ITEM(all, i, item);
    else
      PyList_SET_ITEM(all, i, item);
  }
  if (!failed) return all;
  Py_XDECREF(all);
  return nullptr;
}

constexpr Py_ssize_t kFewArrays = 32;

PyObject* graph_call(PyObject* object, PyObject* args, PyObject*) {
  const auto* self = reinterpret_cast<const GraphObject*>(object);
  const Py_ssize_t count = PyTuple_GET_SIZE(args), total = count + self->num_followed;
  mg_array *few_inputs[kFewArrays], *few_outputs[kFewArrays];
  std::vector<mg_array*> many;
  mg_array **inputs = few_inputs, **outputs = few_outputs;
  if (total > kFewArrays || self->num_outputs > kFewArrays) {
    try {
      many.resize(static_cast<size_t>(total + self->num_outputs));
    } catch (const std::bad_alloc&) {
      return PyErr_NoMemory();
    }
    inputs = many.data();
    outputs = inputs + total;
  }
  PyTypeObject* cls = usual_class;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const item = PyTuple_GET_ITEM(args, i);
    if (!is_array(item)) {
      PyErr_Format(PyExc_TypeError, "[graph] input %zd is %.100s; expected NDArray", i,
                   Py_TYPE(item)->tp_name);
      return nullptr;
    }
    cls = class_of(cls, item);
    inputs[i] = handle_of(item);
  }
  for (Py_ssize_t i = count; i < total; ++i) inputs[i] = handle_of(self->followed[i - count]);
  const mg_status status =
      mg_graph_call(self->graph, static_cast<int32_t>(total), inputs, self->num_outputs, outputs);
  return status ? raise_status(status) : outputs_as_objects(self, outputs, cls);
}

// A new array of this one's shape, dtype, device and class, for a trace to stand for it: without memory.
PyObject* stand_in(PyObject*, PyObject* object) {
  if (!is_array(object)) {
    PyErr_SetString(PyExc_TypeError, "[jit] expected NDArray");
    return nullptr;
  }
  const mg_array* array = handle_of(object);
  mg_array* made = nullptr;
  const mg_status status = mg_array_create(mg_array_get_shape(array), mg_array_get_ndim(array),
                                           mg_array_get_dtype(array), mg_array_get_device(array), &made);
  return status ? raise_status(status) : wrap_array(made, class_of(object));
}

// What a call with these arguments is written down for: their classes, dtypes, devices and shapes, and whether it is training.
// None where an argument is no array, or while a trace writes calls down.
PyObject* call_signature(PyObject*, PyObject* arguments) {
  if (!PyTuple_Check(arguments)) {
    PyErr_SetString(PyExc_TypeError, "[jit] expected a tuple");
    return nullptr;
  }
  const Py_ssize_t count = PyTuple_GET_SIZE(arguments);
  if (mg_trace_is_active()) Py_RETURN_NONE;
  constexpr size_t kMostWords = 512;
  int64_t words[kMostWords];
  size_t used = 0;
  words[used++] = mg_autograd_is_training();
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const item = PyTuple_GET_ITEM(arguments, i);
    if (!is_array(item)) Py_RETURN_NONE;
    const mg_array* const array = handle_of(item);
    const auto ndim = static_cast<size_t>(mg_array_get_ndim(array));
    if (used + 5 + ndim > kMostWords) Py_RETURN_NONE;
    const mg_device on = mg_array_get_device(array);
    words[used++] = reinterpret_cast<intptr_t>(class_of(item));
    words[used++] = mg_array_get_dtype(array);
    words[used++] = on.kind;
    words[used++] = on.id;
    words[used++] = static_cast<int64_t>(ndim);
    std::copy_n(mg_array_get_shape(array), ndim, words + used);
    used += ndim;
  }
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(words),
                                   static_cast<Py_ssize_t>(used * sizeof words[0]));
}

class TraceHandle : public Owner<mg_trace, mg_trace_destroy> {
 public:
  TraceHandle(mg_trace* trace) : Owner(trace) {}
  int32_t num_inputs = 0;
};

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> out;
  for (const std::string& name : names) out.push_back(name.c_str());
  return out;
}

std::vector<std::string> numbered(const char* name, int32_t count) {
  std::vector<std::string> out;
  for (int32_t i = 0; i < count; ++i) out.push_back(name + std::to_string(i));
  return out;
}

// A graph with the settings in force.
mg_graph* create_graph(const mg_symbol* symbol, mg_graph_options& options) {
  const GraphSettings& settings = graph_settings();
  options.passes = settings.passes.c_str();
  options.recompute = settings.recompute.empty() ? nullptr : settings.recompute.c_str();
  mg_graph* graph = nullptr;
  check_status(mg_graph_create(symbol, &options, &graph));
  return graph;
}

// The graph of a trace. What it captured comes with each call where `object` is to follow it, and is kept otherwise.
void make_graph(const TraceHandle& self, const std::vector<mg_array*>& outputs, const Objects& followed,
                GraphObject* object) {
  mg_symbol* symbol = nullptr;
  check_status(mg_trace_end(self.get(), static_cast<int32_t>(outputs.size()), outputs.data(), &symbol));
  const std::unique_ptr<mg_symbol, void (*)(mg_symbol*)> held(symbol, mg_symbol_destroy);
  const std::vector<std::string> inputs = numbered("input", self.num_inputs),
                                 captured = numbered("captured", mg_trace_get_num_captured(self.get()));
  auto input_names = pointers(inputs);
  std::vector<const char*> kept_names;
  std::vector<std::unique_ptr<mg_array, void (*)(mg_array*)>> owned;
  std::vector<mg_array*> kept;
  object->followed = new PyObject*[followed.size() + 1];
  for (size_t i = 0; i < captured.size(); ++i) {
    mg_array* array = nullptr;
    check_status(mg_trace_get_captured(self.get(), static_cast<int32_t>(i), &array));
    owned.emplace_back(array, mg_array_destroy);
    const auto found = std::find_if(followed.begin(), followed.end(), [&](const py::object& one) {
      return is_array(one.ptr()) && handle_of(one.ptr()) == array;
    });
    if (found != followed.end()) {
      object->followed[object->num_followed++] = py::object(*found).release().ptr();
      input_names.push_back(captured[i].c_str());
      continue;
    }
    kept_names.push_back(captured[i].c_str());
    kept.push_back(array);
  }
  static const char* const none[] = {nullptr};
  mg_graph_options options{};
  options.size = sizeof options;
  options.input_names = input_names.empty() ? none : input_names.data();
  options.num_inputs = static_cast<int32_t>(input_names.size());
  options.num_kept = static_cast<int32_t>(kept.size());
  options.kept_names = kept_names.data();
  options.kept = kept.data();
  options.name = "jit";
  options.is_traced = 1;
  object->graph = create_graph(symbol, options);
}

GraphObject* new_object() {
  auto* object = reinterpret_cast<GraphObject*>(graph_type->tp_alloc(graph_type, 0));
  if (!object) throw py::error_already_set();
  return object;
}

// What `many` says calls of a graph give: list or tuple; None: the one output.
PyTypeObject* container_of(const py::object& many) {
  if (many.is_none()) return nullptr;
  return many.ptr() == reinterpret_cast<PyObject*>(&PyTuple_Type) ? &PyTuple_Type : &PyList_Type;
}

// A symbol's graph, whose calls take an array for each of `inputs`.
py::object graph_of_symbol(const SymbolHandle& symbol, const std::vector<std::string>& inputs,
                           const py::object& many, const std::string& name, int32_t inline_limit) {
  GraphObject* const object = new_object();
  auto result = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(object));
  static const char* const none[] = {nullptr};
  const auto input_names = pointers(inputs);
  mg_graph_options options{};
  options.size = sizeof options;
  options.input_names = inputs.empty() ? none : input_names.data();
  options.num_inputs = static_cast<int32_t>(inputs.size());
  options.name = name.c_str();
  options.inline_limit = inline_limit;
  object->graph = create_graph(symbol.get(), options);
  object->num_outputs = mg_graph_get_num_outputs(object->graph);
  object->many = container_of(many);
  return result;
}

// Ends the trace. `many`: list or tuple, which calls of the graph give; None: the one output. `followed`: objects of arrays.
py::object end_trace(const TraceHandle& self, const Objects& outputs, const py::object& many,
                     const Objects& followed) {
  const auto arrays = array_handles(outputs, "jit");
  GraphObject* const object = new_object();
  auto result = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(object));
  make_graph(self, arrays, followed, object);
  object->classes = new PyTypeObject*[arrays.size()];
  object->num_outputs = static_cast<int>(arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i) object->classes[i] = class_of(outputs[i].ptr());
  object->many = container_of(many);
  return result;
}

py::object begin_trace(const Objects& inputs) {
  const auto arrays = array_handles(inputs, "jit");
  mg_trace* trace = nullptr;
  check_status(mg_trace_begin(static_cast<int32_t>(arrays.size()), arrays.data(), &trace));
  auto made = make_handle<TraceHandle>(trace);
  made->num_inputs = static_cast<int32_t>(arrays.size());
  return object_of(std::move(made));
}

PyMethodDef functions[] = {
    {"call_signature", call_signature, METH_O, "call_signature(arguments): what a call is written down for."},
    {"stand_in", stand_in, METH_O, "stand_in(array): what a trace has in place of an argument."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void add_graph(py::module_& m) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(graph_dealloc)},
                         {Py_tp_call, reinterpret_cast<void*>(graph_call)},
                         {0, nullptr}};
  PyType_Spec spec = {"mixgrad._core.CachedGraph", sizeof(GraphObject), 0, Py_TPFLAGS_DEFAULT, slots};
  graph_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!graph_type) throw py::error_already_set();
  m.add_object("CachedGraph", py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(graph_type)));
  if (PyModule_AddFunctions(m.ptr(), functions) != 0) throw py::error_already_set();
  py::class_<TraceHandle>(m, "TraceHandle").def("end", &end_trace).def("close", [](TraceHandle& self) {
    mg_trace_destroy(self.release());
  });
  m.def("trace_begin", &begin_trace);
  m.def("graph_of_symbol", &graph_of_symbol);
  m.def("trace_is_active", [] { return mg_trace_is_active() != 0; });
}

}  // namespace mixgrad_python
