// Arithmetic that changes only the elements that a sparse array stores; on dense arrays all of them.
#include "kernels/math/math_exp.h"
#include "op/define.h"

namespace mixgrad::ops::scatter {
namespace {

struct ScatterParams {
  double scalar = 1;
  bool is_int = false;
  static void fields(Fields<ScatterParams>& f) {
    f.add("scalar", &ScatterParams::scalar, "The second operand.")
        .add("is_int", &ScatterParams::is_int, "Accepted and ignored: the result has the dtype of data.");
  }
};

void add_scalar(const char* name, Text doc, const Pointwise& loops) {
  Define<ScatterParams>(name)
      .doc(doc)
      .origin("MXNet elemwise_scatter_op")
      .input("data", "Any array.")
      .pointwise(loops)
      .element_cost(0.15)
      .grad_needs({}, {})
      .grad([](const ScatterParams&, Grad& g) { g.set(0, g.out_grad()); })
      .done();
}

const bool kRegistered = [] {
  add_scalar("_scatter_plus_scalar", "data + scalar where data stores elements.",
             pointwise_loops<true, ScatterParams>(MG_SCALAR(math::add(x, math::number<T>(p.scalar)))));
  add_scalar("_scatter_minus_scalar", "data - scalar where data stores elements.",
             pointwise_loops<true, ScatterParams>(MG_SCALAR(math::subtract(x, math::number<T>(p.scalar)))));
  Define<>("_scatter_elemwise_div")
      .doc("lhs / rhs where lhs stores elements.")
      .origin("MXNet elemwise_scatter_op")
      .input("lhs", "Numbers to divide.")
      .input("rhs", "Divisors, of the same shape.")
      .pointwise(pointwise_loops<true, NoParams>(MG_SCALAR(math::divide(x, y))))
      .grad([](const NoParams&, Grad& g) {
        const Tensor over = g.out_grad() / g.in(1);
        if (g.wants(0)) g.set(0, over);
        if (g.wants(1)) g.set(1, -(over * (g.in(0) / g.in(1))));
      })
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::scatter
