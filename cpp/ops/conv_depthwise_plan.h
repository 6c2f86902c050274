// Depthwise convolutions of float images, 16 channels at a time.
#pragma once

#include <memory>

#include "op/conv_plan.h"

namespace mixgrad::ops::conv_depthwise_plan {

// One channel and one filter per group, one or two axes, windows of up to 32 rows.
bool serves(const ConvProblem& problem);
std::unique_ptr<ConvPlan> make(const ConvProblem& problem);

}  // namespace mixgrad::ops::conv_depthwise_plan
