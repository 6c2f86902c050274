// Arithmetic and comparison of an array with one number.
#include "kernels/math/math_exp.h"
#include "op/define.h"
#include "ops/elementwise/integer_limits.h"

namespace mixgrad::ops::scalar {
namespace {

struct ScalarParams {
  double scalar = 1;
  bool is_int = true;
  static void fields(Fields<ScalarParams>& f) {
    f.add("scalar", &ScalarParams::scalar, "The number. It takes the type of the elements first.")
        .add("is_int", &ScalarParams::is_int,
             "Whether integers stay integers; if not, integer arrays give float64 results.");
  }
};

// Truth values count as numbers and give int64.
void scalar_dtype(const ScalarParams& p, DTypeInfer& d) {
  const DType in = d.in(0);
  if (in == DType::unknown) {
    if (is_float(d.out(0))) d.set_in(0, d.out(0));
    return;
  }
  if (is_float(in)) return d.set_out(0, in);
  if (!p.is_int) return d.set_out(0, DType::float64);
  d.set_out(0, in == DType::boolean ? DType::int64 : in);
}

template <bool kLargest>
void extreme_dtype(const ScalarParams& p, DTypeInfer& d) {
  scalar_dtype(p, d);
  check_extreme(d, p.scalar, kLargest);
}

// What the gradient reads.
enum class ScalarNeeds { nothing, input };

using ScalarGrad = Tensor (*)(double s, const Tensor& og, const Tensor& x);

// The names by which an operator is known beside its own; null: none.
struct ScalarAliases {
  ScalarAliases(const char* first, const char* second = nullptr, const char* third = nullptr)
      : names{first, second, third} {}
  const char* names[3];
};

using DTypeRule = void (*)(const ScalarParams&, DTypeInfer&);

Define<ScalarParams> describe(const char* name, const ScalarAliases& aliases, Text doc,
                              const Pointwise& loops, DTypeRule dtype = scalar_dtype) {
  Define<ScalarParams> define(name);
  for (const char* alias : aliases.names) {
    if (alias) define.alias(alias);
  }
  define.doc(doc)
      .origin("MXNet elemwise_binary_scalar_op")
      .input("data", "Any array.")
      .dtype(dtype)
      .pointwise(loops);
  return define;
}

// A row whose gradient is `kGrad`; x is null where it is not needed. An integer input of a float result has its
// gradient computed in the result's type.
template <ScalarGrad kGrad, ScalarNeeds kNeeds, DTypeRule kDType = scalar_dtype, class S>
void add_scalar(const char* name, const ScalarAliases& aliases, Text doc, double cost, S scalar,
                const char* quotient = nullptr) {
  Define<ScalarParams> define =
      describe(name, aliases, doc, pointwise_loops<true, ScalarParams>(scalar), kDType);
  if (quotient) define.numpy(quotient, NumpyDTypes::quotient_scalar);
  define.element_cost(cost).grad([](const ScalarParams& p, Grad& g) {
    const Tensor og = g.out_grad();
    const Tensor x = kNeeds == ScalarNeeds::input ? cast_to(g.in(0), og->dtype()) : Tensor();
    g.set(0, cast_to(kGrad(p.scalar, og, x), g.in_dtype(0)));
  });
  if (kNeeds == ScalarNeeds::nothing) define.grad_needs({}, {});
  define.done();
}

template <class S>
void add_constant(const char* name, const char* alias, Text doc, S scalar, const char* numpy = nullptr) {
  Define<ScalarParams> define = describe(name, alias, doc, pointwise_loops<true, ScalarParams>(scalar));
  if (numpy) define.numpy(numpy, NumpyDTypes::truth);
  define.element_cost(0.15).grad_needs({}, {}).no_gradient().done();
}

Tensor grad_same(double, const Tensor& og, const Tensor&) { return og; }
Tensor grad_negative(double, const Tensor& og, const Tensor&) { return -og; }
Tensor grad_mul(double s, const Tensor& og, const Tensor&) { return og * s; }
Tensor grad_div(double s, const Tensor& og, const Tensor&) { return og / s; }
Tensor grad_rdiv(double s, const Tensor& og, const Tensor& x) {
  return og * apply("_rdiv_scalar", {x * x}, {{"scalar", Value(-s)}});
}
Tensor grad_rmod(double s, const Tensor& og, const Tensor& x) {
  return -(og * apply("floor", {apply("_rdiv_scalar", {x}, {{"scalar", Value(s)}})}));
}
Tensor grad_power(double s, const Tensor& og, const Tensor& x) {
  if (s == 1) return og;
  if (s == 2) return og * (x * 2.0);
  return og * (apply("_power_scalar", {x}, {{"scalar", Value(s - 1)}}) * s);
}
Tensor grad_rpower(double s, const Tensor& og, const Tensor& x) {
  return og * (apply("_rpower_scalar", {x}, {{"scalar", Value(s)}}) * std::log(s));
}
Tensor grad_maximum(double s, const Tensor& og, const Tensor& x) {
  return og * apply("_greater_equal_scalar", {x}, {{"scalar", Value(s)}});
}
Tensor grad_minimum(double s, const Tensor& og, const Tensor& x) {
  return og * apply("_lesser_equal_scalar", {x}, {{"scalar", Value(s)}});
}
Tensor grad_hypot(double s, const Tensor& og, const Tensor& x) {
  return og * (x / apply("_hypot_scalar", {x}, {{"scalar", Value(s)}}));
}
// s^2 x where |x| < 1 / s^2, elsewhere the sign of x.
Tensor grad_smooth_l1(double s, const Tensor& og, const Tensor& x) {
  return og * apply("clip", {x * (s * s)}, {{"a_min", Value(-1.0)}, {"a_max", Value(1.0)}});
}

const bool kRegistered = [] {
  using Needs = ScalarNeeds;
  add_scalar<grad_same, Needs::nothing>("_plus_scalar", {"_PlusScalar", "_npi_add_scalar"}, "data + scalar.",
                                        0.15, MG_SCALAR(math::add(x, math::number<T>(p.scalar))));
  add_scalar<grad_same, Needs::nothing>("_minus_scalar", {"_MinusScalar", "_npi_subtract_scalar"},
                                        "data - scalar.", 0.15,
                                        MG_SCALAR(math::subtract(x, math::number<T>(p.scalar))));
  add_scalar<grad_negative, Needs::nothing>("_rminus_scalar", {"_RMinusScalar", "_npi_rsubtract_scalar"},
                                            "scalar - data.", 0.15,
                                            MG_SCALAR(math::subtract(math::number<T>(p.scalar), x)));
  add_scalar<grad_mul, Needs::nothing>("_mul_scalar", {"_MulScalar", "_npi_multiply_scalar"},
                                       "data * scalar.", 0.15,
                                       MG_SCALAR(math::multiply(x, math::number<T>(p.scalar))));
  add_scalar<grad_div, Needs::nothing>(
      "_div_scalar", "_DivScalar",
      "data / scalar. Integers divide toward zero; an integer divided by 0 gives 0.", 0.2,
      MG_SCALAR(math::divide(x, math::number<T>(p.scalar))), "_npi_true_divide_scalar");
  add_scalar<grad_rdiv, Needs::input>(
      "_rdiv_scalar", "_RDivScalar",
      "scalar / data. Integers divide toward zero; an integer divided by 0 gives 0.", 0.2,
      MG_SCALAR(math::divide(math::number<T>(p.scalar), x)), "_npi_rtrue_divide_scalar");
  add_scalar<grad_same, Needs::nothing>(
      "_mod_scalar", {"_ModScalar", "_npi_mod_scalar"},
      "Remainder of data by scalar with the sign of the scalar; by 0 it is 0.", 8,
      MG_SCALAR_WITHIN(math::modulo_is_far(x, math::number<T>(p.scalar)),
                       math::modulo_near(x, math::number<T>(p.scalar)),
                       math::modulo(x, math::number<T>(p.scalar))));
  add_scalar<grad_rmod, Needs::input>("_rmod_scalar", {"_RModScalar", "_npi_rmod_scalar"},
                                      "Remainder of scalar by data with the sign of data; by 0 it is 0.", 8,
                                      MG_SCALAR_WITHIN(math::modulo_is_far(math::number<T>(p.scalar), x),
                                                       math::modulo_near(math::number<T>(p.scalar), x),
                                                       math::modulo(math::number<T>(p.scalar), x)));
  add_scalar<grad_power, Needs::input>("_power_scalar", {"_PowerScalar", "_npi_power_scalar"},
                                       "data raised to the power of scalar.", 1.5,
                                       MG_SCALAR_WITHIN(math::power_is_special(x, math::number<T>(p.scalar)),
                                                        math::power_usual(x, math::number<T>(p.scalar)),
                                                        math::power_special(x, math::number<T>(p.scalar))));
  add_scalar<grad_rpower, Needs::input>("_rpower_scalar", {"_RPowerScalar", "_npi_rpower_scalar"},
                                        "scalar raised to the power of data.", 1.5,
                                        MG_SCALAR(math::power(math::number<T>(p.scalar), x)));
  add_scalar<grad_maximum, Needs::input, extreme_dtype<true>>(
      "_maximum_scalar", {"_MaximumScalar", "_npi_maximum_scalar"},
      "Larger of data and scalar; NaN where either is NaN.", 0.15,
      MG_SCALAR(math::maximum(x, math::number<T>(p.scalar))));
  add_scalar<grad_minimum, Needs::input, extreme_dtype<false>>(
      "_minimum_scalar", {"_MinimumScalar", "_npi_minimum_scalar"},
      "Smaller of data and scalar; NaN where either is NaN.", 0.15,
      MG_SCALAR(math::minimum(x, math::number<T>(p.scalar))));
  add_scalar<grad_hypot, Needs::input>("_hypot_scalar", {"_HypotScalar", "_npi_hypot_scalar"},
                                       "Length of the vector (data, scalar).", 1,
                                       MG_SCALAR(math::hypot(x, math::number<T>(p.scalar))));

  add_constant("_floor_divide_scalar", nullptr,
               "data / scalar, rounded down; an integer divided by 0 gives 0.",
               MG_SCALAR(math::floor_divide(x, math::number<T>(p.scalar))));
  add_constant("_rfloor_divide_scalar", nullptr,
               "scalar / data, rounded down; an integer divided by 0 gives 0.",
               MG_SCALAR(math::floor_divide(math::number<T>(p.scalar), x)));
  add_constant("_equal_scalar", "_EqualScalar", "1 where data == scalar, else 0.",
               MG_SCALAR(math::equal(x, p.scalar)), "_npi_equal_scalar");
  add_constant("_not_equal_scalar", "_NotEqualScalar", "1 where data != scalar, else 0.",
               MG_SCALAR(!math::equal(x, p.scalar)), "_npi_not_equal_scalar");
  add_constant("_greater_scalar", "_GreaterScalar", "1 where data > scalar, else 0.",
               MG_SCALAR(math::greater(x, p.scalar)), "_npi_greater_scalar");
  add_constant("_greater_equal_scalar", "_GreaterEqualScalar", "1 where data >= scalar, else 0.",
               MG_SCALAR(math::greater_equal(x, p.scalar)), "_npi_greater_equal_scalar");
  add_constant("_lesser_scalar", "_LesserScalar", "1 where data < scalar, else 0.",
               MG_SCALAR(math::less(x, p.scalar)), "_npi_less_scalar");
  add_constant("_lesser_equal_scalar", "_LesserEqualScalar", "1 where data <= scalar, else 0.",
               MG_SCALAR(math::less_equal(x, p.scalar)), "_npi_less_equal_scalar");
  add_constant("_logical_and_scalar", "_LogicalAndScalar", "1 where data and scalar are both not 0, else 0.",
               MG_SCALAR((x != 0) & (math::number<T>(p.scalar) != 0)));
  add_constant("_logical_or_scalar", "_LogicalOrScalar", "1 where data or scalar is not 0, else 0.",
               MG_SCALAR((x != 0) | (math::number<T>(p.scalar) != 0)));
  add_constant("_logical_xor_scalar", "_LogicalXorScalar",
               "1 where exactly one of data and scalar is not 0, else 0.",
               MG_SCALAR((x != 0) != (math::number<T>(p.scalar) != 0)));
  return true;
}();

struct SmoothL1Params {
  float scalar = 1;
  static void fields(Fields<SmoothL1Params>& f) {
    f.add("scalar", &SmoothL1Params::scalar, "Sigma: the parabola ends at |x| = 1 / sigma^2.");
  }
};

const Op& smooth_l1 =
    Define<SmoothL1Params>("smooth_l1")
        .alias("_npx_smooth_l1")
        .doc("Huber's loss: with s = scalar^2, s x^2 / 2 where |x| < 1 / s, |x| - 1 / (2 s) elsewhere.")
        .origin("MXNet smooth_l1")
        .input("data", "Any float array.")
        .pointwise(MG_SCALAR(math::smooth_l1(x, math::number<T>(p.scalar) * math::number<T>(p.scalar))))
        .element_cost(0.2)
        .grad([](const SmoothL1Params& p, Grad& g) {
          g.set(0, grad_smooth_l1(p.scalar, g.out_grad(), g.in(0)));
        });

}  // namespace
}  // namespace mixgrad::ops::scalar
