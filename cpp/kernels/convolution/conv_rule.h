// Estimated times of convolution algorithms, from which the default choice is made.
#pragma once

#include "kernels/convolution/conv_plan.h"

namespace mixgrad::conv_rule {

// In nanoseconds on the machine the constants were measured on; only their order matters. Depends on nothing but the
// problem and whether a library is built in and on.
double cost(const ConvProblem& problem, ConvAlgorithm algorithm);

}  // namespace mixgrad::conv_rule
