// The forward pass of recurrent layers.
#pragma once

#include "ops/nn/rnn.h"

namespace mixgrad::ops::rnn_forward {

void run(const rnn::RnnParams& p, KernelArgs& args);

}  // namespace mixgrad::ops::rnn_forward
