// What a call gives: its values bit by bit, or its error.
#pragma once

#include <string>
#include <vector>

#include "call.h"

namespace operators {

struct Outcome {
  struct Value {
    std::string name;
    std::vector<char> bytes;
  };
  std::vector<Value> values;
  std::string error;    // empty: it succeeded
  bool ours = true;     // the error is of the form that users meet
  bool scarce = false;  // memory was: what idle blocks of other threads hold differs from run to run
};

// Outputs, those that users do not see included, states, gradients and gradients of these. Fresh memory holds `byte`.
Outcome run_eager(const Call& call, int byte);
// The same of the executor of a graph of that one operator, which runs twice.
Outcome run_executor(const Call& call, int byte);

// Empty when the two, which ran with different bytes in fresh memory, are equal.
std::string difference(const Outcome& a, const Outcome& b);

}  // namespace operators
