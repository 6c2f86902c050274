// Flatten: all axes but the first in one.
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::flatten {
namespace {

void infer_flatten(const NoParams&, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& from = s.in(0);
  if (from.ndim() == 0) return s.set_out(0, {1, 1});
  s.set_out(0, {from[0], from.size(1, from.ndim())});
}

const Op& flatten_op =
    Define<>("Flatten")
        .alias("_npx_batch_flatten")
        .alias("flatten")
        .doc("Merges all axes but the first: (N, a, b, ...) becomes (N, a*b*...).")
        .origin("MXNet Flatten")
        .input("data", "Any array; (N,) becomes (N, 1).")
        .shape(infer_flatten)
        .kernel([](const NoParams&, KernelArgs& args) { copy_elements(args.in[0], args.out[0]); })
        .grad_needs({}, {})
        .grad([](const NoParams&, Grad& g) { g.set(0, reshape_to(g.out_grad(), g.in_shape(0))); })
        .same_elements()
        .element_cost(0.15);

}  // namespace
}  // namespace mixgrad::ops::flatten
