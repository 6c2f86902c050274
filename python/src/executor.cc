// _core.ExecutorHandle.
#include "executor.h"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "core.h"
#include "symbol.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

using Objects = std::vector<py::object>;

std::vector<mg_array*> handles_of(const Objects& arrays, const char* function) {
  std::vector<mg_array*> out;
  for (const py::object& array : arrays) {
    if (!array.is_none() && !is_array(array.ptr()))
      throw py::type_error(std::string("[") + function + "] expected NDArray; got " +
                           Py_TYPE(array.ptr())->tp_name);
    out.push_back(array.is_none() ? nullptr : handle_of(array.ptr()));
  }
  return out;
}

py::object own_array(mg_array* array) {
  if (!array) return py::none();
  PyObject* object = wrap_array(array);
  if (!object) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

// Devices by name of a group, as the C header takes them.
using Groups = std::vector<std::pair<std::string, std::pair<int, int>>>;
struct GroupArrays {
  explicit GroupArrays(const Groups& groups) {
    for (const auto& [name, device] : groups) {
      names.push_back(name.c_str());
      devices.push_back({device.first, device.second});
    }
  }
  int32_t size() const { return static_cast<int32_t>(names.size()); }
  std::vector<const char*> names;
  std::vector<mg_device> devices;
};

std::vector<std::pair<int, int>> place(const SymbolHandle& symbol, std::pair<int, int> device,
                                       const Groups& groups, int part, size_t count) {
  const GroupArrays placed(groups);
  std::vector<mg_device> out(count + 1);
  check_status(mg_symbol_place(symbol.get(), {device.first, device.second}, placed.size(),
                               placed.names.data(), placed.devices.data(), part, out.data()));
  std::vector<std::pair<int, int>> devices;
  for (size_t i = 0; i < count; ++i) devices.emplace_back(out[i].kind, out[i].id);
  return devices;
}

// A Python watcher: fn(name, array). What it raises is kept for the call that ran the executor.
struct PythonWatcher {
  py::function fn;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;

  static mg_status watch(void* context, const char* name, mg_array* array) {
    py::gil_scoped_acquire acquire;
    auto* self = static_cast<PythonWatcher*>(context);
    try {
      mg_array_retain(array);
      self->fn(py::str(name), own_array(array));
      return MG_OK;
    } catch (py::error_already_set& error) {
      mg_set_error(error.what());
      self->forget();
      error.restore();
      PyErr_Fetch(&self->type, &self->value, &self->trace);
    } catch (const std::exception& error) {
      mg_set_error(error.what());
    }
    return MG_INVALID_ARGUMENT;
  }
  static void release(void* context) {
    py::gil_scoped_acquire acquire;
    auto* self = static_cast<PythonWatcher*>(context);
    self->forget();
    delete self;
  }
  void forget() {
    Py_CLEAR(type);
    Py_CLEAR(value);
    Py_CLEAR(trace);
  }
};

class ExecutorHandle {
 public:
  explicit ExecutorHandle(mg_executor* executor) : executor_(executor) {}
  ExecutorHandle(const ExecutorHandle&) = delete;
  ExecutorHandle& operator=(const ExecutorHandle&) = delete;
  ~ExecutorHandle() { mg_executor_destroy(executor_); }

  static std::unique_ptr<ExecutorHandle> bind(const SymbolHandle& symbol, const Objects& arguments,
                                              const Objects& gradients, const std::vector<int32_t>& grad_reqs,
                                              const Objects& auxiliaries, std::pair<int, int> device,
                                              const ExecutorHandle* shared, const Groups& groups) {
    const auto args = handles_of(arguments, "bind"), grads = handles_of(gradients, "bind");
    const auto states = handles_of(auxiliaries, "bind");
    if (grads.size() != args.size() || grad_reqs.size() != args.size())
      throw py::value_error("[bind] one gradient and one request per argument are needed");
    mg_executor_arrays arrays{};
    arrays.size = sizeof arrays;
    arrays.num_arguments = static_cast<int32_t>(args.size());
    arrays.arguments = args.data();
    arrays.gradients = grads.data();
    arrays.grad_reqs = grad_reqs.data();
    arrays.num_auxiliaries = static_cast<int32_t>(states.size());
    arrays.auxiliaries = states.data();
    const GroupArrays placed(groups);
    arrays.num_groups = placed.size();
    arrays.group_names = placed.names.data();
    arrays.group_devices = placed.devices.data();
    mg_executor* out = nullptr;
    check_status(mg_executor_bind(symbol.get(), &arrays, {device.first, device.second},
                                  shared ? shared->executor_ : nullptr, &out));
    return std::make_unique<ExecutorHandle>(out);
  }

  void forward(bool training) {
    finish([&] { return mg_executor_forward(executor_, training); });
  }
  void backward(const Objects& head_gradients) {
    const auto heads = handles_of(head_gradients, "backward");
    finish([&] { return mg_executor_backward(executor_, static_cast<int32_t>(heads.size()), heads.data()); });
  }
  py::object array(int part, int index) const {
    mg_array* out = nullptr;
    check_status(mg_executor_get_array(executor_, part, index, &out));
    return own_array(out);
  }
  void set_array(int part, int index, const py::object& array) {
    const auto handles = handles_of({array}, "set_array");
    check_status(mg_executor_set_array(executor_, part, index, handles[0]));
  }
  std::unique_ptr<ExecutorHandle> reshape(const std::vector<std::string>& names,
                                          const std::vector<std::vector<int64_t>>& shapes,
                                          bool partial_shaping, bool allow_up_sizing) const {
    std::vector<const char*> name_texts;
    std::vector<int32_t> ndims;
    std::vector<const int64_t*> extents;
    for (const std::string& name : names) name_texts.push_back(name.c_str());
    for (const auto& shape : shapes) {
      ndims.push_back(static_cast<int32_t>(shape.size()));
      extents.push_back(shape.data());
    }
    mg_executor* out = nullptr;
    check_status(mg_executor_reshape(executor_, static_cast<int32_t>(names.size()), name_texts.data(),
                                     ndims.data(), extents.data(), partial_shaping, allow_up_sizing, &out));
    return std::make_unique<ExecutorHandle>(out);
  }
  void watch(const py::object& fn, bool inputs) {
    // A call that is refused leaves the watcher there was.
    if (fn.is_none()) {
      check_status(mg_executor_watch(executor_, nullptr));
      watcher_ = nullptr;
      return;
    }
    auto* context = new PythonWatcher{fn.cast<py::function>()};
    const mg_executor_watcher watcher{sizeof(mg_executor_watcher), context, &PythonWatcher::watch,
                                      &PythonWatcher::release, inputs ? 1 : 0};
    check_status(mg_executor_watch(executor_, &watcher));
    watcher_ = context;
  }
  std::pair<int64_t, int64_t> planned(bool training) const {
    int64_t bytes = 0, least = 0;
    check_status(mg_executor_get_planned(executor_, training, &bytes, &least));
    return {bytes, least};
  }
  std::string debug_text() const {
    char* text = nullptr;
    check_status(mg_executor_debug_text(executor_, &text));
    std::string out(text);
    mg_buffer_destroy(text);
    return out;
  }

 private:
  template <class Fn>
  void finish(Fn&& fn) {
    const mg_status status = fn();
    if (status == MG_OK) return;
    if (watcher_ && watcher_->type) {
      PyErr_Restore(watcher_->type, watcher_->value, watcher_->trace);
      watcher_->type = watcher_->value = watcher_->trace = nullptr;
      throw py::error_already_set();
    }
    check_status(status);
  }

  mg_executor* executor_;
  PythonWatcher* watcher_ = nullptr;  // owned by the executor
};

}  // namespace

void add_executor(py::module_& m) {
  py::class_<ExecutorHandle>(m, "ExecutorHandle")
      .def(py::init(&ExecutorHandle::bind))
      .def("forward", &ExecutorHandle::forward)
      .def("backward", &ExecutorHandle::backward)
      .def("array", &ExecutorHandle::array)
      .def("set_array", &ExecutorHandle::set_array)
      .def("reshape", &ExecutorHandle::reshape)
      .def("watch", &ExecutorHandle::watch)
      .def("planned", &ExecutorHandle::planned)
      .def("debug_text", &ExecutorHandle::debug_text);
  m.def("trace_begin", [](const Objects& inputs) {
    const auto arrays = handles_of(inputs, "jit");
    check_status(mg_trace_begin(static_cast<int32_t>(arrays.size()), arrays.data()));
  });
  m.def("trace_end", [](const Objects& outputs) {
    const auto arrays = handles_of(outputs, "jit");
    mg_symbol* symbol = nullptr;
    check_status(mg_trace_end(static_cast<int32_t>(arrays.size()), arrays.data(), &symbol));
    auto handle = std::make_unique<SymbolHandle>(symbol);
    py::list captured;
    for (int32_t i = 0; i < mg_trace_captured_count(); ++i) {
      mg_array* array = nullptr;
      check_status(mg_trace_get_captured(i, &array));
      captured.append(own_array(array));
    }
    return py::make_tuple(std::move(handle), captured);
  });
  m.def("trace_close", &mg_trace_close);
  m.def("trace_is_active", [] { return mg_trace_is_active() != 0; });
  m.def("place", &place);
  m.def("set_recompute", [](const std::string& setting) { check_status(mg_recompute_set(setting.c_str())); });
}

}  // namespace mixgrad_python
