#include "launch/launch.h"

#include "base/build.h"

namespace mixgrad {
namespace {

bool any_elements(Span<const View> views) {
  for (const View& view : views) {
    if (view.data && view.size() > 0) return true;
  }
  return false;
}

}  // namespace

void launch_kernel(const Launch& call, Span<const View> in, Span<const View> out) {
  const Op& op = *call.op;
  if (!op.has_states && !any_elements(out) && !any_elements(in)) return;
  if (kTraining && call.backward) {
    BackwardArgs args;
    args.op = &op;
    args.training = call.training;
    args.out_grad = in.subspan(0, call.num_out_grads);
    args.in = in.subspan(call.num_out_grads, call.num_inputs);
    args.out = in.subspan(call.num_out_grads + call.num_inputs, call.num_outputs);
    args.in_grad = out;
    return op.backward_fn(op, call.params, args);
  }
  KernelArgs args;
  args.op = &op;
  args.in = in;
  args.out = out;
  args.training = call.training;
  args.seed = call.seed;
  args.stream = call.stream;
  args.memory = call.memory;
  op.kernel_fn(op, call.params, args);
}

}  // namespace mixgrad
