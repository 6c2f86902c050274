// _core.ExecutorHandle.
#include "executor.h"

#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "exchange.h"
#include "kvstore.h"
#include "symbol.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

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

class ExecutorHandle : public Owner<mg_executor, mg_executor_destroy> {
 public:
  using Owner::Owner;

  static std::unique_ptr<ExecutorHandle> bind(const SymbolHandle& symbol, const Objects& arguments,
                                              const Objects& gradients, const std::vector<int32_t>& grad_reqs,
                                              const Objects& auxiliaries, std::pair<int, int> device,
                                              const ExecutorHandle* shared, const Groups& groups,
                                              const InferenceHandle* inference, const py::object& workers,
                                              const std::vector<int32_t>& group_workers) {
    const auto args = array_handles(arguments, "bind", true), grads = array_handles(gradients, "bind", true);
    const auto states = array_handles(auxiliaries, "bind", true);
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
    mg_executor_options options{};
    options.size = sizeof options;
    options.shared = shared ? shared->get() : nullptr;
    const GraphSettings& settings = graph_settings();
    const std::string passes = passes_now();
    options.passes = passes.c_str();
    options.recompute = settings.recompute.empty() ? nullptr : settings.recompute.c_str();
    options.num_groups = placed.size();
    options.group_names = placed.names.data();
    options.group_devices = placed.devices.data();
    options.workers = store_of(workers);
    if (options.workers && group_workers.size() != groups.size())
      throw py::value_error("[bind] one worker per group is needed");
    options.group_workers = group_workers.data();
    mg_executor* out = nullptr;
    const mg_device on{device.first, device.second};
    const auto bind = [&] {
      return inference ? mg_inference_bind(inference->get(), &arrays, on, &options, &out)
                       : mg_executor_bind(symbol.get(), &arrays, on, &options, &out);
    };
    if (options.workers) {
      call_unlocked(bind);  // it waits for the others
    } else {
      check_status(bind());
    }
    return make_handle<ExecutorHandle>(out);
  }

  void forward(bool training) {
    run([&] { return mg_executor_forward(get(), training); });
  }
  void backward(const Objects& head_gradients) {
    const auto heads = array_handles(head_gradients, "backward", true);
    run([&] { return mg_executor_backward(get(), static_cast<int32_t>(heads.size()), heads.data()); });
  }
  // Per update the number of the argument, the operator, the states and the operator's numbers.
  using Update = std::tuple<int32_t, std::string, Objects, std::vector<std::pair<std::string, double>>>;
  void set_updates(const std::vector<Update>& updates) {
    struct Parts {
      std::vector<mg_array*> states;
      std::vector<const char*> names;
      std::vector<mg_value> values;
    };
    std::vector<Parts> parts(updates.size());
    std::vector<mg_executor_update> given(updates.size());
    std::vector<const mg_executor_update*> pointers;
    for (size_t i = 0; i < updates.size(); ++i) {
      const auto& [argument, op, states, numbers] = updates[i];
      parts[i].states = array_handles(states, "set_updates");
      for (const auto& [name, number] : numbers) {
        mg_value value{};
        value.kind = MG_VALUE_REAL;
        value.as.real = number;
        parts[i].names.push_back(name.c_str());
        parts[i].values.push_back(value);
      }
      mg_executor_update& update = given[i];
      update.size = sizeof update;
      update.argument = argument;
      check_status(mg_op_find(op.c_str(), &update.op));
      update.num_states = static_cast<int32_t>(states.size());
      update.states = parts[i].states.data();
      update.num_params = static_cast<int32_t>(numbers.size());
      update.param_names = parts[i].names.data();
      update.params = parts[i].values.data();
      pointers.push_back(&update);
    }
    check_status(mg_executor_set_updates(get(), static_cast<int32_t>(pointers.size()), pointers.data()));
  }
  void set_rates(const std::vector<double>& lrs, const std::vector<double>& wds) {
    if (lrs.size() != wds.size())
      throw py::value_error("[set_rates] " + std::to_string(lrs.size()) + " learning rates and " +
                            std::to_string(wds.size()) + " weight decays; expected as many of each");
    check_status(mg_executor_set_rates(get(), static_cast<int32_t>(lrs.size()), lrs.data(), wds.data()));
  }
  py::object array(int part, int index) const {
    mg_array* out = nullptr;
    check_status(mg_executor_get_array(get(), part, index, &out));
    return own_array(out);
  }
  void set_array(int part, int index, const py::object& array) {
    const auto handles = array_handles({array}, "set_array", true);
    check_status(mg_executor_set_array(get(), part, index, handles[0]));
  }
  py::object reshape(const std::vector<std::string>& names, const std::vector<std::vector<int64_t>>& shapes,
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
    check_status(mg_executor_reshape(get(), static_cast<int32_t>(names.size()), name_texts.data(),
                                     ndims.data(), extents.data(), partial_shaping, allow_up_sizing, &out));
    return own_object<ExecutorHandle>(out);
  }
  void watch(const py::object& fn, bool inputs) {
    const mg_executor_watcher watcher{sizeof(mg_executor_watcher), this, &call_watcher, nullptr,
                                      inputs ? 1 : 0};
    check_status(mg_executor_watch(get(), fn.is_none() ? nullptr : &watcher));
    watcher_ = fn;  // a call that is refused leaves the watcher there was
  }
  const py::object& callback() const { return watcher_; }
  void forget() { watch(py::none(), false); }
  std::pair<uint64_t, uint64_t> planned(bool training) const {
    uint64_t bytes = 0, least = 0;
    check_status(mg_executor_get_planned(get(), training, &bytes, &least));
    return {bytes, least};
  }
  std::string debug_text() const {
    char* text = nullptr;
    check_status(mg_executor_debug_text(get(), &text));
    return take_text(text);
  }

 private:
  static mg_status call_watcher(void* context, const char* name, mg_array* array) {
    return CallbackScope::guard([&] {
      const py::object fn = static_cast<ExecutorHandle*>(context)->watcher_;
      mg_array_retain(array);
      call_python(fn, {py::str(name), own_array(array)});
    });
  }
  template <class Fn>
  static void run(Fn&& fn) {
    const CallbackScope scope;
    scope.check(fn());
  }

  py::object watcher_ = py::none();
};

}  // namespace

void add_executor(py::module_& m) {
  py::class_<ExecutorHandle> type(m, "ExecutorHandle", collected_with_callback<ExecutorHandle>());
  define_init(type, &ExecutorHandle::bind);
  type.def("forward", &ExecutorHandle::forward)
      .def("backward", &ExecutorHandle::backward)
      .def("set_updates", &ExecutorHandle::set_updates)
      .def("set_rates", &ExecutorHandle::set_rates)
      .def("array", &ExecutorHandle::array)
      .def("set_array", &ExecutorHandle::set_array)
      .def("reshape", &ExecutorHandle::reshape)
      .def("watch", &ExecutorHandle::watch)
      .def("planned", &ExecutorHandle::planned)
      .def("debug_text", &ExecutorHandle::debug_text);
  m.def("place", &place);
  m.def("set_recompute", [](const std::string& setting) {
    char* resolved = nullptr;
    check_status(mg_recompute_resolve(setting.c_str(), &resolved));
    mg_buffer_destroy(resolved);
    graph_settings().recompute = setting;
  });
}

}  // namespace mixgrad_python
