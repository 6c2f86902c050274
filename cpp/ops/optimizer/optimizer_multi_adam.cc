// Adam on many weights in one call.
#include "ops/optimizer/optimizer_adam.h"
#include "ops/optimizer/optimizer_many.h"

namespace mixgrad::ops::optimizer_multi_adam {
namespace {

using optimizer::Adam;
using optimizer::AdamParams;
using optimizer::Many;

struct ManyAdamParams : optimizer::ManyParams {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  static void fields(Fields<ManyAdamParams>& f) {
    f.required("lrs", &ManyAdamParams::lrs, optimizer::kManyLrsDoc)
        .required("wds", &ManyAdamParams::wds, optimizer::kManyWdsDoc)
        .add("beta1", &ManyAdamParams::beta1, optimizer::kBeta1Doc)
        .add("beta2", &ManyAdamParams::beta2, optimizer::kBeta2Doc)
        .add("epsilon", &ManyAdamParams::epsilon, optimizer::kEpsilonDoc)
        .add("rescale_grad", &ManyAdamParams::rescale_grad, optimizer::kRescaleDoc)
        .add("clip_gradient", &ManyAdamParams::clip_gradient, optimizer::kClipDoc)
        .add("num_weights", &ManyAdamParams::num_weights, optimizer::kManyCountDoc, optimizer::kWeightCount);
  }
};

struct AdamRule {
  static constexpr int kStates = 2;
  template <class T>
  using Formula = Adam<T>;
  static AdamParams one_of(const ManyAdamParams& p) {
    AdamParams one;
    one.beta1 = p.beta1;
    one.beta2 = p.beta2;
    one.epsilon = p.epsilon;
    one.rescale_grad = p.rescale_grad;
    one.clip_gradient = p.clip_gradient;
    return one;
  }
};

template <bool kMixed>
const Op& define_adam(const char* name, const char* doc) {
  Define<ManyAdamParams> define(name);
  define.overwrites_any();
  define.doc(doc);
  Many<AdamRule, kMixed, false>::describe(define, "Kingma and Ba 2014, arXiv:1412.6980");
  return define.done();
}

const Op& plain = define_adam<false>("_multi_adam_update", "adam_update of several weights.");
const Op& mixed = define_adam<true>("_multi_mp_adam_update",
                                    "adam_update of several 16-bit weights, each with its float32 master.");

}  // namespace
}  // namespace mixgrad::ops::optimizer_multi_adam
