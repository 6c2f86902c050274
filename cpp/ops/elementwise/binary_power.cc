// Remainders, powers, extremes and lengths of two arrays.
#include "ops/elementwise/binary_table.h"

namespace mixgrad::ops::binary_power {
namespace {

// As in MXNet, remainders of whole numbers have no gradient.
void mod_grad(const NoParams&, Grad& g) {
  if (!is_float(g.in_dtype(0))) return;
  if (g.wants(0)) set_reduced(g, 0, g.out_grad());
  if (g.wants(1)) set_reduced(g, 1, -(g.out_grad() * apply("floor", {g.in(0) / g.in(1)})));
}
void power_grad(const NoParams&, Grad& g) {
  const Tensor x = g.in(0), y = g.in(1);
  if (g.wants(0)) set_reduced(g, 0, g.out_grad() * y * apply("broadcast_power", {x, y - 1.0}));
  if (g.wants(1)) set_reduced(g, 1, g.out_grad() * apply("broadcast_power", {x, y}) * apply("log", {x}));
}
void maximum_grad(const NoParams&, Grad& g) {
  if (g.wants(0)) set_reduced(g, 0, g.out_grad() * apply("broadcast_greater_equal", {g.in(0), g.in(1)}));
  if (g.wants(1)) set_reduced(g, 1, g.out_grad() * apply("broadcast_lesser", {g.in(0), g.in(1)}));
}
void minimum_grad(const NoParams&, Grad& g) {
  if (g.wants(0)) set_reduced(g, 0, g.out_grad() * apply("broadcast_lesser_equal", {g.in(0), g.in(1)}));
  if (g.wants(1)) set_reduced(g, 1, g.out_grad() * apply("broadcast_greater", {g.in(0), g.in(1)}));
}
void hypot_grad(const NoParams&, Grad& g) {
  const Tensor length = apply("broadcast_hypot", {g.in(0), g.in(1)});
  if (g.wants(0)) set_reduced(g, 0, g.out_grad() * g.in(0) / length);
  if (g.wants(1)) set_reduced(g, 1, g.out_grad() * g.in(1) / length);
}

const bool kRegistered = [] {
  add_binary({"broadcast_mod", {}, "_mod", {"_Mod"}, "_npi_mod", NumpyDTypes::widest_float},
             "Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.",
             MG_SCALAR_WITHIN(math::modulo_is_far(x, y), math::modulo_near(x, y), math::modulo(x, y)),
             mod_grad);
  add_binary({"broadcast_power", {}, "_power", {"_Power"}, "_npi_power", NumpyDTypes::widest},
             "First operand raised to the power of the second.", MG_SCALAR(math::power(x, y)), power_grad);
  add_binary({"broadcast_maximum", {"_npi_maximum"}, "_maximum", {"_Maximum"}}, "Larger of two values.",
             MG_SCALAR(math::maximum(x, y)), maximum_grad);
  add_binary({"broadcast_minimum", {"_npi_minimum"}, "_minimum", {"_Minimum"}}, "Smaller of two values.",
             MG_SCALAR(math::minimum(x, y)), minimum_grad);
  add_binary({"broadcast_hypot", {}, "_hypot", {"_Hypot"}, "_npi_hypot", NumpyDTypes::floats, {"x1", "x2"}},
             "Length of the vector (x, y).", MG_SCALAR(math::hypot(x, y)), hypot_grad);
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::binary_power
