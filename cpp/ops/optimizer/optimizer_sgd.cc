// Updates by the gradient itself or by its sign, with and without momentum.
#include "ops/optimizer/optimizer_sgd.h"

namespace mixgrad::ops::optimizer_sgd {
namespace {

using optimizer::CommonParams;
using optimizer::kClipDoc;
using optimizer::kGradDoc;
using optimizer::kLazyDoc;
using optimizer::kLrDoc;
using optimizer::kRescaleDoc;
using optimizer::kWdDoc;
using optimizer::kWeight32Doc;
using optimizer::kWeightDoc;
using optimizer::mixed_dtype;
using optimizer::mixed_update;
using optimizer::Nesterov;
using optimizer::plain_update;
using optimizer::Sgd;
using optimizer::SgdMomentum;
using optimizer::SgdParams;
using optimizer::Sign;
using optimizer::Signum;
using optimizer::update_dtype;

struct PlainParams : SgdParams {
  static void fields(Fields<PlainParams>& f) {
    f.required("lr", &PlainParams::lr, kLrDoc)
        .add("wd", &PlainParams::wd, kWdDoc)
        .add("rescale_grad", &PlainParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &PlainParams::clip_gradient, kClipDoc)
        .add("lazy_update", &PlainParams::lazy_update, kLazyDoc);
  }
};

constexpr const char* kMomentumDoc = "Part of the last step that is kept.";

struct MomentumParams : SgdParams {
  static void fields(Fields<MomentumParams>& f) {
    f.required("lr", &MomentumParams::lr, kLrDoc)
        .add("momentum", &MomentumParams::momentum, kMomentumDoc)
        .add("wd", &MomentumParams::wd, kWdDoc)
        .add("rescale_grad", &MomentumParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &MomentumParams::clip_gradient, kClipDoc)
        .add("lazy_update", &MomentumParams::lazy_update, kLazyDoc);
  }
};

struct NesterovParams : SgdParams {
  static void fields(Fields<NesterovParams>& f) {
    f.required("lr", &NesterovParams::lr, kLrDoc)
        .add("momentum", &NesterovParams::momentum, kMomentumDoc)
        .add("wd", &NesterovParams::wd, kWdDoc)
        .add("rescale_grad", &NesterovParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &NesterovParams::clip_gradient, kClipDoc);
  }
};

struct SignParams : CommonParams {
  static void fields(Fields<SignParams>& f) {
    f.required("lr", &SignParams::lr, kLrDoc)
        .add("wd", &SignParams::wd, "Weight decay: lr times this part of the weight is taken off.")
        .add("rescale_grad", &SignParams::rescale_grad, "Accepted; changes no sign.")
        .add("clip_gradient", &SignParams::clip_gradient, "Accepted; changes no sign.");
  }
};

struct SignumParams : CommonParams {
  double momentum = 0, wd_lh = 0;
  static void fields(Fields<SignumParams>& f) {
    f.required("lr", &SignumParams::lr, kLrDoc)
        .add("momentum", &SignumParams::momentum, "Part of the averaged gradient that is kept.")
        .add("wd", &SignumParams::wd, kWdDoc)
        .add("rescale_grad", &SignumParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &SignumParams::clip_gradient, kClipDoc)
        .add("wd_lh", &SignumParams::wd_lh, "Decay of the weight itself, apart from the gradient.");
  }
};

constexpr const char* kMomDoc = "The last step; changed in place.";

const Op& sgd =
    Define<PlainParams>("sgd_update")
        .overwrites_any()
        .alias("_sparse_sgd_update")
        .doc("Step against the gradient: weight - lr * (clip(rescale_grad * grad) + wd * weight).")
        .origin("MXNet sgd_update")
        .input("weight", kWeightDoc)
        .input("grad", kGradDoc)
        .dtype(update_dtype)
        .kernel(plain_update<Sgd, PlainParams>);

const Op& sgd_mom = Define<MomentumParams>("sgd_mom_update")
                        .overwrites_any()
                        .alias("_sparse_sgd_mom_update")
                        .doc(
                            "mom = momentum * mom - lr * (clip(rescale_grad * grad) + wd * weight); the new "
                            "weight is weight + mom.")
                        .origin("MXNet sgd_mom_update")
                        .input("weight", kWeightDoc)
                        .input("grad", kGradDoc)
                        .state("mom", kMomDoc)
                        .dtype(update_dtype)
                        .kernel(plain_update<SgdMomentum, MomentumParams>);

const Op& mp_sgd =
    Define<PlainParams>("mp_sgd_update")
        .overwrites_any()
        .doc("sgd_update in float32 on weight32; the output is weight32 in the dtype of weight.")
        .origin("MXNet mp_sgd_update")
        .input("weight", kWeightDoc)
        .input("grad", kGradDoc)
        .state("weight32", kWeight32Doc)
        .dtype(mixed_dtype)
        .kernel(mixed_update<Sgd, PlainParams>);

const Op& mp_sgd_mom =
    Define<MomentumParams>("mp_sgd_mom_update")
        .overwrites_any()
        .doc("sgd_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.")
        .origin("MXNet mp_sgd_mom_update")
        .input("weight", kWeightDoc)
        .input("grad", kGradDoc)
        .state("mom", kMomDoc)
        .state("weight32", kWeight32Doc)
        .dtype(mixed_dtype)
        .kernel(mixed_update<SgdMomentum, MomentumParams>);

const Op& nag_mom = Define<NesterovParams>("nag_mom_update")
                        .overwrites_any()
                        .doc(
                            "Nesterov's momentum: with m0 the old mom, mom = momentum * m0 - lr * "
                            "(clip(rescale_grad * grad) + "
                            "wd * weight); the new weight is weight - momentum * m0 + (1 + momentum) * mom.")
                        .origin("MXNet nag_mom_update")
                        .input("weight", kWeightDoc)
                        .input("grad", kGradDoc)
                        .state("mom", kMomDoc)
                        .dtype(update_dtype)
                        .kernel(plain_update<Nesterov, NesterovParams>);

const Op& mp_nag_mom =
    Define<NesterovParams>("mp_nag_mom_update")
        .overwrites_any()
        .doc("nag_mom_update in float32 on weight32; the output is weight32 in the dtype of weight.")
        .origin("MXNet mp_nag_mom_update")
        .input("weight", kWeightDoc)
        .input("grad", kGradDoc)
        .state("mom", kMomDoc)
        .state("weight32", kWeight32Doc)
        .dtype(mixed_dtype)
        .kernel(mixed_update<Nesterov, NesterovParams>);

const Op& signsgd = Define<SignParams>("signsgd_update")
                        .overwrites_any()
                        .doc("Step by the gradient's sign: (1 - lr * wd) * weight - lr * sign(grad).")
                        .origin("MXNet signsgd_update")
                        .input("weight", kWeightDoc)
                        .input("grad", kGradDoc)
                        .dtype(update_dtype)
                        .kernel(plain_update<Sign, SignParams>);

const Op& signum =
    Define<SignumParams>("signum_update")
        .overwrites_any()
        .doc(
            "Step by the sign of an averaged gradient: mom = momentum * mom - (1 - momentum) * "
            "(clip(rescale_grad * "
            "grad) + wd * weight); the new weight is (1 - lr * wd_lh) * weight + lr * sign(mom).")
        .origin("MXNet signum_update")
        .input("weight", kWeightDoc)
        .input("grad", kGradDoc)
        .state("mom", "Averaged negative gradient; changed in place.")
        .dtype(update_dtype)
        .kernel(plain_update<Signum, SignumParams>);

}  // namespace
}  // namespace mixgrad::ops::optimizer_sgd
