// Outputs of kernels before they are written, for tests.
#pragma once

#include "base/fresh_memory.h"
#include "base/span.h"
#include "kernels/view.h"

namespace mixgrad {

// Where fresh memory is filled (base/fresh_memory.h) outputs are too, but for those that lie where an operand does.
void fill_apart(Span<const View> operands, Span<const View> outputs);
inline void fill_outputs(Span<const View> operands, Span<const View> outputs) {
  if (fills_fresh()) fill_apart(operands, outputs);
}

}  // namespace mixgrad
