// mixgrad for C++17: arrays, gradients, symbols, executors, stores and files over the C header, nothing to compile, and nothing to
// link but libmixgrad. Handles are counted references: copying an NDArray or a Symbol copies the reference, not the values.
// Failures are thrown as mx::Error. Work is asynchronous: only functions marked "Blocks" wait for values.
//
//   mx::NDArray x({2, 3}, 1.f);
//   std::vector<float> values = (x * 2 + 1).to_vector<float>();
#pragma once

#include "mixgrad/executor.hpp"
#include "mixgrad/kvstore.hpp"
#include "mixgrad/ops.hpp"
