// What compression has kept of the gradients of a key's devices.
#pragma once

#include <vector>

#include "array/array.h"
#include "kvstore/compression/compression.h"

namespace mixgrad::kvstore {

class Feedback {
 public:
  // What arrives of each value, one per device, on the host. Pushes its work. Of dense float32 values of one shape.
  std::vector<ArrayRef> sent(const Compression& compression, Span<Array* const> values, int priority);

 private:
  std::vector<ArrayRef> residuals_;  // by place among the values
};

}  // namespace mixgrad::kvstore
