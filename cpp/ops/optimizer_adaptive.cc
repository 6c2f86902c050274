// Updates with a rate per weight: RMSProp, AdaGrad and FTRL.
#include "ops/optimizer.h"

namespace mixgrad::ops::optimizer_adaptive {
namespace {

using optimizer::Bounded;
using optimizer::CommonParams;
using optimizer::kClipDoc;
using optimizer::kGradDoc;
using optimizer::kLrDoc;
using optimizer::kRescaleDoc;
using optimizer::kWdDoc;
using optimizer::kWeightDoc;
using optimizer::plain_update;
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

template <class T>
struct Rms {
  static constexpr int kStates = 1;
  T lr, wd, gamma, fresh, epsilon;
  Bounded<T> bounded, weights;
  explicit Rms(const RmsParams& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        gamma(static_cast<T>(p.gamma1)),
        fresh(1 - gamma),
        epsilon(static_cast<T>(p.epsilon)),
        bounded(p.rescale_grad, p.clip_gradient),
        weights(1, p.clip_weights) {}
  MIXGRAD_INLINE T step(T w, T grad, T& n, T&, T&) const {
    const T g = bounded.clip(bounded.scale * grad + wd * w);
    n = gamma * n + fresh * g * g;
    return weights.clip(w - lr * g / std::sqrt(n + epsilon));
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

template <class T>
struct RmsAlex {
  static constexpr int kStates = 3;
  T lr, wd, gamma, fresh, momentum, epsilon;
  Bounded<T> bounded, weights;
  explicit RmsAlex(const RmsAlexParams& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        gamma(static_cast<T>(p.gamma1)),
        fresh(1 - gamma),
        momentum(static_cast<T>(p.gamma2)),
        epsilon(static_cast<T>(p.epsilon)),
        bounded(p.rescale_grad, p.clip_gradient),
        weights(1, p.clip_weights) {}
  MIXGRAD_INLINE T step(T w, T grad, T& n, T& average, T& delta) const {
    const T g = bounded.clip(bounded.scale * grad + wd * w);
    n = gamma * n + fresh * g * g;
    average = gamma * average + fresh * g;
    delta = momentum * delta - lr * g / std::sqrt(n - average * average + epsilon);
    return weights.clip(w + delta);
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

template <class T>
struct Ftrl {
  static constexpr int kStates = 2;
  T lr, wd, lamda, beta;
  Bounded<T> bounded;
  explicit Ftrl(const FtrlParams& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        lamda(static_cast<T>(p.lamda1)),
        beta(static_cast<T>(p.beta)),
        bounded(p.rescale_grad, p.clip_gradient) {}
  MIXGRAD_INLINE T step(T w, T grad, T& z, T& n, T&) const {
    const T g = bounded(grad);
    const T before = std::sqrt(n);
    n += g * g;
    const T root = std::sqrt(n);
    z += g - (root - before) * w / lr;
    const T beyond = z > lamda ? lamda - z : z < -lamda ? -lamda - z : z != z ? z : T(0);
    return beyond / ((beta + root) / lr + wd);
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

template <class T>
struct Adagrad {
  static constexpr int kStates = 1;
  T lr, wd, epsilon;
  Bounded<T> bounded;
  explicit Adagrad(const AdagradParams& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        epsilon(static_cast<T>(p.epsilon)),
        bounded(p.rescale_grad, p.clip_gradient) {}
  MIXGRAD_INLINE T step(T w, T grad, T& history, T&, T&) const {
    const T g = bounded(grad);
    history += g * g;
    return w - lr * (g / std::sqrt(history + epsilon) + wd * w);
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
                            "epsilon) + wd * weight). All arrays are dense.")
                        .origin("MXNet _sparse_adagrad_update; Duchi and others 2011")
                        .input("weight", kWeightDoc)
                        .input("grad", kGradDoc)
                        .state("history", "Accumulated square of the gradient; changed in place.")
                        .dtype(update_dtype)
                        .kernel(plain_update<Adagrad, AdagradParams>);

}  // namespace
}  // namespace mixgrad::ops::optimizer_adaptive
