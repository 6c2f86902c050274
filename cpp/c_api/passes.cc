// Passes over graphs: which are on, and what they make of a symbol.
#include "c_api/executor.h"
#include "c_api/inference.h"
#include "graph/passes/infer.h"
#include "graph/plan.h"

namespace api = mixgrad::c_api;
using mixgrad::Graph;

namespace {

api::string text_of_pass(const char* pass, const Graph& graph) {
  return "\n# " + api::string(pass) + "\n" + mixgrad::dump(graph);
}

}  // namespace

extern "C" {

mg_status mg_symbol_dump_graph(const mg_symbol* symbol, int32_t num_known, const char* const* names,
                               const int32_t* ndims, const int64_t* const* shapes, const int32_t* dtypes,
                               int32_t gradients, const char* passes, char** text) {
  return api::guard([&] {
    api::require(text, "mg_symbol_dump_graph", "text");
    api::check_list(num_known, names, "mg_symbol_dump_graph", "names");
    mixgrad::PassOptions options = api::pass_options(passes);
    Graph graph = mixgrad::flatten(api::symbol_of(symbol, "mg_symbol_dump_graph"), {gradients != 0});
    api::set_known(graph, "mg_symbol_dump_graph", num_known, names, ndims, shapes, dtypes);
    graph = mixgrad::infer(std::move(graph));
    api::string all = "# infer\n" + mixgrad::dump(graph);
    const mixgrad::PassWatcher note = [&](const char* pass, const Graph& g) {
      mixgrad::check_graph(g);
      all += text_of_pass(pass, g);
    };
    const mixgrad::GradientOptions every;
    const mixgrad::RecomputeOptions recompute = mixgrad::default_recompute();
    mixgrad::PlanOptions planning;
    if (gradients) planning.gradients = &every;
    planning.recompute = &recompute;
    planning.passes = options;
    planning.passes.watch = &note;
    mixgrad::plan_graph(graph, planning);
    *text = api::copy_text(all);
  });
}

mg_status mg_passes_resolve(const char* switches, char** names) {
  return api::guard([&] {
    api::require(names, "mg_passes_resolve", "names");
    *names = api::copy_text(mixgrad::pass_names(api::pass_options(switches)));
  });
}

}  // extern "C"
