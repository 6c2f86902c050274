// Sums, differences, products and quotients of two arrays.
#include "ops/elementwise/binary_table.h"

namespace mixgrad::ops::binary {
namespace {

void add_grad(const NoParams&, Grad& g) {
  if (g.wants(0)) set_reduced(g, 0, g.out_grad());
  if (g.wants(1)) set_reduced(g, 1, g.out_grad());
}
void sub_grad(const NoParams&, Grad& g) {
  if (g.wants(0)) set_reduced(g, 0, g.out_grad());
  if (g.wants(1)) set_reduced(g, 1, -g.out_grad());
}
void mul_grad(const NoParams&, Grad& g) {
  if (g.wants(0)) set_reduced(g, 0, g.out_grad() * g.in(1));
  if (g.wants(1)) set_reduced(g, 1, g.out_grad() * g.in(0));
}
void div_grad(const NoParams&, Grad& g) {
  const Tensor over = g.out_grad() / g.in(1);
  if (g.wants(0)) set_reduced(g, 0, over);
  if (g.wants(1)) set_reduced(g, 1, -(over * (g.in(0) / g.in(1))));
}
const bool kRegistered = [] {
  add_binary({"broadcast_add",
              {"broadcast_plus"},
              "elemwise_add",
              {"_add", "_plus", "_Plus", "_grad_add"},
              "_npi_add",
              NumpyDTypes::widest},
             "Sum of two arrays.", MG_SCALAR(math::add(x, y)), add_grad, Needs::nothing);
  add_binary({"broadcast_sub",
              {"broadcast_minus"},
              "elemwise_sub",
              {"_sub", "_minus", "_Minus"},
              "_npi_subtract",
              NumpyDTypes::widest_float},
             "Difference of two arrays.", MG_SCALAR(math::subtract(x, y)), sub_grad, Needs::nothing);
  add_binary({"broadcast_mul", {}, "elemwise_mul", {"_mul", "_Mul"}, "_npi_multiply", NumpyDTypes::widest},
             "Product of two arrays, element by element.", MG_SCALAR(math::multiply(x, y)), mul_grad);
  add_binary(
      {"broadcast_div", {}, "elemwise_div", {"_div", "_Div"}, "_npi_true_divide", NumpyDTypes::quotient},
      "Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.",
      MG_SCALAR(math::divide(x, y)), div_grad);
  add_binary({"broadcast_floor_divide", {}, "_floor_divide", {}},
             "Quotient of two arrays, rounded down as by Python's //; an integer divided by 0 gives 0.",
             MG_SCALAR(math::floor_divide(x, y)));
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::binary
