// 3x3 convolutions of step 1 by Winograd's fewer products.
#pragma once

#include <memory>

#include "op/conv_plan.h"

namespace mixgrad::ops::conv_winograd {

// 3x3 windows, stride and dilation 1, one group, any padding.
bool serves(const ConvProblem& problem);
// size: 2 (16 products for 4 outputs, errors as of a direct sum) or 4 (36 for 16, errors some 4 times as large).
std::unique_ptr<ConvPlan> make(const ConvProblem& problem, int size);

}  // namespace mixgrad::ops::conv_winograd
