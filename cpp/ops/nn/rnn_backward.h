// The backward pass of recurrent layers, from what forward kept.
#pragma once

#include "ops/nn/rnn.h"

namespace mixgrad::ops::rnn_backward {

void run(const rnn::RnnParams& p, BackwardArgs& args);

}  // namespace mixgrad::ops::rnn_backward
