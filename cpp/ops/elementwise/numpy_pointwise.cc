// Element by element, in NumPy's namespace: angles, signs, powers of two, bits, rounding and what replaces NaN.
#include <cmath>
#include <limits>

#include "base/load.h"
#include "kernels/math/math.h"
#include "ops/elementwise/binary_table.h"

namespace mixgrad::ops::numpy_pointwise {
namespace {

struct NumberParams {
  double scalar = 1;
  bool is_int = true;
  static void fields(Fields<NumberParams>& f) {
    f.add("scalar", &NumberParams::scalar, "The number. It takes the type of the elements first.")
        .add("is_int", &NumberParams::is_int,
             "Whether integers stay integers; if not, integer arrays give float64 results.");
  }
};

void number_dtype(const NumberParams& p, DTypeInfer& d) {
  const DType in = d.in(0);
  if (in == DType::unknown) return;
  if (is_float(in)) return d.set_out(0, in);
  d.set_out(0, !p.is_int ? DType::float64 : in == DType::boolean ? DType::int64 : in);
}

using BinaryGrad = void (*)(const NoParams&, Grad&);

// Two arrays that broadcast.
template <class S>
Define<> two(const char* name, const char* first, const char* second, Text doc, S scalar) {
  Define<> define(name);
  define.doc(doc)
      .origin("MXNet numpy elemwise_broadcast_op")
      .input(first, "First operand.")
      .input(second, "Second operand; shapes broadcast as in NumPy.")
      .broadcasts()
      .pointwise_int(scalar)
      .element_cost(4);
  return define;
}
// An array and a number; the gradient is `grad`(x, number) times what arrives, null: none.
template <Tensor (*kGrad)(const Tensor& x, double s), class S>
void with_number(const char* name, Text doc, S scalar) {
  Define<NumberParams> define(name);
  define.doc(doc)
      .origin("MXNet numpy elemwise_broadcast_op")
      .input("data", "Any array.")
      .dtype(number_dtype)
      .pointwise_int(scalar)
      .element_cost(4);
  define.grad([](const NumberParams& p, Grad& g) {
    const Tensor og = g.out_grad();
    g.set(0, cast_to(og * kGrad(cast_to(g.in(0), og->dtype()), p.scalar), g.in_dtype(0)));
  });
  define.done();
}
// Truth values and a number that is none of the two give integers.
void bits_dtype(const NumberParams& p, DTypeInfer& d) {
  if (p.scalar != std::trunc(p.scalar)) d.reject("scalar is ", p.scalar, "; expected a whole number");
  const DType in = d.in(0);
  const bool number = in == DType::boolean && p.scalar != 0 && p.scalar != 1;
  if (in != DType::unknown && is_float(in)) d.reject("expected an integer type or bool");
  if (in != DType::unknown) d.set_out(0, number ? DType::int64 : in);
}
template <class S>
void with_bits(const char* name, Text doc, S scalar) {
  Define<NumberParams>(name)
      .doc(doc)
      .origin("MXNet numpy elemwise_broadcast_op_extended")
      .input("data", "Integers or bool.")
      .dtype(bits_dtype)
      .pointwise_int(scalar)
      .element_cost(1)
      .grad_needs({}, {})
      .no_gradient()
      .done();
}

Tensor plus_square(const Tensor& x, double s) { return apply("square", {x}) + s * s; }
Tensor of_sign(const Tensor& x, const Tensor& y) {
  return apply("sign", {x}) * (apply("_greater_equal_scalar", {y}, {{"scalar", 0.0}}) * 2.0 - 1.0);
}
constexpr double kLn2 = 0.6931471805599453;

Tensor arctan2_grad(const Tensor& x, double s) {
  return apply("_rdiv_scalar", {plus_square(x, s)}, {{"scalar", s}});
}
Tensor rarctan2_grad(const Tensor& x, double s) {
  return apply("_rdiv_scalar", {plus_square(x, s)}, {{"scalar", -s}});
}
Tensor copysign_grad(const Tensor& x, double s) {
  return apply("sign", {x}) * (std::signbit(s) ? -1.0 : 1.0);
}
Tensor zero_grad(const Tensor& x, double) { return zeros_like(x); }
Tensor ldexp_grad(const Tensor& x, double s) { return ones_like(x) * std::pow(2.0, s); }
Tensor rldexp_grad(const Tensor& x, double s) {
  return apply("_rpower_scalar", {x}, {{"scalar", 2.0}}) * (s * kLn2);
}

const bool kRegistered = at_load([] {
  using G = Grad;
  using N = NoParams;
  two("_npi_arctan2", "x1", "x2", "Angle of the point (x2, x1), in [-pi, pi].",
      MG_SCALAR(math::arctan2(x, y)))
      .dtype([](const N&, DTypeInfer& d) { infer_numpy_dtypes(NumpyDTypes::floats, d); })
      .grad([](const N&, G& g) {
        const Tensor a = g.in(0), b = g.in(1);
        const Tensor over = g.out_grad() / (apply("square", {a}) + apply("square", {b}));
        if (g.wants(0)) set_reduced(g, 0, over * b);
        if (g.wants(1)) set_reduced(g, 1, -(over * a));
      })
      .done();
  two("_npi_copysign", "lhs", "rhs", "The size of lhs with the sign of rhs.", MG_SCALAR(math::copysign(x, y)))
      .dtype([](const N&, DTypeInfer& d) { infer_numpy_dtypes(NumpyDTypes::same, d); })
      .grad([](const N&, G& g) {
        if (g.wants(0)) set_reduced(g, 0, g.out_grad() * of_sign(g.in(0), g.in(1)));
        if (g.wants(1)) g.set(1, zeros_like(g.in(1)));
      })
      .done();
  two("_npi_ldexp", "lhs", "rhs", "lhs times 2 to the power of rhs.", MG_SCALAR(math::ldexp(x, y)))
      .dtype([](const N&, DTypeInfer& d) { infer_numpy_dtypes(NumpyDTypes::same, d); })
      .grad([](const N&, G& g) {
        const Tensor scaled = g.out_grad() * apply("_rpower_scalar", {g.in(1)}, {{"scalar", 2.0}});
        if (g.wants(0)) set_reduced(g, 0, scaled);
        if (g.wants(1)) set_reduced(g, 1, scaled * g.in(0) * kLn2);
      })
      .done();
  const auto whole = [](const N&, DTypeInfer& d) { infer_numpy_dtypes(NumpyDTypes::integers, d); };
  two("_npi_lcm", "lhs", "rhs", "Least common multiple.", MG_SCALAR(math::lcm(x, y)))
      .dtype(whole)
      .no_gradient()
      .done();
  two("_npi_bitwise_and", "lhs", "rhs", "Bits that both have.", MG_SCALAR(math::bits_and(x, y)))
      .dtype(whole)
      .no_gradient()
      .done();
  two("_npi_bitwise_or", "lhs", "rhs", "Bits that either has.", MG_SCALAR(math::bits_or(x, y)))
      .dtype(whole)
      .no_gradient()
      .done();
  two("_npi_bitwise_xor", "lhs", "rhs", "Bits that exactly one has.", MG_SCALAR(math::bits_xor(x, y)))
      .dtype(whole)
      .no_gradient()
      .done();

  with_number<arctan2_grad>("_npi_arctan2_scalar", "Angle of the point (scalar, data).",
                            MG_SCALAR(math::arctan2(x, math::number<T>(p.scalar))));
  with_number<rarctan2_grad>("_npi_rarctan2_scalar", "Angle of the point (data, scalar).",
                             MG_SCALAR(math::arctan2(math::number<T>(p.scalar), x)));
  with_number<copysign_grad>("_npi_copysign_scalar", "The size of data with the sign of a number.",
                             MG_SCALAR(math::copysign(x, math::number<T>(p.scalar))));
  with_number<zero_grad>("_npi_rcopysign_scalar", "The size of a number with the sign of data.",
                         MG_SCALAR(math::copysign(math::number<T>(p.scalar), x)));
  with_number<ldexp_grad>("_npi_ldexp_scalar", "data times 2 to the power of a number.",
                          MG_SCALAR(math::ldexp(x, math::number<T>(p.scalar))));
  with_number<rldexp_grad>("_npi_rldexp_scalar", "A number times 2 to the power of data.",
                           MG_SCALAR(math::ldexp(math::number<T>(p.scalar), x)));
  with_bits("_npi_lcm_scalar", "Least common multiple of data and a number.",
            MG_SCALAR(math::lcm(x, math::number<T>(p.scalar))));
  with_bits("_npi_bitwise_and_scalar", "Bits that data and a number have.",
            MG_SCALAR(math::bits_and(x, math::number<T>(p.scalar))));
  with_bits("_npi_bitwise_or_scalar", "Bits that data or a number has.",
            MG_SCALAR(math::bits_or(x, math::number<T>(p.scalar))));
  with_bits("_npi_bitwise_xor_scalar", "Bits that either data or a number has.",
            MG_SCALAR(math::bits_xor(x, math::number<T>(p.scalar))));
});

const Op& bitwise_not =
    Define<>("_npi_bitwise_not")
        .doc("All bits the other way round; of bool the other truth.")
        .origin("MXNet _npi_bitwise_not")
        .input("x", "Integers or bool.")
        .dtype([](const NoParams&, DTypeInfer& d) { infer_numpy_dtypes(NumpyDTypes::integers, d); })
        .kernel([](const NoParams&, KernelArgs& args) {
          const View &x = args.in[0], &y = args.out[0];
          const uint8_t flips = x.dtype == DType::boolean ? 1 : 0xff;
          for (size_t i = 0; i < x.bytes(); ++i) {
            y.as<uint8_t>()[i] = static_cast<uint8_t>(x.as<uint8_t>()[i] ^ flips);
          }
        })
        .inplace()
        .by_element()
        .element_cost(0.3)
        .grad_needs({}, {})
        .no_gradient();

// Infinities of one sign.
template <class S>
void infinite(const char* name, Text doc, S scalar) {
  Define<>(name)
      .doc(doc)
      .origin("MXNet np_elemwise_unary_op")
      .input("x", "Any array.")
      .dtype([](const NoParams&, DTypeInfer& d) { infer_numpy_dtypes(NumpyDTypes::truth, d); })
      .pointwise_int(scalar)
      .element_cost(0.2)
      .grad_needs({}, {})
      .no_gradient()
      .done();
}
const bool kInfinite = at_load([] {
  infinite("_npi_isposinf", "Whether data is infinite and above 0.",
           MG_SCALAR(x > 0 && math::subtract(x, x) != 0));
  infinite("_npi_isneginf", "Whether data is infinite and below 0.",
           MG_SCALAR(x < 0 && math::subtract(x, x) != 0));
});

}  // namespace
}  // namespace mixgrad::ops::numpy_pointwise
