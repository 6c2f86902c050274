// Cached graphs: symbols that are called like operators.
#include "c_api/executor.h"
#include "c_api/sized.h"
#include "exec/planned/cached_graph.h"

#include <algorithm>

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::ArrayRef;
using mixgrad::CachedGraph;
using mixgrad::Status;

namespace {

CachedGraph* cached(mg_graph* graph) { return reinterpret_cast<CachedGraph*>(graph); }
const CachedGraph* cached(const mg_graph* graph) { return reinterpret_cast<const CachedGraph*>(graph); }

void read_names(mixgrad::Strings& names, int32_t count, const char* const* from, const char* function) {
  api::check_list(count, from, function, "names");
  for (int32_t i = 0; i < count; ++i) {
    api::require(from[i], function, "a name");
    names.emplace_back(from[i]);
  }
}

mixgrad::CachedGraphOptions options_from(const mixgrad::Symbol& symbol, const mg_graph_options* given,
                                         const char* function) {
  mg_graph_options from{};
  if (given) from = api::read_struct(given, "mg_graph_options", &mg_graph_options::size, function);
  mixgrad::CachedGraphOptions options;
  if (from.name) options.name = from.name;
  options.passes = api::pass_options(from.passes);
  if (from.recompute) options.recompute = mixgrad::recompute_options(from.recompute);
  options.open_zeros = from.is_traced == 0;
  options.inline_limit = from.inline_limit;
  mixgrad::Strings kept_names;
  read_names(kept_names, from.num_kept, from.kept_names, function);
  const auto kept = api::arrays_from(from.kept, from.num_kept, function, false, true);
  for (size_t i = 0; i < kept.size(); ++i) options.kept.emplace_back(kept_names[i], ArrayRef(kept[i]));
  read_names(options.inputs, from.num_inputs, from.input_names, function);
  if (from.input_names) return options;
  for (api::string& name : symbol.list_inputs()) {
    if (std::find(kept_names.begin(), kept_names.end(), name) == kept_names.end())
      options.inputs.push_back(std::move(name));
  }
  return options;
}

}  // namespace

extern "C" {

mg_status mg_graph_create(const mg_symbol* symbol, const mg_graph_options* options, mg_graph** out) {
  return api::guard([&] {
    const char* function = "mg_graph_create";
    api::require(out, function, "out");
    const mixgrad::Symbol& of = api::symbol_of(symbol, function);
    *out = reinterpret_cast<mg_graph*>(new CachedGraph(of, options_from(of, options, function)));
  });
}

void mg_graph_destroy(mg_graph* graph) { delete cached(graph); }

int32_t mg_graph_get_num_inputs(const mg_graph* graph) {
  return graph ? static_cast<int32_t>(cached(graph)->num_inputs()) : 0;
}

int32_t mg_graph_get_num_outputs(const mg_graph* graph) {
  return graph ? static_cast<int32_t>(cached(graph)->num_outputs()) : 0;
}

mg_status mg_graph_call(mg_graph* graph, int32_t num_inputs, mg_array* const* inputs, int32_t num_outputs,
                        mg_array** outputs) {
  return api::guard([&] {
    const char* function = "mg_graph_call";
    api::require(graph, function, "graph");
    const auto in = api::arrays_from(inputs, num_inputs, function, false, true);
    if (num_outputs > 0) api::require(outputs, function, "outputs");
    api::vector<ArrayRef> out(static_cast<size_t>(std::max(num_outputs, 0)));
    cached(graph)->call(in, out);
    for (size_t i = 0; i < out.size(); ++i) outputs[i] = api::give(std::move(out[i]));
  });
}

}  // extern "C"
