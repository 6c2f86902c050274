// Trigonometric functions and their inverses.
#include "kernels/math/math_trig.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::trigonometric {
namespace {

template <class S>
void add_angle(const char* name, const char* doc, double cost, S scalar, Reads what, UnaryGrad grad) {
  Define<> define = unary_op(name, doc, cost, scalar);
  reads(numpy_unary(define, name), what).grad(grad).done();
}

// 1 - x^2
Tensor beside_square(const Grad& g) { return 1.0 - apply("square", {g.in(0)}); }

const bool kRegistered = [] {
  using G = Grad;
  using N = NoParams;
  add_angle("sin", "Sine of an angle in radians.", 0.6,
            MG_SCALAR_WITHIN(std::fabs(x) > static_cast<T>(math::kTrigLimit), math::sin(x), std::sin(x)),
            Reads::input, [](const N&, G& g) { g.set(0, g.out_grad() * apply("cos", {g.in(0)})); });
  add_angle("cos", "Cosine of an angle in radians.", 0.6,
            MG_SCALAR_WITHIN(std::fabs(x) > static_cast<T>(math::kTrigLimit), math::cos(x), std::cos(x)),
            Reads::input, [](const N&, G& g) { g.set(0, -(g.out_grad() * apply("sin", {g.in(0)}))); });
  add_angle("tan", "Tangent of an angle in radians.", 0.8,
            MG_SCALAR_WITHIN(std::fabs(x) > static_cast<T>(math::kTrigLimit), math::tan(x), std::tan(x)),
            Reads::output,
            [](const N&, G& g) { g.set(0, g.out_grad() * (apply("square", {g.out(0)}) + 1.0)); });
  add_angle("arcsin", "Inverse sine, in [-pi/2, pi/2]; NaN beyond 1.", 0.8, MG_SCALAR(math::arcsin(x)),
            Reads::input,
            [](const N&, G& g) { g.set(0, g.out_grad() * apply("rsqrt", {beside_square(g)})); });
  add_angle("arccos", "Inverse cosine, in [0, pi]; NaN beyond 1.", 0.8, MG_SCALAR(math::arccos(x)),
            Reads::input,
            [](const N&, G& g) { g.set(0, -(g.out_grad() * apply("rsqrt", {beside_square(g)}))); });
  add_angle("arctan", "Inverse tangent, in (-pi/2, pi/2).", 0.8, MG_SCALAR(math::arctan(x)), Reads::input,
            [](const N&, G& g) { g.set(0, g.out_grad() / (apply("square", {g.in(0)}) + 1.0)); });
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::trigonometric
