// What fused convolutions keep from run to run: weights in the order of their loops, with the BatchNorm behind them worked in.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/convolution/conv_plan.h"
#include "op/op.h"

namespace mixgrad::ops::conv_weights {

// BatchNorm multiplies each filter's sum by a factor and shifts it: weights take the factor, the bias the shift. A
// convolution's inputs after its weight: bias if there is one, then gamma, beta, moving_mean and moving_var if there is a norm.
struct Norm {
  bool has_bias = false, has_norm = false, fix_gamma = false;
  double eps = 0;
  int inputs() const { return has_bias + 4 * has_norm; }
};

// One of the convolutions that a call runs: inputs of the call from `first_input` on.
struct Layer {
  const ConvPlan* plan = nullptr;
  size_t first_input = 1;
  int64_t weights = 0;  // where they lie among the prepared floats
  int64_t biases = 0;   // likewise
  int64_t places = 0;   // for biases, of which those past the last filter are 0
};

// All that a call needs to prepare weights.
struct Layers {
  std::shared_ptr<const void> owner;  // of the plans
  Layer layer[3];
  int count = 0;
  int64_t items = 0;  // prepared floats
  Norm norm;
};

class Ready;

// What a call keeps: the weights in the order of its loops, which it shares with all calls of this process that take them from the
// same arrays in the same order.
class Kept {
 public:
  // Other plans from now on.
  void begin(Layers layers);
  const Layers& layers() const { return layers_; }
  // The prepared floats, which belong to the inputs that the call has now.
  const float* update(const KernelArgs& args);

 private:
  std::shared_ptr<Ready> make_ready() const;

  Layers layers_;
  std::shared_ptr<Ready> ready_;
  std::vector<uint64_t> versions_;  // of the inputs that ready_ is made from; empty: none
  std::vector<uint64_t> form_;      // what they are looked for by
};

// Whether another call may come upon the same elements.
bool versions_known(const KernelArgs& args, size_t last_input);

}  // namespace mixgrad::ops::conv_weights
