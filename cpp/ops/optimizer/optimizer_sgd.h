// The parameters of stochastic gradient descent, shared by the updates of one weight and of many.
#pragma once

#include "ops/optimizer/optimizer.h"

namespace mixgrad::ops::optimizer {

struct SgdParams : CommonParams {
  double momentum = 0;
  bool lazy_update = true;
};

}  // namespace mixgrad::ops::optimizer
