// Any convolution of one group, its sums taken straight from the image.
#pragma once

#include <memory>

#include "op/conv_plan.h"

namespace mixgrad::ops::conv_direct {

// One group, one or two axes, any window.
bool serves(const ConvProblem& problem);
std::unique_ptr<ConvPlan> make(const ConvProblem& problem);

}  // namespace mixgrad::ops::conv_direct
