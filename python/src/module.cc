// mixgrad._core: a client of mixgrad.h. What the Python package needs beyond calling operators.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batches.h"
#include "crc32c.h"
#include "custom.h"
#include "dlpack.h"
#include "exchange.h"
#include "executor.h"
#include "file.h"
#include "function.h"
#include "graph.h"
#include "interpreter.h"
#include "kvstore.h"
#include "model.h"
#include "picture.h"
#include "record.h"
#include "scope.h"
#include "shared.h"
#include "symbol.h"
#include "text.h"
#include "value.h"

namespace py = pybind11;
using namespace py::literals;
namespace mp = mixgrad_python;

namespace {

using mp::check_status, mp::call_unlocked, mp::own_array, mp::path_text, mp::Objects;

using Extents = std::vector<int64_t>;
using DeviceNumbers = std::pair<int32_t, int32_t>;
mg_device device(const DeviceNumbers& d) { return {d.first, d.second}; }

// Of the class that operators make of `like`, if that is given.
py::object create(const Extents& shape, int dtype, const DeviceNumbers& where, const py::object& like) {
  mg_array* out = nullptr;
  check_status(mg_array_create(shape.data(), static_cast<int32_t>(shape.size()), dtype, device(where), &out));
  return own_array(out, like.is_none() ? mp::usual_class : mp::class_of(like.ptr()));
}

py::object create_later(const Extents& shape, int dtype, const DeviceNumbers& where) {
  mg_array* out = nullptr;
  check_status(
      mg_array_create_later(shape.data(), static_cast<int32_t>(shape.size()), dtype, device(where), &out));
  return own_array(out, mp::usual_class);
}

py::object create_sparse(int storage, const Extents& shape, int dtype, const DeviceNumbers& where,
                         const py::object& values, const py::object& indices, const py::object& starts) {
  mg_array* parts[3] = {};
  const py::object* const given[] = {&values, &indices, &starts};
  for (int i = 0; i < 3; ++i) {
    if (given[i]->is_none()) continue;
    if (!mp::is_array(given[i]->ptr())) throw py::type_error("[create_sparse] expected arrays as parts");
    parts[i] = mp::handle_of(given[i]->ptr());
  }
  mg_array* out = nullptr;
  check_status(mg_array_create_sparse(storage, shape.data(), static_cast<int32_t>(shape.size()), dtype,
                                      device(where), parts[0], parts[1], parts[2], &out));
  return own_array(out);
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
  check_status(mg_array_create_from(info.ptr, shape.data(), static_cast<int32_t>(shape.size()), dtype,
                                    device(where), &out));
  return own_array(out);
}

void copy_to(const py::object& array, const py::buffer& dst) {
  const py::buffer_info info = dst.request(true);
  mg_array* a = mp::array_handle(array, "copy");
  call_unlocked(
      [&] { return mg_array_copy_to(a, info.ptr, static_cast<size_t>(info.size * info.itemsize)); });
}

void copy_from(const py::object& array, const py::buffer& src) {
  const py::buffer_info info = src.request();
  mg_array* a = mp::array_handle(array, "copy");
  call_unlocked(
      [&] { return mg_array_copy_from(a, info.ptr, static_cast<size_t>(info.size * info.itemsize)); });
}

py::dict memory_info(const DeviceNumbers& where) {
  mg_memory_info m{};
  m.size = sizeof m;
  check_status(mg_memory_get_info(device(where), &m));
  return py::dict("in_use"_a = m.in_use, "peak"_a = m.peak, "reserved"_a = m.reserved, "pooled"_a = m.pooled,
                  "external"_a = m.external, "blocks"_a = m.blocks, "allocations"_a = m.allocations,
                  "cache_hits"_a = m.cache_hits);
}

py::dict describe_op(int index) {
  const mg_op* op = mg_op_get(index);
  if (!op) throw py::index_error("no operator of that index");
  py::list aliases, inputs, params;
  for (int i = 0; i < mg_op_get_num_aliases(op); ++i) aliases.append(mg_op_get_alias(op, i));
  for (int i = 0; i < mg_op_get_num_inputs(op); ++i) {
    mg_port_info port{};
    port.size = sizeof port;
    check_status(mg_op_get_input(op, i, &port));
    inputs.append(py::dict("name"_a = port.name, "doc"_a = port.doc, "mutates"_a = bool(port.mutates),
                           "auxiliary"_a = bool(port.auxiliary)));
  }
  for (int i = 0; i < mg_op_get_num_params(op); ++i) {
    mg_param_info p{};
    p.size = sizeof p;
    check_status(mg_op_get_param(op, i, &p));
    params.append(py::dict("name"_a = p.name, "type"_a = p.type, "doc"_a = p.doc,
                           "required"_a = bool(p.required), "default"_a = p.default_text));
  }
  py::dict has;
  for (const char* property : {"variadic", "gradient", "second_order", "zero_gradient", "random", "mode",
                               "pointwise", "optional_inputs", "single_output"}) {
    has[property] = bool(mg_op_has(op, property));
  }
  const char* count = mg_op_get_num_inputs_param(op);
  has["count_field"] = count ? py::object(py::str(count)) : py::object(py::none());
  return py::dict("name"_a = mg_op_get_name(op), "doc"_a = mg_op_get_doc(op),
                  "origin"_a = mg_op_get_origin(op), "module"_a = mg_op_get_module(op), "aliases"_a = aliases,
                  "inputs"_a = inputs, "params"_a = params, "has"_a = has);
}

// `head_grads`: None for the gradients of all heads, or an item per head.
void backward(const Objects& heads, const std::optional<Objects>& head_grads, bool retain_graph,
              bool create_graph) {
  const auto h = mp::array_handles(heads, "backward");
  const auto g = mp::array_handles(head_grads.value_or(Objects()), "backward", true);
  if (!g.empty() && g.size() != h.size())
    throw py::value_error("[backward] one head gradient per head is needed");
  call_unlocked([&] {
    return mg_autograd_backward(static_cast<int32_t>(h.size()), h.data(), g.empty() ? nullptr : g.data(),
                                retain_graph, create_graph);
  });
}

py::list grad(const Objects& heads, const Objects& variables, const std::optional<Objects>& head_grads,
              bool retain_graph, bool create_graph) {
  const auto h = mp::array_handles(heads, "grad"), v = mp::array_handles(variables, "grad");
  const auto g = mp::array_handles(head_grads.value_or(Objects()), "grad", true);
  std::vector<mg_array*> out(v.size(), nullptr);
  if (!g.empty() && g.size() != h.size())
    throw py::value_error("[grad] one head gradient per head is needed");
  call_unlocked([&] {
    return mg_autograd_grad(static_cast<int32_t>(h.size()), h.data(), g.empty() ? nullptr : g.data(),
                            static_cast<int32_t>(v.size()), v.data(), retain_graph, create_graph, out.data());
  });
  py::list result;
  for (mg_array* a : out) result.append(own_array(a));
  return result;
}

// A Python callable as the gradient of a custom function: gets a list of arrays, returns a list of arrays or None.
mg_status run_python_backward(void* context, int32_t n, mg_array* const* out_grads, int32_t m,
                              mg_array** in_grads) {
  return mp::CallbackScope::guard([&] {
    const auto fn = py::reinterpret_borrow<py::function>(static_cast<PyObject*>(context));
    py::list given;
    for (int32_t i = 0; i < n; ++i) {
      mg_array* again = nullptr;
      check_status(mg_array_detach(out_grads[i], &again));
      given.append(own_array(again));
    }
    const auto results = mp::call_python(fn, {given}).cast<Objects>();
    if (static_cast<int32_t>(results.size()) != m) {
      throw py::value_error("[Function] backward returned " + std::to_string(results.size()) +
                            " gradients; expected " + std::to_string(m));
    }
    // New handles to the same arrays, so that the tape owns what it keeps.
    const auto gradients = mp::array_handles(results, "Function", true);
    for (int32_t i = 0; i < m; ++i) {
      in_grads[i] = gradients[static_cast<size_t>(i)];
      if (in_grads[i]) mg_array_retain(in_grads[i]);
    }
  });
}

void release_python(void* context) {
  const mp::Inside inside;
  if (inside) Py_DECREF(static_cast<PyObject*>(context));  // else its interpreter has taken it down
}

void record_custom(const std::string& name, const py::function& fn, const Objects& inputs,
                   const Objects& outputs) {
  const auto in = mp::array_handles(inputs, "Function"), out = mp::array_handles(outputs, "Function");
  mg_custom_function function{sizeof(mg_custom_function), name.c_str(), fn.ptr(), run_python_backward,
                              release_python};
  Py_INCREF(fn.ptr());
  check_status(mg_autograd_record_custom(&function, static_cast<int32_t>(in.size()), in.data(),
                                         static_cast<int32_t>(out.size()), out.data()));
}

// A Python callable as a hook: gets an array, returns another or None.
mg_status run_python_hook(void* context, mg_array* gradient, mg_array** replacement) {
  return mp::CallbackScope::guard([&] {
    const auto fn = py::reinterpret_borrow<py::function>(static_cast<PyObject*>(context));
    mg_array_retain(gradient);
    const auto result = mp::call_python(fn, {own_array(gradient)}).cast<py::object>();
    if (result.is_none()) return;
    mg_array* made = mp::array_handles({result}, "register_hook")[0];
    mg_array_retain(made);
    *replacement = made;
  });
}

uint64_t add_gradient_hook(const py::handle& array, const py::function& fn) {
  mg_gradient_hook hook{sizeof(mg_gradient_hook), fn.ptr(), run_python_hook, release_python};
  Py_INCREF(fn.ptr());
  uint64_t number = 0;
  check_status(mg_array_add_gradient_hook(
      mp::array_handles({py::reinterpret_borrow<py::object>(array)}, "register_hook")[0], &hook, &number));
  return number;
}

void remove_gradient_hook(const py::handle& array, uint64_t number) {
  check_status(mg_array_remove_gradient_hook(
      mp::array_handles({py::reinterpret_borrow<py::object>(array)}, "remove")[0], number));
}

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> out;
  for (const std::string& n : names) out.push_back(n.c_str());
  return out;
}

void save(const std::string& path, const std::string& format, const Objects& arrays,
          const std::optional<std::vector<std::string>>& names) {
  const auto a = mp::array_handles(arrays, "save");
  const auto n = names ? pointers(*names) : std::vector<const char*>();
  call_unlocked([&] {
    return mg_arrays_save(path_text(path), format.c_str(), static_cast<int32_t>(a.size()), a.data(),
                          names ? n.data() : nullptr);
  });
}

py::bytes save_buffer(const std::string& format, const Objects& arrays,
                      const std::optional<std::vector<std::string>>& names) {
  const auto a = mp::array_handles(arrays, "save");
  const auto n = names ? pointers(*names) : std::vector<const char*>();
  void* data = nullptr;
  size_t bytes = 0;
  call_unlocked([&] {
    return mg_arrays_save_buffer(format.c_str(), static_cast<int32_t>(a.size()), a.data(),
                                 names ? n.data() : nullptr, &data, &bytes);
  });
  const std::unique_ptr<void, void (*)(void*)> owned(data, mg_buffer_destroy);
  return py::bytes(static_cast<const char*>(data), bytes);
}

// (arrays, names or None)
py::tuple take_list(mg_array_list* list) {
  py::list arrays, names;
  bool named = false;
  try {
    for (int32_t i = 0; i < mg_array_list_get_num_arrays(list); ++i) {
      mg_array* out = nullptr;
      check_status(mg_array_list_get(list, i, &out));
      arrays.append(own_array(out));
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
  call_unlocked([&] { return mg_arrays_load(path_text(path), &list); });
  return take_list(list);
}

py::tuple load_buffer(const py::buffer& data) {
  const py::buffer_info info = data.request();
  mg_array_list* list = nullptr;
  call_unlocked(
      [&] { return mg_arrays_load_buffer(info.ptr, static_cast<size_t>(info.size * info.itemsize), &list); });
  return take_list(list);
}

Extents resolve_shape(const Extents& shape, const Extents& codes, bool reverse) {
  int64_t out[16];
  int32_t n = 0;
  check_status(mg_shape_resolve(shape.data(), static_cast<int32_t>(shape.size()), codes.data(),
                                static_cast<int32_t>(codes.size()), reverse, out, &n));
  return Extents(out, out + n);
}

bool swap_flag(mg_status (*set)(int32_t, int32_t*), bool on) {
  int32_t before = 0;
  check_status(set(on, &before));
  return before != 0;
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The C header of mixgrad, as Python functions. Use the mixgrad package instead.";
  if (mp::make_array_type(m.ptr()) != 0 || mp::add_call(m.ptr()) != 0 || mp::add_function(m.ptr()) != 0 ||
      mp::add_scope(m.ptr()) != 0 || mp::add_indexing(m.ptr()) != 0 || !mp::find_numpy())
    throw py::error_already_set();
  m.def("set_array_class", [](const py::object& cls) {
    if (mp::set_array_class(cls.ptr()) != 0) throw py::error_already_set();
  });
  m.def("add_array_class", [](const py::object& cls) {
    if (mp::add_array_class(cls.ptr()) != 0) throw py::error_already_set();
  });
  m.def("set_numpy_class", [](const py::object& cls, const py::object& other) {
    if (mp::set_numpy_class(cls.ptr(), other.ptr()) != 0) throw py::error_already_set();
  });
  mp::begin_interpreter();
  m.def("set_exceptions", [](const py::dict& by_status) { mp::set_exceptions(by_status.ptr()); });
  m.def("set_dtypes", [](const py::dict& by_number) {
    if (mp::set_dtypes(by_number.ptr()) != 0) throw py::error_already_set();
  });
  m.def("version", [] { return std::string(mg_version()); });
  m.def("has_feature", [](const std::string& name) { return mg_has_feature(name.c_str()) != 0; });
  m.def("onednn_load", [](const std::string& path) {
    call_unlocked([&] { return mg_onednn_load(path.empty() ? nullptr : path.c_str()); });
  });
  m.def("onednn_set_enabled", [](bool enabled) { check_status(mg_onednn_set_enabled(enabled)); });

  m.def("set_sparse_classes", [](const py::object& row_sparse, const py::object& csr) {
    if (mp::set_sparse_classes(row_sparse.ptr(), csr.ptr()) != 0) throw py::error_already_set();
  });
  m.def("create_sparse", &create_sparse, py::arg(), py::arg(), py::arg(), py::arg(), py::arg() = py::none(),
        py::arg() = py::none(), py::arg() = py::none());
  m.def("create", &create, py::arg(), py::arg(), py::arg(), py::arg() = py::none());
  m.def("create_later", &create_later);
  m.def("create_from", &create_from);
  m.def("copy_to", &copy_to);
  m.def("copy_from", &copy_from);
  m.def("resolve_shape", &resolve_shape);
  m.def("to_dlpack", &mp::to_dlpack);
  m.def("from_dlpack", &mp::from_dlpack);

  m.def("op_count", &mg_op_get_num_ops);
  m.def("describe_op", &describe_op);
  m.def("op_names", [] {
    std::vector<std::string> names;
    for (int i = 0; i < mg_op_get_num_ops(); ++i) names.emplace_back(mg_op_get_name(mg_op_get(i)));
    return names;
  });

  m.def("wait_all", [] { call_unlocked([&] { return mg_wait_all(); }); });
  m.def("wait_idle", [] { call_unlocked([&] { return mg_wait_idle(); }); });
  m.def("set_engine", [](int kind) { call_unlocked([&] { return mg_engine_set_kind(kind); }); });
  m.def("get_engine", [] {
    const int32_t kind = mg_engine_get_kind();
    if (kind < 0) check_status(MG_STATUS_OUT_OF_MEMORY);
    return kind;
  });
  m.def("set_num_threads", [](int n) { check_status(mg_engine_set_num_threads(n)); });
  m.def("num_threads", &mg_engine_get_num_threads);
  m.def("set_deterministic", [](int on) { call_unlocked([&] { return mg_deterministic_set(on); }); });
  m.def("deterministic", &mg_deterministic_get);
  m.def("profiler_start", [] { check_status(mg_profiler_start()); });
  m.def("profiler_stop", [] { check_status(mg_profiler_stop()); });
  m.def("profiler_resume", [] { check_status(mg_profiler_resume()); });
  m.def("profiler_dump", [](const std::string& path) { check_status(mg_profiler_dump(path_text(path))); });

  m.def("profiler_trace", [] {
    char* text = nullptr;
    check_status(mg_profiler_trace(&text));
    py::bytes out(text);
    mg_buffer_destroy(text);
    return out;
  });

  m.def("device_count", &mg_device_get_num_devices);
  m.def("device_check", [](const DeviceNumbers& d) { check_status(mg_device_check(device(d))); });
  m.def("device_simulate", [](int32_t cards, uint64_t bytes, uint64_t seed) {
    check_status(mg_device_simulate(cards, bytes, seed));
  });
  m.def("current_device", [] {
    const mg_device d = mg_device_get_current();
    return DeviceNumbers(d.kind, d.id);
  });
  m.def("set_current_device", [](const DeviceNumbers& d) { check_status(mg_device_set_current(device(d))); });
  m.def("memory_info", &memory_info);
  m.def("memory_reset_peak", [](const DeviceNumbers& d) { check_status(mg_memory_reset_peak(device(d))); });
  m.def("memory_trim", [](const DeviceNumbers& d) {
    uint64_t released = 0;
    check_status(mg_memory_trim(device(d), &released));
    return released;
  });
  m.def("memory_fail_after", [](int64_t n) { check_status(mg_memory_fail_after(n)); });
  m.def("memory_fill_new", [](int32_t byte) { check_status(mg_memory_fill_new(byte)); });
  m.def("seed", [](uint64_t seed) { check_status(mg_random_seed(seed)); });
  m.def("seed_device",
        [](uint64_t seed, const DeviceNumbers& d) { check_status(mg_random_seed_device(seed, device(d))); });

  m.def("set_recording", [](bool on) { return swap_flag(mg_autograd_set_recording, on); });
  m.def("begin_recording", [] { check_status(mp::begin_recording()); });
  m.def("set_training", [](bool on) { return swap_flag(mg_autograd_set_training, on); });
  m.def("is_recording", [] { return mg_autograd_is_recording() != 0; });
  m.def("is_training", [] { return mg_autograd_is_training() != 0; });
  m.def("backward", &backward);
  m.def("grad", &grad);
  m.def("record_custom", &record_custom);
  m.def("add_gradient_hook", &add_gradient_hook);
  m.def("remove_gradient_hook", &remove_gradient_hook);

  mp::add_custom(m);
  mp::add_kvstore(m);
  mp::add_text(m);
  mp::add_picture(m);
  mp::add_records(m);
  mp::add_crc32c(m);
  mp::add_batches(m);

  m.def("save", &save);
  m.def("save_buffer", &save_buffer);
  m.def("load", &load);
  m.def("load_buffer", &load_buffer);
  m.def("file_open", [](const std::string& path, const std::string& who) {
    int32_t descriptor = -1;
    call_unlocked([&] { return mg_file_open(path_text(path), who.c_str(), &descriptor); });
    return descriptor;
  });
  m.def("file_write", [](const std::string& path, const std::string& who, const py::buffer& data) {
    const py::buffer_info info = data.request();
    const size_t bytes = static_cast<size_t>(info.size * info.itemsize);
    call_unlocked([&] { return mg_file_write(path_text(path), who.c_str(), info.ptr, bytes); });
  });
  mp::add_files(m);
  m.def("files_begin", [] { check_status(mg_files_begin()); });
  m.def("files_commit", [] { call_unlocked([] { return mg_files_commit(); }); });
  m.def("files_abandon", [] { check_status(mg_files_abandon()); });
  m.def("set_mapping", [](int32_t mapping) { check_status(mg_mapping_set(mapping)); });
  m.def("mapping", &mg_mapping_get);
  mp::add_model(m);

  mp::add_symbol(m);
  mp::add_executor(m);
  mp::add_graph(m);
  mp::add_shared(m);
}
