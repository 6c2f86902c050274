// Convolutions of several groups of channels, each by a plan of its own.
#pragma once

#include <memory>

#include "op/conv_plan.h"

namespace mixgrad::ops::conv_grouped {

// At least 8 channels and 8 filters in a group; in blocked images whole blocks of them.
bool serves(const ConvProblem& problem);
std::unique_ptr<ConvPlan> make(const ConvProblem& problem);

}  // namespace mixgrad::ops::conv_grouped
