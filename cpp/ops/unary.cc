// Functions of one array, element by element.
#include "op/define.h"
#include "ops/math.h"

namespace mixgrad::ops::unary {
namespace {

const Op& negative = Define<>("negative")
                         .doc("-data.")
                         .input("data", "Any array.")
                         .pointwise_int(MG_SCALAR(math::subtract(T(0), x)))
                         .grad_needs({}, {})
                         .grad([](const NoParams&, Grad& g) { g.set(0, -g.out_grad()); });

const Op& absolute =
    Define<>("abs")
        .doc("Absolute value.")
        .input("data", "Any array.")
        .pointwise_int(MG_SCALAR(x < 0 ? math::subtract(T(0), x) : x))
        .grad([](const NoParams&, Grad& g) { g.set(0, g.out_grad() * apply("sign", {g.in(0)})); });

const Op& sign = Define<>("sign")
                     .doc("-1, 0 or 1.")
                     .input("data", "Any array.")
                     .pointwise_int(MG_SCALAR((x > 0) - (x < 0)))
                     .grad_needs({}, {})
                     .no_gradient();

const Op& exponential = Define<>("exp")
                            .doc("e^data.")
                            .input("data", "Any array.")
                            .pointwise(MG_SCALAR(std::exp(x)))
                            .grad_needs({}, {0})
                            .grad([](const NoParams&, Grad& g) { g.set(0, g.out_grad() * g.out(0)); });

const Op& logarithm = Define<>("log")
                          .doc("Natural logarithm.")
                          .input("data", "Any array.")
                          .pointwise(MG_SCALAR(std::log(x)))
                          .grad([](const NoParams&, Grad& g) { g.set(0, g.out_grad() / g.in(0)); });

const Op& floor = Define<>("floor")
                      .doc("Largest integer not above data.")
                      .input("data", "Any array.")
                      .pointwise(MG_SCALAR(std::floor(x)))
                      .grad_needs({}, {})
                      .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::unary
