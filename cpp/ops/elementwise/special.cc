// The error function, the gamma function and their kin.
#include "kernels/math/math_special.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::special {
namespace {

struct PolygammaParams {
  int32_t n = 0;
  static void fields(Fields<PolygammaParams>& f) {
    f.add("n", &PolygammaParams::n, "Order of the derivative.", between(0, 20));
  }
};

Tensor polygamma_of(int n, const Tensor& x) { return apply("_polygamma", {x}, {{"n", Value(n)}}); }

const Op& polygamma =
    Define<PolygammaParams>("_polygamma")
        .doc("Derivative n of the digamma function, which is itself the logarithmic derivative of gamma.")
        .origin("Abramowitz and Stegun 6.4")
        .input("data", "Any array.")
        .pointwise(MG_SCALAR(math_special::polygamma(p.n, static_cast<double>(x))))
        .element_cost(60)
        .grad([](const PolygammaParams& p, Grad& g) {
          g.set(0, g.out_grad() * polygamma_of(p.n + 1, g.in(0)));
        });

const bool kRegistered = [] {
  using G = Grad;
  using N = NoParams;
  unary_op("erf", "Error function.", 0.6, MG_SCALAR(math::erf(x)))
      .alias("_npx_erf")
      .grad([](const N&, G& g) {
        g.set(0, g.out_grad() * apply("exp", {-apply("square", {g.in(0)})}) * 1.1283791670955126);
      })
      .done();
  Define<> erfinv =
      unary_op("erfinv", "Inverse of the error function.", 60, MG_SCALAR(math_special::erfinv(x)));
  erfinv.alias("_npx_erfinv")
      .grad_needs({}, {0})
      .grad([](const N&, G& g) {
        g.set(0, g.out_grad() * apply("exp", {apply("square", {g.out(0)})}) * 0.886226925452758);
      })
      .done();
  unary_op("gamma", "Gamma function.", 25, MG_SCALAR(std::tgamma(static_cast<double>(x))))
      .alias("_npx_gamma")
      .grad_needs({0}, {0})
      .grad([](const N&, G& g) { g.set(0, g.out_grad() * g.out(0) * polygamma_of(0, g.in(0))); })
      .done();
  unary_op("gammaln", "Logarithm of the absolute value of the gamma function.", 20,
           MG_SCALAR(math::gammaln(static_cast<double>(x))))
      .alias("_npx_gammaln")
      .grad([](const N&, G& g) { g.set(0, g.out_grad() * polygamma_of(0, g.in(0))); })
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::special
