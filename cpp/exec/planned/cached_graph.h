// A graph that is called like an operator: planned once per combination of shapes, dtypes, devices and mode, then one run per call.
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "base/fork_mutex.h"
#include "exec/planned/cached_plan.h"
#include "exec/planned/executor.h"

namespace mixgrad {

struct CachedGraphOptions {
  // Variables whose arrays come with each call, in that order. Names of no variable are inputs that the graph does not read.
  Strings inputs;
  // Arrays of all other variables.
  std::vector<std::pair<std::string, ArrayRef>> kept;
  std::string name = "graph";  // what messages call it
  PassOptions passes = default_pass_options();
  RecomputeOptions recompute = usual_recompute();
  bool open_zeros = true;  // as InferOptions has it
  // While gradients are recorded, a graph of at most this many operators is called operator by operator.
  int32_t inline_limit = 0;
};

// Threads: any number may call at once. Calls whose gradient is still to come each hold a program and its working memory; these
// serve later calls when the gradient has been computed or given up.
class CachedGraph {
 public:
  // Throws Status::invalid_argument where a name is there twice or a variable has no array.
  CachedGraph(const Symbol& symbol, CachedGraphOptions options);
  ~CachedGraph();
  CachedGraph(const CachedGraph&) = delete;
  CachedGraph& operator=(const CachedGraph&) = delete;

  size_t num_inputs() const { return num_inputs_; }
  size_t num_outputs() const { return graph_.heads.size(); }

  // Fills `outputs` with new arrays, in the thread's mode. While gradients are recorded the whole call is one node of the tape;
  // while a trace is active its operators become part of that.
  void call(Span<Array* const> inputs, Span<ArrayRef> outputs);

 private:
  static constexpr size_t kMostPlans = 64;

  // Where a variable's array comes from: a place among the inputs, or an array that is kept.
  struct Source {
    size_t input = 0;
    ArrayRef kept;  // null: it is that input
  };
  static Source find_source(const std::string& variable, const CachedGraphOptions& options);
  Ref<CachedPlan> plan_for(Span<Array* const> variables);
  Ref<CachedPlan> find_plan(Span<Array* const> variables, Device device);
  void call_operators(Span<Array* const> variables, Span<ArrayRef> outputs) const;

  const CachedPlanOptions options_;
  const int32_t inline_limit_;
  const size_t num_inputs_;
  const Symbol symbol_;
  const Graph graph_;  // of the symbol as it is
  int32_t num_calls_ = 0;
  std::vector<Source> sources_;  // per argument, then per auxiliary state
  ObjectMutex mutex_;            // guards plans_, which a child of a fork finds whole
  Ref<CachedPlan> plans_[kMostPlans];
  std::atomic<uint64_t> calls_{0};
};

}  // namespace mixgrad
