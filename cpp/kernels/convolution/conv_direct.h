// Any convolution of one group, its sums taken straight from the image.
#pragma once

#include <memory>
#include <vector>

#include "kernels/convolution/conv_plan.h"

namespace mixgrad::conv_direct {

// How the tile loop walks over the channels of single pixels in blocks that lie `block_step` floats apart: in runs of half a
// block where the last block is half empty.
struct Walk {
  std::vector<int64_t> offset;
  int64_t run;
};
Walk walk_of_pixels(int64_t channels, int64_t block_step);

// One group, one or two axes, any window.
bool serves(const ConvProblem& problem);
std::unique_ptr<ConvPlan> make(const ConvProblem& problem);

}  // namespace mixgrad::conv_direct
