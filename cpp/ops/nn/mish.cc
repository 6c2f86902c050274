// A smooth activation.
#include "kernels/math/math_exp.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::mish {
namespace {

const Op& mish = unary_op("mish", "data * tanh(log(1 + e^data)).", 0.6, MG_SCALAR(math::mish(x)))
                     .origin("Misra 2019, arXiv:1908.08681")
                     .grad([](const NoParams&, Grad& g) {
                       const Tensor t = apply("tanh", {apply("softrelu", {g.in(0)})});
                       const Tensor slope =
                           g.in(0) * (1.0 - apply("square", {t})) * apply("sigmoid", {g.in(0)});
                       g.set(0, g.out_grad() * (t + slope));
                     });

}  // namespace
}  // namespace mixgrad::ops::mish
