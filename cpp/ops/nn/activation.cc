// The activations without parameters that Activation offers, and the operator that picks one by name.
#include "kernels/math/math_exp.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::activation {
namespace {

const bool kRegistered = [] {
  using G = Grad;
  using N = NoParams;
  Define<> relu = unary_int_op("relu", "max(data, 0).", MG_SCALAR(x <= 0 ? T(0) : x));
  relu.alias("_npx_relu")
      .grad_needs({}, {0})
      .grad([](const N&, G& g) {
        g.set(0, g.out_grad() * apply("_greater_scalar", {g.out(0)}, {{"scalar", Value(0.0)}}));
      })
      .backward([](const N& p, BackwardArgs& args) {
        static const Op& loop = make_loop<N>(MG_SCALAR(y > 0 ? x : y * T(0)));  // NaN stays
        run_gradient(loop, &p, args, args.out[0]);
      })
      .backward_by_element()
      .backward_inplace()
      .done();
  Define<> sigmoid = unary_op("sigmoid", "1 / (1 + e^-data).", 0.4, MG_SCALAR(math::sigmoid(x)));
  sigmoid.alias("_npx_sigmoid")
      .grad_needs({}, {0})
      .grad([](const N&, G& g) { g.set(0, g.out_grad() * (g.out(0) * (1.0 - g.out(0)))); })
      .backward([](const N& p, BackwardArgs& args) {
        static const Op& loop = make_loop<N>(MG_SCALAR(x * y * (T(1) - y)));
        run_gradient(loop, &p, args, args.out[0]);
      })
      .backward_by_element()
      .backward_inplace()
      .done();
  Define<> tanh = unary_op("tanh", "Hyperbolic tangent.", 0.5, MG_SCALAR(math::tanh(x)));
  numpy_unary(tanh, "tanh")
      .grad_needs({}, {0})
      .grad([](const N&, G& g) { g.set(0, g.out_grad() * (1.0 - apply("square", {g.out(0)}))); })
      .backward([](const N& p, BackwardArgs& args) {
        static const Op& loop = make_loop<N>(MG_SCALAR(x * (T(1) - y * y)));
        run_gradient(loop, &p, args, args.out[0]);
      })
      .backward_by_element()
      .done();
  Define<> softplus =
      unary_op("softrelu", "log(1 + e^data), a smooth relu.", 0.8, MG_SCALAR(math::softplus(x)));
  softplus.grad_needs({}, {0})
      .grad([](const N&, G& g) { g.set(0, -(g.out_grad() * apply("expm1", {-g.out(0)}))); })
      .backward([](const N& p, BackwardArgs& args) {
        static const Op& loop = make_loop<N>(MG_SCALAR(-x * math::expm1(-y)));
        run_gradient(loop, &p, args, args.out[0]);
      })
      .backward_by_element()
      .backward_inplace()
      .done();
  Define<> log_sigmoid = unary_op("log_sigmoid", "log(sigmoid(data)).", 0.8, MG_SCALAR(math::log_sigmoid(x)));
  log_sigmoid.grad_needs({}, {0})
      .grad([](const N&, G& g) { g.set(0, -(g.out_grad() * apply("expm1", {g.out(0)}))); })
      .backward([](const N& p, BackwardArgs& args) {
        static const Op& loop = make_loop<N>(MG_SCALAR(-x * math::expm1(y)));
        run_gradient(loop, &p, args, args.out[0]);
      })
      .backward_by_element()
      .backward_inplace()
      .done();
  Define<> softsign = unary_op("softsign", "data / (1 + |data|).", 0.2, MG_SCALAR(math::softsign(x)));
  softsign.grad_needs({}, {0})
      .grad(
          [](const N&, G& g) { g.set(0, g.out_grad() * apply("square", {1.0 - apply("abs", {g.out(0)})})); })
      .backward([](const N& p, BackwardArgs& args) {
        static const Op& loop = make_loop<N>(MG_SCALAR(x * (T(1) - std::fabs(y)) * (T(1) - std::fabs(y))));
        run_gradient(loop, &p, args, args.out[0]);
      })
      .backward_by_element()
      .backward_inplace()
      .done();
  return true;
}();

enum class Act { relu, sigmoid, tanh, softrelu, softsign, log_sigmoid };

struct ActivationParams {
  Act act_type = Act::relu;
  static void fields(Fields<ActivationParams>& f) {
    f.choice("act_type", &ActivationParams::act_type,
             {"relu", "sigmoid", "tanh", "softrelu", "softsign", "log_sigmoid"}, "Which function.", true);
  }
};

// The operator of that name. All of them read at most their output in their gradients.
const Op& chosen_op(const ActivationParams& p) {
  static const Op* const ops[] = {&find_op("relu"),     &find_op("sigmoid"),  &find_op("tanh"),
                                  &find_op("softrelu"), &find_op("softsign"), &find_op("log_sigmoid")};
  return *ops[static_cast<int>(p.act_type)];
}

const Op& activation = Define<ActivationParams>("Activation")
                           .alias("_npx_activation")
                           .doc("The activation function named by act_type, element by element.")
                           .origin("MXNet Activation")
                           .input("data", "Any array.")
                           .stands_for(chosen_op)
                           .inplace()
                           .by_element()
                           .element_cost(0.4)
                           .grad_needs({}, {0})
                           .grad([](const ActivationParams& p, Grad& g) {
                             const NoParams none;
                             chosen_op(p).grad_fn(chosen_op(p), &none, g);
                           })
                           .backward_by_element()
                           .backward_inplace();

}  // namespace
}  // namespace mixgrad::ops::activation
