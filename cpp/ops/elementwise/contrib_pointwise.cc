// Small functions that MXNet keeps under contrib.
#include <cmath>

#include "kernels/math/math.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::contrib_pointwise {
namespace {

struct QuadraticParams {
  double a = 0, b = 0, c = 0;
  static void fields(Fields<QuadraticParams>& f) {
    f.add("a", &QuadraticParams::a, "Factor of data^2.")
        .add("b", &QuadraticParams::b, "Factor of data.")
        .add("c", &QuadraticParams::c, "Constant.");
  }
};

const Op& quadratic =
    Define<QuadraticParams>("_contrib_quadratic")
        .module("contrib")
        .doc("a data^2 + b data + c.")
        .origin("MXNet contrib.quadratic")
        .input("data", "Any array.")
        .pointwise(MG_SCALAR((static_cast<T>(p.a) * x + static_cast<T>(p.b)) * x + static_cast<T>(p.c)))
        .element_cost(0.15)
        .grad(
            [](const QuadraticParams& p, Grad& g) { g.set(0, g.out_grad() * (g.in(0) * (2 * p.a) + p.b)); });

struct MultiplierParams {
  double scalar = 1;
  static void fields(Fields<MultiplierParams>& f) {
    f.add("scalar", &MultiplierParams::scalar, "Factor of the gradient.");
  }
};

const Op& gradient_multiplier =
    Define<MultiplierParams>("_contrib_gradientmultiplier")
        .module("contrib")
        .doc("A copy whose gradient is multiplied by a number.")
        .origin("MXNet contrib.gradientmultiplier")
        .input("data", "Any array.")
        .pointwise_int(MG_SCALAR(x))
        .element_cost(0.15)
        .grad_needs({}, {})
        .grad([](const MultiplierParams& p, Grad& g) { g.set(0, g.out_grad() * p.scalar); });

// Straight-through estimators pass the gradient as if nothing had been rounded.
void pass(const NoParams&, Grad& g) { g.set(0, g.out_grad()); }

const Op& round_ste = Define<>("_contrib_round_ste")
                          .module("contrib")
                          .doc("Nearest integer, halves away from 0, with the gradient of the identity.")
                          .origin("Bengio et al. 2013, arXiv:1308.3432")
                          .input("data", "Any array.")
                          .pointwise_int(MG_SCALAR(math::round(x)))
                          .element_cost(0.15)
                          .grad_needs({}, {})
                          .grad(pass);

const Op& sign_ste = Define<>("_contrib_sign_ste")
                         .module("contrib")
                         .doc("Sign, with the gradient of the identity.")
                         .origin("Bengio et al. 2013, arXiv:1308.3432")
                         .input("data", "Any array.")
                         .pointwise_int(MG_SCALAR((x > 0) - (x < 0)))
                         .element_cost(0.15)
                         .grad_needs({}, {})
                         .grad(pass);

double sqrt_dim(const Shape& shape) {
  return std::sqrt(static_cast<double>(shape.ndim() > 0 ? shape[shape.ndim() - 1] : 1));
}

const Op& div_sqrt_dim =
    Define<>("_contrib_div_sqrt_dim")
        .module("contrib")
        .doc("data divided by the square root of its last extent.")
        .origin("MXNet contrib.div_sqrt_dim")
        .input("data", "Any float array.")
        .kernel([](const NoParams&, KernelArgs& args) {
          static const Op& loop = make_loop<MultiplierParams>(MG_SCALAR(x * static_cast<T>(p.scalar)));
          MultiplierParams params;
          params.scalar = 1 / sqrt_dim(args.in[0].shape());
          run_pointwise(loop, &params, args.in, args.out[0]);
        })
        .inplace()
        .element_cost(0.15)
        .grad_needs({}, {})
        .grad([](const NoParams&, Grad& g) { g.set(0, g.out_grad() * (1 / sqrt_dim(g.in_shape(0)))); });

}  // namespace
}  // namespace mixgrad::ops::contrib_pointwise
