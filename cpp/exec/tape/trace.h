// Writing down the operator calls of a thread as a graph instead of running them.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "array/array.h"
#include "base/build.h"
#include "graph/symbol.h"

namespace mixgrad {

// While a trace is active, calls on arrays of its thread infer shapes and make arrays, but compute nothing; reading values
// throws. Calls in scopes of another mode than the trace began in keep theirs: training or prediction, and no gradient through
// what is not recorded. Arrays that the trace has not made are variables of the graph: "input<i>" of those announced, "captured<i>" of
// the others, in the order they are met.
class Trace {
 public:
  explicit Trace(Span<Array* const> inputs);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  // Of the calling thread; null when none is active. Set by its owner.
  static Trace* active() {
    if constexpr (kTraining) return current();
    return nullptr;
  }
  static Trace*& current();

  // One call; outputs exist. Writing in place is possible where the trace has made the array and no view shares its memory.
  void record(const Op& op, const ParamsRef& params, Span<Array* const> in, Span<const ArrayRef> out);
  // One call whose output lies in the memory of its input: neither is written any more, since a graph has no such outputs.
  void record_view(const Op& op, const ParamsRef& params, Array& base, const ArrayRef& view);
  bool made(const Array& array) const { return values_.count(&array) > 0; }

  Symbol finish(Span<Array* const> outputs);
  const std::vector<ArrayRef>& captured() const { return captured_; }

 private:
  Entry entry_of(Array& array);
  NodeRef node_of(const Op& op, const ParamsRef& params, Span<Array* const> in);
  // The value without the way back of its gradient, for what is called while gradients are not recorded.
  Entry blocked(const Entry& entry);

  const bool recording_, training_;  // as the trace began
  std::unordered_map<const Array*, Entry> values_;
  std::unordered_set<const Array*> views_;  // and what they are views of
  std::vector<ArrayRef> held_;              // keeps addresses from being used again
  std::vector<ArrayRef> captured_;
  std::unordered_map<std::string, int> counts_;     // nodes per operator, for names
  std::unordered_map<const Node*, NodeRef> quiet_;  // called while gradients were not recorded
  std::map<std::pair<const Node*, uint32_t>, NodeRef> blocks_;
};

// Throws Status::unsupported when a trace is active: `what` cannot be part of a graph.
void refuse_while_tracing(const char* what);
// The same only for values that the trace stands for.
inline void refuse_traced(const Array& array, const char* what) {
  if constexpr (kTraining) {
    if (const Trace* trace = Trace::active(); trace && trace->made(array)) refuse_while_tracing(what);
  } else {
    static_cast<void>(array), static_cast<void>(what);
  }
}

}  // namespace mixgrad
