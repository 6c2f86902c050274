// Executors over sparse arrays: what these store changes from run to run, so nothing is planned.
#pragma once

#include "exec/planned/executor.h"

namespace mixgrad::sparse {

// Runs the graph call by call on the tape. Null where all arrays and all values are dense, which a plan serves. `graph` has all
// shapes, dtypes and devices; operands on another device than their node are copied there. Throws Status::unsupported for updates.
std::unique_ptr<StepwiseRun> make_stepwise(const Graph& graph, const ExecutorArrays& arrays);

// Throws Status::unsupported: there is no plan that could have steps of an optimiser in it.
[[noreturn]] void refuse_updates();

}  // namespace mixgrad::sparse
