// mixgrad._core: a client of mixgrad.h. What the Python package needs beyond calling operators.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core.h"
#include "dlpack.h"
#include "executor.h"
#include "kvstore.h"
#include "symbol.h"
#include "text.h"

namespace py = pybind11;
using namespace py::literals;
namespace mp = mixgrad_python;

void mp::check_status(mg_status status) {
  if (status == MG_OK) return;
  raise_status(status);
  throw py::error_already_set();
}

const char* mp::path_text(const std::string& path) {
  if (path.find('\0') != std::string::npos) throw py::value_error("[file] the path contains a zero byte");
  return path.c_str();
}

namespace {

void check(mg_status status) { mp::check_status(status); }

mg_array* handle(const py::object& object) {
  if (!mp::is_array(object.ptr())) {
    throw py::type_error(std::string("[mixgrad] got ") + Py_TYPE(object.ptr())->tp_name +
                         "; expected an NDArray");
  }
  return mp::handle_of(object.ptr());
}

std::vector<mg_array*> handles(const std::vector<py::object>& objects, bool allow_none = false) {
  std::vector<mg_array*> out;
  for (const py::object& o : objects) out.push_back(allow_none && o.is_none() ? nullptr : handle(o));
  return out;
}

py::object own(mg_array* array) {
  PyObject* object = mp::wrap_array(array);
  if (!object) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

using Extents = std::vector<int64_t>;
using DeviceNumbers = std::pair<int32_t, int32_t>;
mg_device device(const DeviceNumbers& d) { return {d.first, d.second}; }

py::object create(const Extents& shape, int dtype, const DeviceNumbers& where) {
  mg_array* out = nullptr;
  check(mg_array_create(shape.data(), static_cast<int32_t>(shape.size()), dtype, device(where), &out));
  return own(out);
}

// `data`: a C-contiguous buffer whose items are of the dtype's size.
py::object create_from(const py::buffer& data, const Extents& shape, int dtype, const DeviceNumbers& where) {
  const py::buffer_info info = data.request();
  int64_t elements = 1;
  for (int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(elements, extent, &elements)) {
      throw py::value_error("[create_from] an extent is negative or the shape too large");
    }
  }
  if (info.size < elements) throw py::value_error("[create_from] the buffer is smaller than the shape");
  mg_array* out = nullptr;
  check(mg_array_create_from(info.ptr, shape.data(), static_cast<int32_t>(shape.size()), dtype, device(where),
                             &out));
  return own(out);
}

void copy_to(const py::object& array, const py::buffer& dst) {
  const py::buffer_info info = dst.request(true);
  mg_array* a = handle(array);
  mg_status status;
  {
    py::gil_scoped_release release;
    status = mg_array_copy_to(a, info.ptr, static_cast<size_t>(info.size * info.itemsize));
  }
  check(status);
}

void copy_from(const py::object& array, const py::buffer& src) {
  const py::buffer_info info = src.request();
  mg_array* a = handle(array);
  mg_status status;
  {
    py::gil_scoped_release release;
    status = mg_array_copy_from(a, info.ptr, static_cast<size_t>(info.size * info.itemsize));
  }
  check(status);
}

py::dict memory_info(const DeviceNumbers& where) {
  mg_memory_info m{};
  m.size = sizeof m;
  check(mg_memory_get_info(device(where), &m));
  return py::dict("in_use"_a = m.in_use, "peak"_a = m.peak, "reserved"_a = m.reserved, "pooled"_a = m.pooled,
                  "external"_a = m.external, "blocks"_a = m.blocks, "allocations"_a = m.allocations,
                  "cache_hits"_a = m.cache_hits);
}

py::dict describe_op(int index) {
  const mg_op* op = mg_op_get(index);
  if (!op) throw py::index_error("no operator of that index");
  py::list aliases, inputs, params;
  for (int i = 0; i < mg_op_alias_count(op); ++i) aliases.append(mg_op_get_alias(op, i));
  for (int i = 0; i < mg_op_input_count(op); ++i) {
    mg_port_info port{};
    port.size = sizeof port;
    check(mg_op_get_input(op, i, &port));
    inputs.append(py::dict("name"_a = port.name, "doc"_a = port.doc, "mutates"_a = bool(port.mutates),
                           "auxiliary"_a = bool(port.auxiliary)));
  }
  for (int i = 0; i < mg_op_param_count(op); ++i) {
    mg_param_info p{};
    p.size = sizeof p;
    check(mg_op_get_param(op, i, &p));
    params.append(py::dict("name"_a = p.name, "type"_a = p.type, "doc"_a = p.doc,
                           "required"_a = bool(p.required), "default"_a = p.default_text));
  }
  py::dict has;
  for (const char* property : {"variadic", "gradient", "second_order", "zero_gradient", "random", "mode",
                               "pointwise", "optional_inputs", "single_output"}) {
    has[property] = bool(mg_op_has(op, property));
  }
  const char* count = mg_op_get_count_param(op);
  has["count_field"] = count ? py::object(py::str(count)) : py::object(py::none());
  return py::dict("name"_a = mg_op_get_name(op), "doc"_a = mg_op_get_doc(op),
                  "origin"_a = mg_op_get_origin(op), "module"_a = mg_op_get_module(op), "aliases"_a = aliases,
                  "inputs"_a = inputs, "params"_a = params, "has"_a = has);
}

void backward(const std::vector<py::object>& heads, const py::object& head_grads, bool retain_graph,
              bool create_graph) {
  const auto h = handles(heads);
  std::vector<mg_array*> g;
  if (!head_grads.is_none()) g = handles(head_grads.cast<std::vector<py::object>>(), true);
  if (!g.empty() && g.size() != h.size())
    throw py::value_error("[backward] one head gradient per head is needed");
  mg_status status;
  {
    py::gil_scoped_release release;
    status = mg_autograd_backward(static_cast<int32_t>(h.size()), h.data(), g.empty() ? nullptr : g.data(),
                                  retain_graph, create_graph);
  }
  check(status);
}

py::list grad(const std::vector<py::object>& heads, const std::vector<py::object>& variables,
              const py::object& head_grads, bool retain_graph, bool create_graph) {
  const auto h = handles(heads), v = handles(variables);
  std::vector<mg_array*> g, out(v.size(), nullptr);
  if (!head_grads.is_none()) g = handles(head_grads.cast<std::vector<py::object>>(), true);
  if (!g.empty() && g.size() != h.size())
    throw py::value_error("[grad] one head gradient per head is needed");
  mg_status status;
  {
    py::gil_scoped_release release;
    status =
        mg_autograd_grad(static_cast<int32_t>(h.size()), h.data(), g.empty() ? nullptr : g.data(),
                         static_cast<int32_t>(v.size()), v.data(), retain_graph, create_graph, out.data());
  }
  check(status);
  py::list result;
  for (mg_array* a : out) result.append(own(a));
  return result;
}

// A Python callable as the gradient of a custom function: gets a list of arrays, returns a list of arrays or None.
mg_status run_python_backward(void* context, int32_t n, mg_array* const* out_grads, int32_t m,
                              mg_array** in_grads) {
  py::gil_scoped_acquire acquire;
  try {
    const auto fn = py::reinterpret_borrow<py::function>(static_cast<PyObject*>(context));
    py::list given;
    for (int32_t i = 0; i < n; ++i) {
      mg_array* again = nullptr;
      check(mg_array_detach(out_grads[i], &again));
      given.append(own(again));
    }
    const auto results = fn(given).cast<std::vector<py::object>>();
    if (static_cast<int32_t>(results.size()) != m) {
      throw py::value_error("[Function] backward returned " + std::to_string(results.size()) +
                            " gradients; expected " + std::to_string(m));
    }
    for (int32_t i = 0; i < m; ++i) {
      if (results[static_cast<size_t>(i)].is_none()) continue;
      // A new handle to the same array, so that the tape owns what it keeps.
      in_grads[i] = nullptr;
      mg_array* result = handle(results[static_cast<size_t>(i)]);
      mg_array_retain(result);
      in_grads[i] = result;
    }
    return MG_OK;
  } catch (py::error_already_set& e) {
    mg_set_error(e.what());
    e.restore();
    return MG_INVALID_ARGUMENT;
  } catch (const std::exception& e) {
    mg_set_error(e.what());
    return MG_INVALID_ARGUMENT;
  }
}

void release_python(void* context) {
  py::gil_scoped_acquire acquire;
  Py_DECREF(static_cast<PyObject*>(context));
}

void record_custom(const std::string& name, const py::function& fn, const std::vector<py::object>& inputs,
                   const std::vector<py::object>& outputs) {
  const auto in = handles(inputs), out = handles(outputs);
  mg_custom_function function{sizeof(mg_custom_function), name.c_str(), fn.ptr(), run_python_backward,
                              release_python};
  Py_INCREF(fn.ptr());
  check(mg_autograd_record_custom(&function, static_cast<int32_t>(in.size()), in.data(),
                                  static_cast<int32_t>(out.size()), out.data()));
}

using mp::path_text;

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> out;
  for (const std::string& n : names) out.push_back(n.c_str());
  return out;
}

void save(const std::string& path, const std::string& format, const std::vector<py::object>& arrays,
          const std::optional<std::vector<std::string>>& names) {
  const auto a = handles(arrays);
  const auto n = names ? pointers(*names) : std::vector<const char*>();
  mg_status status;
  {
    py::gil_scoped_release release;
    status = mg_arrays_save(path_text(path), format.c_str(), static_cast<int32_t>(a.size()), a.data(),
                            names ? n.data() : nullptr);
  }
  check(status);
}

py::bytes save_buffer(const std::string& format, const std::vector<py::object>& arrays,
                      const std::optional<std::vector<std::string>>& names) {
  const auto a = handles(arrays);
  const auto n = names ? pointers(*names) : std::vector<const char*>();
  void* data = nullptr;
  size_t bytes = 0;
  mg_status status;
  {
    py::gil_scoped_release release;
    status = mg_arrays_save_buffer(format.c_str(), static_cast<int32_t>(a.size()), a.data(),
                                   names ? n.data() : nullptr, &data, &bytes);
  }
  check(status);
  py::bytes out(static_cast<const char*>(data), bytes);
  mg_buffer_destroy(data);
  return out;
}

// (arrays, names or None)
py::tuple take_list(mg_array_list* list) {
  py::list arrays, names;
  bool named = false;
  try {
    for (int32_t i = 0; i < mg_array_list_count(list); ++i) {
      mg_array* out = nullptr;
      check(mg_array_list_get(list, i, &out));
      arrays.append(out ? own(out) : py::none());
      const char* name = mg_array_list_get_name(list, i);
      named |= name != nullptr;
      names.append(name ? py::object(py::str(name)) : py::object(py::none()));
    }
  } catch (...) {
    mg_array_list_destroy(list);
    throw;
  }
  mg_array_list_destroy(list);
  return py::make_tuple(arrays, named ? py::object(names) : py::object(py::none()));
}

py::tuple load(const std::string& path) {
  mg_array_list* list = nullptr;
  mg_status status;
  {
    py::gil_scoped_release release;
    status = mg_arrays_load(path_text(path), &list);
  }
  check(status);
  return take_list(list);
}

py::tuple load_buffer(const py::buffer& data) {
  const py::buffer_info info = data.request();
  mg_array_list* list = nullptr;
  mg_status status;
  {
    py::gil_scoped_release release;
    status = mg_arrays_load_buffer(info.ptr, static_cast<size_t>(info.size * info.itemsize), &list);
  }
  check(status);
  return take_list(list);
}

Extents resolve_shape(const Extents& shape, const Extents& codes, bool reverse) {
  int64_t out[16];
  int32_t n = 0;
  check(mg_shape_resolve(shape.data(), static_cast<int32_t>(shape.size()), codes.data(),
                         static_cast<int32_t>(codes.size()), reverse, out, &n));
  return Extents(out, out + n);
}

bool swap_flag(mg_status (*set)(int32_t, int32_t*), bool on) {
  int32_t before = 0;
  check(set(on, &before));
  return before != 0;
}

}  // namespace

// The interpreter's lock is let go while the library blocks or works long inside a call.
std::atomic<int> threads_outside{0};
bool interpreter_ends = false;  // under the interpreter's lock

void* leave_interpreter() {
  if (!Py_IsInitialized() || !PyGILState_Check() || interpreter_ends) return nullptr;
  ++threads_outside;
  return PyEval_SaveThread();
}
void enter_interpreter(void* state) {
  if (!state) return;
  PyEval_RestoreThread(static_cast<PyThreadState*>(state));
  --threads_outside;
}

// A thread that asks for the lock of an interpreter that is being taken down is ended on the spot, in the middle of the
// library. So those that are outside come back first, as far as they do within a minute, and nobody leaves any more.
void end_interpreter() {
  interpreter_ends = true;
  py::gil_scoped_release release;
  for (int i = 0; i < 60000 && threads_outside.load() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

PYBIND11_MODULE(_core, m) {
  m.doc() = "The C header of mixgrad, as Python functions. Use the mixgrad package instead.";
  if (mp::make_array_type(m.ptr()) != 0 || mp::add_call(m.ptr()) != 0) throw py::error_already_set();
  m.def("set_array_class", [](const py::object& cls) {
    if (mp::set_array_class(cls.ptr()) != 0) throw py::error_already_set();
  });
  check(mg_engine_set_blocking_hooks(leave_interpreter, enter_interpreter));
  py::module_::import("atexit").attr("register")(py::cpp_function(end_interpreter));
  m.def("set_exceptions", [](const py::dict& by_status) { mp::set_exceptions(by_status.ptr()); });
  m.def("version", [] { return std::string(mg_version()); });
  m.def("has_feature", [](const std::string& name) { return mg_has_feature(name.c_str()) != 0; });

  m.def("create", &create);
  m.def("create_from", &create_from);
  m.def("copy_to", &copy_to);
  m.def("copy_from", &copy_from);
  m.def("resolve_shape", &resolve_shape);
  m.def("to_dlpack", &mp::to_dlpack);
  m.def("from_dlpack", &mp::from_dlpack);

  m.def("op_count", &mg_op_count);
  m.def("describe_op", &describe_op);
  m.def("op_names", [] {
    std::vector<std::string> names;
    for (int i = 0; i < mg_op_count(); ++i) names.emplace_back(mg_op_get_name(mg_op_get(i)));
    return names;
  });

  m.def("wait_all", [] {
    mg_status status;
    {
      py::gil_scoped_release release;
      status = mg_wait_all();
    }
    check(status);
  });
  m.def("set_engine", [](int kind) {
    mg_status status;
    {
      py::gil_scoped_release release;
      status = mg_engine_set_kind(kind);
    }
    check(status);
  });
  m.def("get_engine", &mg_engine_get_kind);
  m.def("set_num_threads", [](int n) { check(mg_threads_set(n)); });
  m.def("num_threads", &mg_threads_get);
  m.def("profiler_start", [] { check(mg_profiler_start()); });
  m.def("profiler_stop", [] { check(mg_profiler_stop()); });
  m.def("profiler_dump", [](const std::string& path) { check(mg_profiler_dump(path_text(path))); });

  m.def("device_count", &mg_device_count);
  m.def("device_check", [](const DeviceNumbers& d) { check(mg_device_check(device(d))); });
  m.def("current_device", [] {
    const mg_device d = mg_device_get_current();
    return DeviceNumbers(d.kind, d.id);
  });
  m.def("set_current_device", [](const DeviceNumbers& d) { check(mg_device_set_current(device(d))); });
  m.def("memory_info", &memory_info);
  m.def("memory_reset_peak", [](const DeviceNumbers& d) { check(mg_memory_reset_peak(device(d))); });
  m.def("memory_trim", [](const DeviceNumbers& d) {
    uint64_t released = 0;
    check(mg_memory_trim(device(d), &released));
    return released;
  });
  m.def("memory_fail_after", [](int64_t n) { check(mg_memory_fail_after(n)); });
  m.def("seed", [](uint64_t seed) { check(mg_random_seed(seed)); });
  m.def("seed_device",
        [](uint64_t seed, const DeviceNumbers& d) { check(mg_random_seed_device(seed, device(d))); });

  m.def("set_recording", [](bool on) { return swap_flag(mg_autograd_set_recording, on); });
  m.def("set_training", [](bool on) { return swap_flag(mg_autograd_set_training, on); });
  m.def("is_recording", [] { return mg_autograd_is_recording() != 0; });
  m.def("is_training", [] { return mg_autograd_is_training() != 0; });
  m.def("backward", &backward);
  m.def("grad", &grad);
  m.def("record_custom", &record_custom);

  mp::add_kvstore(m);
  mp::add_text(m);

  m.def("save", &save);
  m.def("save_buffer", &save_buffer);
  m.def("load", &load);
  m.def("load_buffer", &load_buffer);

  mp::add_symbol(m);
  mp::add_executor(m);
}
