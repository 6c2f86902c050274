// Executors: graphs bound to arrays.
#include "c_api/executor.h"

#include "c_api/inference.h"
#include "c_api/sized.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::ArrayRef;
using mixgrad::Executor;
using mixgrad::Status;

namespace mixgrad::c_api {

std::shared_ptr<WorkerLink> (*link_of_store)(mg_kvstore* store) = nullptr;

Executor& executor_of(mg_executor* executor, const char* function) {
  require(executor, function, "executor");
  return *reinterpret_cast<Executor*>(executor);
}

GradientRequest request_from(int32_t number, const char* function) {
  if (number != MG_GRAD_REQ_NULL && number != MG_GRAD_REQ_WRITE && number != MG_GRAD_REQ_ADD) {
    fail(Status::invalid_argument, "[", function, "] gradient request ", number,
         "; expected null (0), write (1) or add (3)");
  }
  return static_cast<GradientRequest>(number);
}

DeviceGroups groups_from(int32_t count, const char* const* names, const mg_device* devices,
                         const char* function) {
  check_list(count, names, function, "group names");
  check_list(count, devices, function, "group devices");
  DeviceGroups groups;
  for (int32_t i = 0; i < count; ++i) {
    require(names[i], function, "a group's name");
    groups.emplace_back(names[i], device_of(devices[i]));
  }
  return groups;
}

}  // namespace mixgrad::c_api

namespace {

mg_executor* give_executor(std::unique_ptr<Executor> executor) {
  return reinterpret_cast<mg_executor*>(executor.release());
}

// Bound alike by all workers that have a part of its graph.
std::unique_ptr<Executor> agreed(std::unique_ptr<Executor> executor,
                                 const mixgrad::ExecutorOptions& options) {
  if (options.link) options.link->agree("bind", executor->description());
  return executor;
}

api::vector<ArrayRef> references(mg_array* const* arrays, int32_t count, bool allow_null,
                                 const char* function) {
  api::vector<ArrayRef> out;
  for (Array* array : api::arrays_from(arrays, count, function, allow_null, true)) out.emplace_back(array);
  return out;
}

// The arguments of mg_executor_bind.
struct Binding {
  Binding(const mg_executor_arrays* bound, const mg_executor_options* given, const char* function) {
    const auto from = api::read_struct(bound, "mg_executor_arrays", &mg_executor_arrays::arguments, function);
    arrays.arguments = references(from.arguments, from.num_arguments, false, function);
    arrays.auxiliaries = references(from.auxiliaries, from.num_auxiliaries, false, function);
    if (from.gradients) arrays.gradients = references(from.gradients, from.num_arguments, true, function);
    for (int32_t i = 0; from.grad_reqs && i < from.num_arguments; ++i)
      arrays.requests.push_back(api::request_from(from.grad_reqs[i], function));
    if (given) set_options(*given, function);
  }
  mixgrad::ExecutorArrays arrays;
  mixgrad::ExecutorOptions options;
  Executor* shared = nullptr;

 private:
  void set_workers(const mg_executor_options& from, const char* function) {
    if (!api::link_of_store) mixgrad::fail(Status::unsupported, '[', function, "] this build has no stores");
    options.link = api::link_of_store(from.workers);
    const mixgrad::Workers workers = options.link->workers();
    for (int32_t i = 0; i < from.num_groups; ++i) {
      const int32_t rank = from.group_workers ? from.group_workers[i] : 0;
      if (rank < 0 || rank >= workers.count)
        mixgrad::fail(Status::index, '[', function, "] group '", from.group_names[i], "' is of worker:", rank,
                      "; expected one of ", workers.count);
      mixgrad::Device& device = options.groups[static_cast<size_t>(i)].second;
      device = workers.device_of(rank, device);
    }
  }
  void set_options(const mg_executor_options& given, const char* function) {
    const auto from = api::read_struct(&given, "mg_executor_options", &mg_executor_options::size, function);
    shared = reinterpret_cast<Executor*>(from.shared);
    options.passes = api::pass_options(from.passes);
    options.groups = api::groups_from(from.num_groups, from.group_names, from.group_devices, function);
    if (from.workers) set_workers(from, function);
    if (!from.recompute) return;
    if constexpr (mixgrad::kTraining) {
      options.recompute = mixgrad::recompute_options(from.recompute);
    } else {
      mixgrad::fail(Status::unsupported, "[", function, "] recompute: this build computes no gradients");
    }
  }
};

}  // namespace

extern "C" {

mg_status mg_executor_bind(const mg_symbol* symbol, const mg_executor_arrays* arrays, mg_device device,
                           const mg_executor_options* options, mg_executor** out) {
  return api::guard([&] {
    const char* function = "mg_executor_bind";
    api::require(out, function, "out");
    Binding binding(arrays, options, function);
    *out = give_executor(
        agreed(api::make_unique<Executor>(api::symbol_of(symbol, function), api::device_of(device),
                                          std::move(binding.arrays), binding.shared, binding.options),
               binding.options));
  });
}

mg_status mg_inference_bind(mg_inference* inference, const mg_executor_arrays* arrays, mg_device device,
                            const mg_executor_options* options, mg_executor** out) {
  return api::guard([&] {
    const char* function = "mg_inference_bind";
    api::require(out, function, "out");
    const mg_inference& from = api::inference_of(inference, function);
    Binding binding(arrays, options, function);
    const mixgrad::Device on = api::device_of(device);
    std::optional<mixgrad::Graph> graph;
    if (from.has_shapes && from.has_dtypes) graph = std::move(inference->graph);
    inference->bound = true;  // whether or not the rest succeeds: its graph is gone
    *out = give_executor(agreed(api::make_unique<Executor>(from.symbol, on, std::move(binding.arrays),
                                                           binding.shared, binding.options, std::move(graph)),
                                binding.options));
  });
}

void mg_executor_destroy(mg_executor* executor) { delete reinterpret_cast<Executor*>(executor); }

mg_status mg_executor_forward(mg_executor* executor, int32_t training) {
  return api::guard([&] {
    Executor& e = api::executor_of(executor, "mg_executor_forward");
    e.make_room();
    e.forward(training != 0);
  });
}

int32_t mg_executor_get_num_outputs(const mg_executor* executor) {
  return executor ? static_cast<int32_t>(reinterpret_cast<const Executor*>(executor)->outputs().size()) : 0;
}

mg_status mg_executor_get_array(mg_executor* executor, int32_t part, int32_t index, mg_array** out) {
  return api::guard([&] {
    const Executor& e = api::executor_of(executor, "mg_executor_get_array");
    api::require(out, "mg_executor_get_array", "out");
    const api::vector<ArrayRef>* list = nullptr;
    switch (part) {
      case MG_PART_ARGUMENTS: list = &e.arrays().arguments; break;
      case MG_PART_OUTPUTS: list = &e.outputs(); break;
      case MG_PART_AUXILIARY_STATES: list = &e.arrays().auxiliaries; break;
      case MG_PART_GRADIENTS: list = &e.arrays().gradients; break;
      default:
        mixgrad::fail(Status::invalid_argument, "[mg_executor_get_array] part ", part,
                      "; expected 0, 1, 2 or 4");
    }
    if (index < 0 || static_cast<size_t>(index) >= list->size())
      mixgrad::fail(Status::index, "[mg_executor_get_array] ", index, " of ", list->size());
    *out = api::give((*list)[static_cast<size_t>(index)]);
  });
}

mg_status mg_executor_set_array(mg_executor* executor, int32_t part, int32_t index, mg_array* array) {
  return api::guard([&] {
    Executor& e = api::executor_of(executor, "mg_executor_set_array");
    api::require(array, "mg_executor_set_array", "array");
    const bool known = part == MG_PART_ARGUMENTS || part == MG_PART_OUTPUTS || part == MG_PART_GRADIENTS;
    if (!known || index < 0)
      mixgrad::fail(Status::invalid_argument, "[mg_executor_set_array] part ", part, ", array ", index);
    const size_t at = static_cast<size_t>(index);
    const ArrayRef with(api::unwrap(array));
    if (part == MG_PART_ARGUMENTS) return e.replace_argument(at, with);
    part == MG_PART_OUTPUTS ? e.replace_output(at, with) : e.replace_gradient(at, with);
  });
}

mg_status mg_executor_reshape(const mg_executor* executor, int32_t num_shapes, const char* const* names,
                              const int32_t* ndims, const int64_t* const* shapes, int32_t partial_shaping,
                              int32_t allow_up_sizing, mg_executor** out) {
  return api::guard([&] {
    api::require(executor, "mg_executor_reshape", "executor");
    api::require(out, "mg_executor_reshape", "out");
    api::check_list(num_shapes, names, "mg_executor_reshape", "names");
    api::check_list(num_shapes, ndims, "mg_executor_reshape", "ndims");
    api::check_list(num_shapes, shapes, "mg_executor_reshape", "shapes");
    api::vector<std::pair<api::string, mixgrad::Shape>> named;
    for (int32_t i = 0; i < num_shapes; ++i) {
      api::require(names[i], "mg_executor_reshape", "a name");
      named.emplace_back(names[i], api::shape_from(shapes[i], ndims[i], "mg_executor_reshape"));
    }
    *out = give_executor(reinterpret_cast<const Executor*>(executor)->reshape(named, partial_shaping != 0,
                                                                              allow_up_sizing != 0));
  });
}

mg_status mg_executor_get_planned(mg_executor* executor, int32_t training, uint64_t* bytes,
                                  uint64_t* least_bytes) {
  return api::guard([&] {
    const Executor::Planned planned =
        api::executor_of(executor, "mg_executor_get_planned").planned(training != 0);
    if (bytes) *bytes = static_cast<uint64_t>(planned.bytes);
    if (least_bytes) *least_bytes = static_cast<uint64_t>(planned.least_bytes);
  });
}

}  // extern "C"
