// Which forward values the backward part computes again: the search behind recompute().
#pragma once

#include "graph/passes/recompute.h"
#include "graph/passes/recompute_graph.h"

namespace mixgrad {

// Compares plans of the graph with different nodes kept, all of them by what they really need and cost.
class RecomputeChoice {
 public:
  explicit RecomputeChoice(const Graph& graph);

  // All but the nodes that the user wants computed again.
  const Kept& forced() const { return forced_; }
  // What normalisation, activations and pooling make goes; the number of segments is the one that needs least memory.
  Kept cheap();
  // The least memory of all tried.
  Kept least();
  // The cheapest that needs at most `bytes`; if none does, the one that needs least.
  Kept within(int64_t bytes);
  const std::vector<double>& costs() const { return costs_; }

 private:
  struct Plan {
    Kept kept;
    int64_t bytes = 0;
    double cost = 0;
  };
  Plan try_out(Kept kept);
  // Keeps what crosses the borders of `count` segments of the forward part, and what costs more than `heavy` nanoseconds per
  // element made.
  Kept segments(int count, double heavy) const;
  void add_border(NodeId border, Kept& kept) const;
  size_t tries() const;
  // Numbers of segments, and thresholds of weight, worth trying.
  std::vector<int> counts(size_t at_most) const;
  std::vector<double> steps(size_t at_most) const;
  // Keeps the costliest of what is computed again, as far as the memory goes.
  void refine(Plan& plan, int64_t bytes);

  Graph sketch_;  // the graph without names, parameters and the like: cheap to copy
  Graph room_;    // of the plan tried last, for the next
  Kept must_keep_, forced_;
  std::vector<double> costs_, weights_;   // of computing a node again: nanoseconds, and per element made
  std::vector<double> steps_;             // thresholds of weight worth trying, rising
  std::vector<int64_t> made_, crossing_;  // bytes that a node makes; that are alive behind it
  std::vector<NodeId> last_;              // per value the last node of the forward part that reads it
  std::vector<NodeId> stages_;            // nodes that the user named as borders: attribute __mirror_stage__
};

}  // namespace mixgrad
