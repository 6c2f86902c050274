// What the updates by moments of the gradient share: Adam, LAMB, AdamW.
#pragma once

#include <algorithm>

#include "ops/optimizer.h"

namespace mixgrad::ops::optimizer {

inline constexpr const char* kBeta1Doc = "Part of the first moment that is kept.";
inline constexpr const char* kBeta2Doc = "Part of the second moment that is kept.";
inline constexpr const char* kEpsilonDoc = "Added to the root of the second moment.";
inline constexpr const char* kStepDoc = "How many updates there were, this one included.";
inline constexpr const char* kMeanDoc = "First moment; changed in place.";
inline constexpr const char* kVarDoc = "Second moment; changed in place.";

// Both moments of a gradient, advanced by one step.
template <class T>
struct AdamMoments {
  T beta1, fresh1, beta2, fresh2;
  AdamMoments(double b1, double b2)
      : beta1(static_cast<T>(b1)), fresh1(1 - beta1), beta2(static_cast<T>(b2)), fresh2(1 - beta2) {}
  MIXGRAD_INLINE void advance(T g, T& mean, T& var) const {
    mean = beta1 * mean + fresh1 * g;
    var = beta2 * var + fresh2 * g * g;
  }
};

struct AdamParams : CommonParams {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  bool lazy_update = true;
  static void fields(Fields<AdamParams>& f) {
    f.required("lr", &AdamParams::lr, kLrDoc)
        .add("beta1", &AdamParams::beta1, kBeta1Doc)
        .add("beta2", &AdamParams::beta2, kBeta2Doc)
        .add("epsilon", &AdamParams::epsilon, kEpsilonDoc)
        .add("wd", &AdamParams::wd, kWdDoc)
        .add("rescale_grad", &AdamParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &AdamParams::clip_gradient, kClipDoc)
        .add("lazy_update", &AdamParams::lazy_update, kLazyDoc);
  }
};

template <class T>
struct Adam {
  static constexpr int kStates = 2;
  T lr, wd, epsilon;
  AdamMoments<T> moments;
  Bounded<T> bounded;
  explicit Adam(const AdamParams& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        epsilon(static_cast<T>(p.epsilon)),
        moments(p.beta1, p.beta2),
        bounded(p.rescale_grad, p.clip_gradient) {}
  MIXGRAD_INLINE T step(T w, T g, T& mean, T& var, T&) const {
    moments.advance(bounded.clip(bounded.scale * g + wd * w), mean, var);
    return w - lr * mean / (std::sqrt(var) + epsilon);
  }
};

struct LambParams {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, wd = 0, rescale_grad = 1, clip_gradient = -1;
  int32_t t = 1;
  bool bias_correction = true;
  static void fields(Fields<LambParams>& f) {
    f.add("beta1", &LambParams::beta1, kBeta1Doc)
        .add("beta2", &LambParams::beta2, kBeta2Doc)
        .add("epsilon", &LambParams::epsilon, kEpsilonDoc)
        .required("t", &LambParams::t, kStepDoc, at_least(1))
        .add("bias_correction", &LambParams::bias_correction, "Undo the start of the moments at 0.")
        .required("wd", &LambParams::wd, "Weight decay: its multiple of the weight is added to the step.")
        .add("rescale_grad", &LambParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &LambParams::clip_gradient, kClipDoc);
  }
};

template <class T>
struct LambDirection {
  static constexpr int kStates = 2;
  T wd, epsilon, debias1, debias2;
  AdamMoments<T> moments;
  Bounded<T> bounded;
  explicit LambDirection(const LambParams& p)
      : wd(static_cast<T>(p.wd)),
        epsilon(static_cast<T>(p.epsilon)),
        debias1(static_cast<T>(p.bias_correction ? 1 / (1 - std::pow(p.beta1, p.t)) : 1)),
        debias2(static_cast<T>(p.bias_correction ? 1 / (1 - std::pow(p.beta2, p.t)) : 1)),
        moments(p.beta1, p.beta2),
        bounded(p.rescale_grad, p.clip_gradient) {}
  MIXGRAD_INLINE T step(T w, T g, T& mean, T& var, T&) const {
    moments.advance(bounded(g), mean, var);
    return mean * debias1 / (std::sqrt(var * debias2) + epsilon) + wd * w;
  }
};

struct LambStepParams {
  double lr = 0, lower_bound = -1, upper_bound = -1;
  static void fields(Fields<LambStepParams>& f) {
    f.required("lr", &LambStepParams::lr, kLrDoc)
        .add("lower_bound", &LambStepParams::lower_bound, "Least value of r1; a negative one does not bound.")
        .add("upper_bound", &LambStepParams::upper_bound,
             "Greatest value of r1; a negative one does not bound.");
  }
};

// p.lr is the rate of this layer.
template <class T>
struct LambStep {
  static constexpr int kStates = 0;
  T lr;
  explicit LambStep(const LambStepParams& p) : lr(static_cast<T>(p.lr)) {}
  MIXGRAD_INLINE T step(T w, T g, T&, T&, T&) const { return w - lr * g; }
};

// The rate of a layer: p.lr times the ratio of the norms of its weight, bounded, and of its direction. A norm of 0 leaves
// the rate as it is.
inline LambStepParams layer_rate(LambStepParams p, double weight_norm, double direction_norm) {
  if (p.lower_bound >= 0) weight_norm = std::max(weight_norm, p.lower_bound);
  if (p.upper_bound >= 0) weight_norm = std::min(weight_norm, p.upper_bound);
  if (weight_norm != 0 && direction_norm != 0) p.lr *= weight_norm / direction_norm;
  return p;
}

}  // namespace mixgrad::ops::optimizer
