// Exponentials, logarithms and hyperbolic functions; tanh is an activation.
#include "kernels/math/math_exp.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::exponential {
namespace {

template <class S>
void add_exponential(const char* name, const char* doc, double cost, S scalar, Reads what, UnaryGrad grad) {
  Define<> define = unary_op(name, doc, cost, scalar);
  reads(numpy_unary(define, name), what).grad(grad).done();
}

constexpr double kLn2 = 0.6931471805599453, kLn10 = 2.302585092994046;

const bool kRegistered = [] {
  using G = Grad;
  using N = NoParams;
  add_exponential("exp", "e^data.", 0.3, MG_SCALAR(math::exp(x)), Reads::output,
                  [](const N&, G& g) { g.set(0, g.out_grad() * g.out(0)); });
  add_exponential("expm1", "e^data - 1, exact near 0.", 0.4, MG_SCALAR(math::expm1(x)), Reads::output,
                  [](const N&, G& g) { g.set(0, g.out_grad() * (g.out(0) + 1.0)); });
  add_exponential("log", "Natural logarithm.", 0.4, MG_SCALAR(math::log(x)), Reads::input,
                  [](const N&, G& g) { g.set(0, g.out_grad() / g.in(0)); });
  add_exponential("log2", "Logarithm to base 2.", 0.4, MG_SCALAR(math::log2(x)), Reads::input,
                  [](const N&, G& g) { g.set(0, g.out_grad() / (g.in(0) * kLn2)); });
  add_exponential("log10", "Logarithm to base 10.", 0.4, MG_SCALAR(math::log10(x)), Reads::input,
                  [](const N&, G& g) { g.set(0, g.out_grad() / (g.in(0) * kLn10)); });
  add_exponential("log1p", "log(1 + data), exact near 0.", 0.5, MG_SCALAR(math::log1p(x)), Reads::input,
                  [](const N&, G& g) { g.set(0, g.out_grad() / (g.in(0) + 1.0)); });

  add_exponential("sinh", "Hyperbolic sine.", 0.8, MG_SCALAR(math::sinh(x)), Reads::input,
                  [](const N&, G& g) { g.set(0, g.out_grad() * apply("cosh", {g.in(0)})); });
  add_exponential("cosh", "Hyperbolic cosine.", 0.5, MG_SCALAR(math::cosh(x)), Reads::input,
                  [](const N&, G& g) { g.set(0, g.out_grad() * apply("sinh", {g.in(0)})); });
  add_exponential(
      "arcsinh", "Inverse hyperbolic sine.", 1, MG_SCALAR(math::arcsinh(x)), Reads::input,
      [](const N&, G& g) { g.set(0, g.out_grad() * apply("rsqrt", {apply("square", {g.in(0)}) + 1.0})); });
  add_exponential(
      "arccosh", "Inverse hyperbolic cosine; NaN below 1.", 1, MG_SCALAR(math::arccosh(x)), Reads::input,
      [](const N&, G& g) { g.set(0, g.out_grad() * apply("rsqrt", {apply("square", {g.in(0)}) - 1.0})); });
  add_exponential("arctanh", "Inverse hyperbolic tangent; NaN beyond 1.", 0.8, MG_SCALAR(math::arctanh(x)),
                  Reads::input,
                  [](const N&, G& g) { g.set(0, g.out_grad() / (1.0 - apply("square", {g.in(0)}))); });
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::exponential
