#include "graph/passes/recompute.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "graph/passes/recompute_choice.h"

namespace mixgrad {
namespace {

constexpr int64_t kPacking = 400;  // the share of a budget by which a layout may exceed what is alive at once

}  // namespace

RecomputeOptions recompute_options(const std::string& setting) {
  using Goal = RecomputeOptions::Goal;
  if (setting == "off") return {Goal::off, 0};
  if (setting == "cheap") return {Goal::cheap, 0};
  if (setting == "least") return {Goal::least, 0};
  char* rest = nullptr;
  const double number = std::strtod(setting.c_str(), &rest);
  const std::string unit = rest;
  const double scale = unit.empty() ? 1 : unit == "KB" ? 1e3 : unit == "MB" ? 1e6 : unit == "GB" ? 1e9 : 0;
  if (rest == setting.c_str() || scale == 0 || !(number > 0) || number * scale > 1e18) {
    fail(Status::invalid_argument, "[recompute] setting '", setting,
         "'; expected off, cheap, least, or a budget such as 500MB or 2GB");
  }
  return {Goal::budget, static_cast<int64_t>(number * scale)};
}

std::string recompute_setting(const RecomputeOptions& options) {
  using Goal = RecomputeOptions::Goal;
  switch (options.goal) {
    case Goal::off: return "off";
    case Goal::cheap: return "cheap";
    case Goal::least: return "least";
    case Goal::budget: return text(options.bytes);
  }
  fail(Status::internal, "[recompute] goal ", static_cast<int>(options.goal));
}

RecomputeOptions default_recompute() {
  static const RecomputeOptions options = [] {
    if (const char* given = std::getenv("MIXGRAD_RECOMPUTE")) return recompute_options(given);
    const char* mirror = std::getenv("MXNET_BACKWARD_DO_MIRROR");
    return recompute_options(mirror && std::string(mirror) == "1" ? "cheap" : "off");
  }();
  return options;
}

Graph recompute(Graph graph, const RecomputeOptions& options) {
  using Goal = RecomputeOptions::Goal;
  if (graph.forward_end == graph.nodes.size()) return graph;  // predictions keep nothing anyway
  const bool mirrors = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                   [](const GraphNode& node) { return node.mirrored; });
  if (options.goal == Goal::off && !mirrors) return graph;
  RecomputeChoice choice(graph);
  const Kept kept = options.goal == Goal::off     ? choice.forced()
                    : options.goal == Goal::cheap ? choice.cheap()
                    : options.goal == Goal::least ? choice.least()
                                                  : choice.within(options.bytes - options.bytes / kPacking);
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return graph;
  return write_recomputed(graph, kept, choice.costs()).graph;
}

}  // namespace mixgrad
