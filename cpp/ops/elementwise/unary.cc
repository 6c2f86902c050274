// Functions of one array: signs, rounding, powers and roots.
#include "kernels/math/math_exp.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::unary {
namespace {

// Rows without a gradient.
template <class S>
void add_step(const char* name, const char* doc, S scalar, NumpyDTypes dtypes = NumpyDTypes::same) {
  Define<> define = unary_int_op(name, doc, scalar);
  numpy_unary(define, name, dtypes).grad_needs({}, {}).no_gradient().done();
}

template <class S>
void add_unary(const char* name, const char* doc, double cost, S scalar, Reads what, UnaryGrad grad) {
  Define<> define = unary_op(name, doc, cost, scalar);
  reads(numpy_unary(define, name), what).grad(grad).done();
}

constexpr double kDegree = 57.29577951308232;

const bool kRegistered = [] {
  using G = Grad;
  using N = NoParams;
  add_step("sign", "-1, 0 or 1; 0 for NaN.", MG_SCALAR((x > 0) - (x < 0)));
  add_step("rint", "Nearest integer; halves go down.", MG_SCALAR(math::rint(x)));
  unary_int_op("round", "Nearest integer; halves go away from 0.", MG_SCALAR(math::round(x)))
      .grad_needs({}, {})
      .no_gradient()
      .done();
  add_step("ceil", "Smallest integer not below data.", MG_SCALAR(math::ceil(x)));
  add_step("floor", "Largest integer not above data.", MG_SCALAR(math::floor(x)));
  add_step("trunc", "Integer part: rounded toward 0.", MG_SCALAR(math::trunc(x)));
  add_step("fix", "Integer part: rounded toward 0.", MG_SCALAR(math::trunc(x)));
  add_step("logical_not", "1 where data is 0, else 0.", MG_SCALAR(x == 0), NumpyDTypes::truth);

  Define<> negative = unary_int_op("negative", "-data.", MG_SCALAR(math::negate(x)));
  numpy_unary(negative, "negative")
      .grad_needs({}, {})
      .grad([](const N&, G& g) { g.set(0, -g.out_grad()); })
      .done();
  unary_int_op("abs", "Absolute value.", MG_SCALAR(x < 0 ? math::negate(x) : math::add(x, T(0))))
      .numpy("_npi_absolute", NumpyDTypes::same, {"x"})
      .numpy("_npi_abs", NumpyDTypes::same, {"x"})
      .grad([](const N&, G& g) { g.set(0, g.out_grad() * apply("sign", {g.in(0)})); })
      .done();
  unary_int_op("square", "data * data.", MG_SCALAR(math::multiply(x, x)))
      .numpy("_npi_square", NumpyDTypes::same, {"x"})
      .grad([](const N&, G& g) { g.set(0, g.out_grad() * g.in(0) * 2.0); })
      .backward([](const N& p, BackwardArgs& args) {
        static const Op& loop = make_loop<N>(MG_SCALAR(x * y * T(2)));
        run_gradient(loop, &p, args, args.in[0]);
      })
      .backward_by_element()
      .done();

  Define<> sqrt = unary_op("sqrt", "Square root; NaN below 0.", 0.3, MG_SCALAR(std::sqrt(x)));
  numpy_unary(sqrt, "sqrt")
      .grad_needs({}, {0})
      .grad([](const N&, G& g) { g.set(0, g.out_grad() / g.out(0) * 0.5); })
      .backward([](const N& p, BackwardArgs& args) {
        static const Op& loop = make_loop<N>(MG_SCALAR(T(0.5) * x / y));
        run_gradient(loop, &p, args, args.out[0]);
      })
      .backward_by_element()
      .done();
  Define<> rsqrt = unary_op("rsqrt", "1 / sqrt(data).", 0.5, MG_SCALAR(T(1) / std::sqrt(x)));
  reads(rsqrt, Reads::both)
      .grad([](const N&, G& g) { g.set(0, g.out_grad() * (g.out(0) / g.in(0)) * -0.5); })
      .done();
  add_unary("cbrt", "Cube root.", 1.5, MG_SCALAR(math::cbrt(x)), Reads::output,
            [](const N&, G& g) { g.set(0, g.out_grad() / (g.out(0) * g.out(0) * 3.0)); });
  Define<> rcbrt = unary_op("rcbrt", "1 / cbrt(data).", 1.5, MG_SCALAR(math::rcbrt(x)));
  reads(rcbrt, Reads::both)
      .grad([](const N&, G& g) { g.set(0, g.out_grad() * (g.out(0) / g.in(0)) * (-1.0 / 3)); })
      .done();
  add_unary("reciprocal", "1 / data.", 0.2, MG_SCALAR(T(1) / x), Reads::output,
            [](const N&, G& g) { g.set(0, -(g.out_grad() * g.out(0) * g.out(0))); });
  add_unary("degrees", "Radians to degrees.", 0.15, MG_SCALAR(x * static_cast<T>(57.29577951308232)),
            Reads::nothing, [](const N&, G& g) { g.set(0, g.out_grad() * kDegree); });
  add_unary("radians", "Degrees to radians.", 0.15, MG_SCALAR(x * static_cast<T>(0.017453292519943295)),
            Reads::nothing, [](const N&, G& g) { g.set(0, g.out_grad() * (1 / kDegree)); });

  unary_int_op("_contrib_isnan", "1 where data is not a number, else 0.", MG_SCALAR(x != x))
      .numpy("_npi_isnan", NumpyDTypes::truth, {"x"})
      .module("contrib")
      .no_gradient()
      .done();
  unary_int_op("_contrib_isinf", "1 where data is infinite, else 0.",
               MG_SCALAR((x == x) & (math::subtract(x, x) != 0)))
      .numpy("_npi_isinf", NumpyDTypes::truth, {"x"})
      .module("contrib")
      .no_gradient()
      .done();
  unary_int_op("_contrib_isfinite", "1 where data is neither infinite nor NaN, else 0.",
               MG_SCALAR(math::subtract(x, x) == 0))
      .numpy("_npi_isfinite", NumpyDTypes::truth, {"x"})
      .module("contrib")
      .no_gradient()
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::unary
