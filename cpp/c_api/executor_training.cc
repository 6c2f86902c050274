// Executors that compute gradients, and where and how they do.
#include "c_api/executor.h"
#include "c_api/sized.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::Executor;
using mixgrad::Status;

namespace {

mixgrad::ExecutorUpdate update_from(const mg_executor_update* given, const char* function) {
  const auto from = api::read_struct(given, "mg_executor_update", &mg_executor_update::op, function);
  api::require(from.op, function, "an update's op");
  if (from.argument < 0)
    mixgrad::fail(Status::index, "[", function, "] argument ", from.argument, "; expected its number");
  const mixgrad::Op& op = *api::unwrap(from.op);
  api::vector<mixgrad::NamedValue> storage;
  mixgrad::ParamsRef params = mixgrad::make_params(
      op, api::named_values(from.num_params, from.param_names, from.params, storage, function));
  mixgrad::ExecutorUpdate update{static_cast<size_t>(from.argument), &op, std::move(params), {}};
  for (Array* state : api::arrays_from(from.states, from.num_states, function, false))
    update.states.emplace_back(state);
  return update;
}

}  // namespace

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
        api::arrays_from(head_gradients, num_head_gradients, "mg_executor_backward", true, true);
    Executor& e = api::executor_of(executor, "mg_executor_backward");
    e.make_room();
    e.backward(given);
  });
}

mg_status mg_executor_set_updates(mg_executor* executor, int32_t num_updates,
                                  const mg_executor_update* const* updates) {
  return api::guard([&] {
    const char* function = "mg_executor_set_updates";
    Executor& e = api::executor_of(executor, function);
    api::check_list(num_updates, updates, function, "updates");
    api::vector<mixgrad::ExecutorUpdate> read;
    for (int32_t i = 0; i < num_updates; ++i) read.push_back(update_from(updates[i], function));
    e.set_updates(std::move(read));
  });
}

mg_status mg_executor_set_rates(mg_executor* executor, int32_t num_updates, const double* learning_rates,
                                const double* weight_decays) {
  return api::guard([&] {
    const char* function = "mg_executor_set_rates";
    Executor& e = api::executor_of(executor, function);
    api::check_list(num_updates, learning_rates, function, "learning rates");
    api::check_list(num_updates, weight_decays, function, "weight decays");
    const size_t count = static_cast<size_t>(num_updates);
    e.set_rates({learning_rates, count}, {weight_decays, count});
  });
}

}  // extern "C"
