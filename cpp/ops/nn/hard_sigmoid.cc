// A sigmoid of straight lines.
#include "kernels/math/math_exp.h"
#include "op/define.h"

namespace mixgrad::ops::hard_sigmoid {
namespace {

struct HardSigmoidParams {
  double alpha = 0.2, beta = 0.5;
  static void fields(Fields<HardSigmoidParams>& f) {
    f.add("alpha", &HardSigmoidParams::alpha, "Slope.").add("beta", &HardSigmoidParams::beta, "Value at 0.");
  }
};

const Op& hard_sigmoid =
    Define<HardSigmoidParams>("hard_sigmoid")
        .doc("alpha * data + beta, held between 0 and 1.")
        .origin("MXNet hard_sigmoid")
        .input("data", "Any array.")
        .pointwise(MG_SCALAR(math::clip(x * static_cast<T>(p.alpha) + static_cast<T>(p.beta), T(0), T(1))))
        .element_cost(0.15)
        .grad_needs({}, {0})
        .grad([](const HardSigmoidParams& p, Grad& g) {
          const Tensor inside = apply("_greater_scalar", {g.out(0)}, {{"scalar", Value(0.0)}}) *
                                apply("_lesser_scalar", {g.out(0)}, {{"scalar", Value(1.0)}});
          g.set(0, g.out_grad() * inside * p.alpha);
        });

}  // namespace
}  // namespace mixgrad::ops::hard_sigmoid
