#include "graph/passes/passes.h"

#include <algorithm>
#include <cstdlib>

#include "base/build.h"
#include "base/error.h"
#include "base/nearest.h"

namespace mixgrad {
namespace {

struct PassSwitch {
  const char* name;
  bool PassOptions::*on;
};
constexpr PassSwitch kSwitches[] = {{"prune", &PassOptions::prune},        {"common", &PassOptions::common},
                                    {"fold", &PassOptions::fold},          {"fuse", &PassOptions::fuse},
                                    {"layout", &PassOptions::layout},      {"chain", &PassOptions::chain},
                                    {"pointwise", &PassOptions::pointwise}};

PassFn registered[4];

void set_switch(PassOptions& options, const std::string& word) {
  const bool on = word[0] != '-';
  const std::string name = word[0] == '-' || word[0] == '+' ? word.substr(1) : word;
  Strings known{"all", "none"};
  for (const PassSwitch& s : kSwitches) {
    if (name == s.name) {
      options.*s.on = on;
      return;
    }
    known.push_back(s.name);
  }
  if (name != "all" && name != "none")
    fail(Status::invalid_argument, "[passes] no pass is called '", name, "'", nearest_names(name, known));
  for (const PassSwitch& s : kSwitches) options.*s.on = on == (name == "all");
}

}  // namespace

PassOptions with_switches(PassOptions options, const std::string& switches) {
  std::string word;
  for (size_t i = 0; i <= switches.size(); ++i) {
    if (i < switches.size() && switches[i] != ',') {
      if (switches[i] != ' ') word += switches[i];
      continue;
    }
    if (!word.empty()) set_switch(options, word);
    word.clear();
  }
  return options;
}

PassOptions default_pass_options() {
  static const PassOptions options = [] {
    const char* given = std::getenv("MIXGRAD_PASSES");
    return given ? with_switches({}, given) : PassOptions();
  }();
  return options;
}

std::string pass_names(const PassOptions& options) {
  std::string names;
  for (const PassSwitch& s : kSwitches) {
    if (options.*s.on) names += (names.empty() ? "" : ",") + std::string(s.name);
  }
  return names;
}

bool any_call_of(const Graph& graph, std::initializer_list<const char*> operators) {
  std::vector<const Op*> wanted;
  // A build may lack some of them.
  for (const char* name : operators) {
    if (const Op* op = find_op_or_null(name)) wanted.push_back(op);
  }
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const GraphNode& node) {
    return node.is_call() && std::find(wanted.begin(), wanted.end(), node.op) != wanted.end();
  });
}

bool register_pass(Pass pass, PassFn run) {
  registered[static_cast<int>(pass)] = run;
  return true;
}

Graph run_pass(Pass pass, Graph graph, const PassOptions& options) {
  const PassFn run = registered[static_cast<int>(pass)];
  return run ? run(std::move(graph), options) : std::move(graph);
}

Graph simplify(Graph graph, const PassOptions& options) {
  const auto ran = [&](const char* name) {
    if (options.watch) (*options.watch)(name, graph);
  };
  if (options.common) {
    graph = run_pass(Pass::common, std::move(graph), options);
    ran("common");
  }
  if (options.fold) {
    graph = run_pass(Pass::fold, std::move(graph), options);
    ran("fold");
  }
  if (options.fuse) {
    graph = fuse(std::move(graph));
    ran("fuse");
  }
  if (options.fuse && options.layout) {
    bool in_blocks = false;
    if constexpr (kTraining) {
      in_blocks = graph.forward_end < graph.nodes.size();
      if (in_blocks) graph = block_images(std::move(graph));
    }
    if (!in_blocks) graph = choose_layouts(std::move(graph));
    ran("layout");
    if (options.chain && !in_blocks) {
      graph = run_pass(Pass::chain, std::move(graph), options);
      ran("chain");
    }
  }
  if (options.prune) {
    graph = prune(std::move(graph));
    ran("prune");
  }
  return graph;
}

}  // namespace mixgrad
