#include "launch/launch.h"

#include "base/build.h"
#include "base/error.h"

namespace mixgrad {
namespace {

bool any_elements(Span<const View> views) {
  for (const View& view : views) {
    if (view.data && view.size() > 0) return true;
  }
  return false;
}

[[noreturn, gnu::noinline]] void no_kernel(const Launch& call) {
  fail(Status::unsupported, "[", call.op->name, "] has no ", call.backward ? "fused gradient" : "kernel",
       " for ", call.context->device.name());
}

void run_other(const Launch& call, Span<const View> in, Span<const View> out) {
  Launch other = call;
  other.op = &call.op->stands_for_fn(*call.op, call.params);
  other.params = other.op->defaults->data();
  if (call.context->processor == Processor::host) return launch(other, in, out);
  launch_kernel(other, in, out);
}

}  // namespace

void launch_kernel(const Launch& call, Span<const View> in, Span<const View> out) {
  const Op& op = *call.op;
  if (op.stands_for_fn) return run_other(call, in, out);
  const Op::Kernels& kernels = op.on(call.context->processor);
  if (!op.has_states && !any_elements(out) && !any_elements(in)) return;
  if (kTraining && call.backward) {
    if (!kernels.backward) no_kernel(call);
    BackwardArgs args;
    args.op = &op;
    args.context = call.context;
    args.training = call.training;
    args.out_grad = in.subspan(0, call.num_out_grads);
    args.in = in.subspan(call.num_out_grads, call.num_inputs);
    args.out = in.subspan(call.num_out_grads + call.num_inputs, call.num_outputs);
    args.in_grad = out;
    return kernels.backward(op, call.params, args);
  }
  if (!kernels.forward) no_kernel(call);
  KernelArgs args;
  args.op = &op;
  args.context = call.context;
  args.in = in;
  args.out = out;
  args.training = call.training;
  args.seed = call.seed;
  args.stream = call.stream;
  args.memory = call.memory;
  kernels.forward(op, call.params, args);
}

}  // namespace mixgrad
