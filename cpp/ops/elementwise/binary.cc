// Arithmetic of two arrays: the broadcasting operators and their equal-shape twins.
#include "kernels/math/math_exp.h"
#include "op/define.h"

namespace mixgrad::ops::binary {
namespace {

// The names of one row of the table: a broadcasting operator and, where MXNet has one, its equal-shape twin.
struct BinaryNames {
  const char* broadcast;
  std::initializer_list<const char*> broadcast_aliases;
  const char* elemwise;
  std::initializer_list<const char*> elemwise_aliases;
};

// What the gradient reads.
enum class Needs { nothing, inputs };

void add_pair(const BinaryNames& names, Text doc, const Pointwise& loops, define::GradFn<NoParams> grad,
              Needs needs) {
  for (const bool broadcasts : {true, false}) {
    const char* name = broadcasts ? names.broadcast : names.elemwise;
    if (!name) continue;
    Define<> define(name);
    for (const char* alias : broadcasts ? names.broadcast_aliases : names.elemwise_aliases) {
      define.alias(alias);
    }
    define.doc(doc)
        .origin("MXNet elemwise_binary_op and elemwise_binary_broadcast_op")
        .input("lhs", "First operand.")
        .input("rhs", broadcasts ? "Second operand; shapes broadcast as in NumPy."
                                 : "Second operand, of the same shape.")
        .pointwise(loops);
    if (broadcasts) define.broadcasts();
    if (grad)
      define.grad(grad);
    else
      define.no_gradient();
    if (needs == Needs::nothing) define.grad_needs({}, {});
    define.done();
  }
}

template <class S>
void add_binary(const BinaryNames& names, Text doc, S scalar, define::GradFn<NoParams> grad = nullptr,
                Needs needs = Needs::inputs) {
  add_pair(names, doc, pointwise_loops<true, NoParams>(scalar), grad, needs);
}

// Sets gradient i, summed over the axes that were broadcast.
void set_reduced(Grad& g, int i, const Tensor& gradient) { g.set(i, sum_to(gradient, g.in_shape(i))); }

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
void mod_grad(const NoParams&, Grad& g) {
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
  add_binary({"broadcast_add", {"broadcast_plus"}, "elemwise_add", {"_add", "_plus", "_Plus", "_grad_add"}},
             "Sum of two arrays.", MG_SCALAR(math::add(x, y)), add_grad, Needs::nothing);
  add_binary({"broadcast_sub", {"broadcast_minus"}, "elemwise_sub", {"_sub", "_minus", "_Minus"}},
             "Difference of two arrays.", MG_SCALAR(math::subtract(x, y)), sub_grad, Needs::nothing);
  add_binary({"broadcast_mul", {}, "elemwise_mul", {"_mul", "_Mul"}},
             "Product of two arrays, element by element.", MG_SCALAR(math::multiply(x, y)), mul_grad);
  add_binary({"broadcast_div", {}, "elemwise_div", {"_div", "_Div"}},
             "Quotient of two arrays. Integers divide toward zero; an integer divided by 0 gives 0.",
             MG_SCALAR(math::divide(x, y)), div_grad);
  add_binary({"broadcast_mod", {}, "_mod", {"_Mod"}},
             "Remainder with the sign of the divisor, as Python's %; a remainder by 0 is 0.",
             MG_SCALAR_WITHIN(math::modulo_is_far(x, y), math::modulo_near(x, y), math::modulo(x, y)),
             mod_grad);
  add_binary({"broadcast_power", {}, "_power", {"_Power"}},
             "First operand raised to the power of the second.", MG_SCALAR(math::power(x, y)), power_grad);
  add_binary({"broadcast_maximum", {}, "_maximum", {"_Maximum"}}, "Larger of two values.",
             MG_SCALAR(math::maximum(x, y)), maximum_grad);
  add_binary({"broadcast_minimum", {}, "_minimum", {"_Minimum"}}, "Smaller of two values.",
             MG_SCALAR(math::minimum(x, y)), minimum_grad);
  add_binary({"broadcast_hypot", {}, "_hypot", {"_Hypot"}}, "Length of the vector (x, y).",
             MG_SCALAR(math::hypot(x, y)), hypot_grad);
  add_binary({"broadcast_equal", {}, "_equal", {"_Equal"}}, "1 where x == y, else 0.", MG_SCALAR(x == y));
  add_binary({"broadcast_not_equal", {}, "_not_equal", {"_Not_Equal"}}, "1 where x != y, else 0.",
             MG_SCALAR(x != y));
  add_binary({"broadcast_greater", {}, "_greater", {"_Greater"}}, "1 where x > y, else 0.", MG_SCALAR(x > y));
  add_binary({"broadcast_greater_equal", {}, "_greater_equal", {"_Greater_Equal"}}, "1 where x >= y, else 0.",
             MG_SCALAR(x >= y));
  add_binary({"broadcast_lesser", {}, "_lesser", {"_Lesser"}}, "1 where x < y, else 0.", MG_SCALAR(x < y));
  add_binary({"broadcast_lesser_equal", {}, "_lesser_equal", {"_Lesser_Equal"}}, "1 where x <= y, else 0.",
             MG_SCALAR(x <= y));
  add_binary({"broadcast_logical_and", {}, "_logical_and", {"_Logical_And"}},
             "1 where both are not 0, else 0.", MG_SCALAR((x != 0) & (y != 0)));
  add_binary({"broadcast_logical_or", {}, "_logical_or", {"_Logical_Or"}}, "1 where either is not 0, else 0.",
             MG_SCALAR((x != 0) | (y != 0)));
  add_binary({"broadcast_logical_xor", {}, "_logical_xor", {"_Logical_Xor"}},
             "1 where exactly one is not 0, else 0.", MG_SCALAR((x != 0) != (y != 0)));
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::binary
