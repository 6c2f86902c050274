// Executors that compute gradients, and where and how they do.
#include "c_api/executor.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::Executor;
using mixgrad::Status;

extern "C" {

mg_status mg_symbol_place(const mg_symbol* symbol, mg_device device, int32_t num_groups,
                          const char* const* group_names, const mg_device* group_devices, int32_t part,
                          mg_device* out) {
  return api::guard([&] {
    const char* function = "mg_symbol_place";
    api::require(out, function, "out");
    if (part != MG_PART_ARGUMENTS && part != MG_PART_AUXILIARY_STATES)
      mixgrad::fail(Status::invalid_argument, "[mg_symbol_place] part ", part, "; expected 0 or 2");
    mixgrad::Graph graph = mixgrad::flatten(api::symbol_of(symbol, function));
    mixgrad::place(graph, api::device_of(device),
                   api::groups_from(num_groups, group_names, group_devices, function));
    size_t i = 0;
    for (mixgrad::NodeId n : part == MG_PART_ARGUMENTS ? graph.arguments : graph.auxiliaries) {
      const mixgrad::Device at = graph.nodes[n].device;
      out[i++] = {static_cast<int32_t>(at.kind), at.id};
    }
  });
}

mg_status mg_recompute_resolve(const char* setting, char** resolved) {
  return api::guard([&] {
    api::require(resolved, "mg_recompute_resolve", "resolved");
    const mixgrad::RecomputeOptions options =
        setting ? mixgrad::recompute_options(setting) : mixgrad::default_recompute();
    *resolved = api::copy_text(mixgrad::recompute_setting(options));
  });
}

mg_status mg_executor_backward(mg_executor* executor, int32_t num_head_gradients,
                               mg_array* const* head_gradients) {
  return api::guard([&] {
    const api::vector<Array*> given =
        api::arrays_from(head_gradients, num_head_gradients, "mg_executor_backward", true);
    Executor& e = api::executor_of(executor, "mg_executor_backward");
    e.make_room();
    e.backward(given);
  });
}

}  // extern "C"
