// One call of an operator on views of memory.
#pragma once

#include "launch/pointwise.h"

namespace mixgrad {

struct Launch {
  const Op* op;
  const void* params;
  bool training = false;
  bool backward = false;
  // Of a fused backward: how many views are gradients of outputs, then inputs, then outputs of the forward call.
  size_t num_out_grads = 0, num_inputs = 0, num_outputs = 0;
  uint64_t seed = 0, stream = 0;
  CallMemory* memory = nullptr;
  const KernelContext* context = &kOnHost;
};

// The kernel or the fused backward of a call, of the processor that its context names; throws Status::unsupported where the
// operator has none for it. Where neither operands nor results have elements nothing runs, unless the operator has states:
// other extents of such a call may be as large as they like.
void launch_kernel(const Launch& call, Span<const View> in, Span<const View> out);

// Runs a call on the host, in the calling thread: as a loop over elements, by the operator's kernel or by its fused backward.
MIXGRAD_INLINE void launch(const Launch& call, Span<const View> in, Span<const View> out) {
  if (call.op->is_pointwise && !call.backward) return run_pointwise(*call.op, call.params, in, out[0]);
  launch_kernel(call, in, out);
}

}  // namespace mixgrad
