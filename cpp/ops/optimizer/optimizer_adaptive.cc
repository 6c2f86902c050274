// Updates with a rate per weight: RMSProp, AdaGrad and FTRL.
#include "ops/optimizer/optimizer.h"

namespace mixgrad::ops::optimizer_adaptive {
namespace {

using optimizer::Adagrad;
using optimizer::CommonParams;
using optimizer::Ftrl;
using optimizer::kClipDoc;
using optimizer::kGradDoc;
using optimizer::kLrDoc;
using optimizer::kRescaleDoc;
using optimizer::kWdDoc;
using optimizer::kWeightDoc;
using optimizer::plain_update;
using optimizer::Rms;
using optimizer::RmsAlex;
using optimizer::update_dtype;

constexpr const char* kClipWeightsDoc =
    "New weights are bounded to plus and minus this; a negative value does not bound.";

struct RmsParams : CommonParams {
  double gamma1 = 0.95, epsilon = 1e-8, clip_weights = -1;
  static void fields(Fields<RmsParams>& f) {
    f.required("lr", &RmsParams::lr, kLrDoc)
        .add("gamma1", &RmsParams::gamma1, "Part of the averaged square that is kept.")
        .add("epsilon", &RmsParams::epsilon, "Added under the root.")
        .add("wd", &RmsParams::wd, kWdDoc)
        .add("rescale_grad", &RmsParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &RmsParams::clip_gradient, kClipDoc)
        .add("clip_weights", &RmsParams::clip_weights, kClipWeightsDoc);
  }
};

struct RmsAlexParams : CommonParams {
  double gamma1 = 0.95, gamma2 = 0.9, epsilon = 1e-8, clip_weights = -1;
  static void fields(Fields<RmsAlexParams>& f) {
    f.required("lr", &RmsAlexParams::lr, kLrDoc)
        .add("gamma1", &RmsAlexParams::gamma1, "Part of the averages that is kept.")
        .add("gamma2", &RmsAlexParams::gamma2, "Part of the last step that is kept.")
        .add("epsilon", &RmsAlexParams::epsilon, "Added under the root.")
        .add("wd", &RmsAlexParams::wd, kWdDoc)
        .add("rescale_grad", &RmsAlexParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &RmsAlexParams::clip_gradient, kClipDoc)
        .add("clip_weights", &RmsAlexParams::clip_weights, kClipWeightsDoc);
  }
};

struct FtrlParams : CommonParams {
  double lamda1 = 0.01, beta = 1;
  static void fields(Fields<FtrlParams>& f) {
    f.required("lr", &FtrlParams::lr, kLrDoc)
        .add("lamda1", &FtrlParams::lamda1, "Weight of the sum of absolute values: what keeps weights at 0.")
        .add("beta", &FtrlParams::beta, "Added to the root of n.")
        .add("wd", &FtrlParams::wd, "Weight of the sum of squares.")
        .add("rescale_grad", &FtrlParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &FtrlParams::clip_gradient, kClipDoc);
  }
};

struct AdagradParams : CommonParams {
  double epsilon = 1e-7;
  static void fields(Fields<AdagradParams>& f) {
    f.required("lr", &AdagradParams::lr, kLrDoc)
        .add("epsilon", &AdagradParams::epsilon, "Added under the root.")
        .add("wd", &AdagradParams::wd, "Weight decay: its multiple of the weight is added to the step.")
        .add("rescale_grad", &AdagradParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &AdagradParams::clip_gradient, kClipDoc);
  }
};

const Op& rmsprop = Define<RmsParams>("rmsprop_update")
                        .overwrites_any()
                        .doc(
                            "g = clip(rescale_grad * grad + wd * weight), n = gamma1 * n + (1 - gamma1) * "
                            "g^2; the new weight is "
                            "weight - lr * g / sqrt(n + epsilon).")
                        .origin("MXNet rmsprop_update; Tieleman and Hinton 2012")
                        .input("weight", kWeightDoc)
                        .input("grad", kGradDoc)
                        .state("n", "Averaged square of the gradient; changed in place.")
                        .dtype(update_dtype)
                        .kernel(plain_update<Rms, RmsParams>);

const Op& rmspropalex =
    Define<RmsAlexParams>("rmspropalex_update")
        .overwrites_any()
        .doc(
            "RMSProp around the mean, with momentum: n and g average the squares and the gradients, delta = "
            "gamma2 * "
            "delta - lr * grad / sqrt(n - g^2 + epsilon); the new weight is weight + delta.")
        .origin("MXNet rmspropalex_update; Graves 2013")
        .input("weight", kWeightDoc)
        .input("grad", kGradDoc)
        .state("n", "Averaged square of the gradient; changed in place.")
        .state("g", "Averaged gradient; changed in place.")
        .state("delta", "The last step; changed in place.")
        .dtype(update_dtype)
        .kernel(plain_update<RmsAlex, RmsAlexParams>);

const Op& ftrl = Define<FtrlParams>("ftrl_update")
                     .overwrites_any()
                     .alias("_sparse_ftrl_update")
                     .doc(
                         "Follow the regularised leader: with g = clip(rescale_grad * grad), n sums g^2 and "
                         "z sums g minus what the "
                         "weight accounts for; weights whose |z| is at most lamda1 become 0.")
                     .origin("MXNet ftrl_update; McMahan and others 2013")
                     .input("weight", kWeightDoc)
                     .input("grad", kGradDoc)
                     .state("z", "Accumulated gradient; changed in place.")
                     .state("n", "Accumulated square of the gradient; changed in place.")
                     .dtype(update_dtype)
                     .kernel(plain_update<Ftrl, FtrlParams>);

const Op& adagrad = Define<AdagradParams>("_sparse_adagrad_update")
                        .overwrites_any()
                        .alias("adagrad_update")
                        .doc(
                            "history += g^2 with g = clip(rescale_grad * grad); the new weight is weight - "
                            "lr * (g / sqrt(history + "
                            "epsilon) + wd * weight).")
                        .origin("MXNet _sparse_adagrad_update; Duchi and others 2011")
                        .input("weight", kWeightDoc)
                        .input("grad", kGradDoc)
                        .state("history", "Accumulated square of the gradient; changed in place.")
                        .dtype(update_dtype)
                        .kernel(plain_update<Adagrad, AdagradParams>);

}  // namespace
}  // namespace mixgrad::ops::optimizer_adaptive
