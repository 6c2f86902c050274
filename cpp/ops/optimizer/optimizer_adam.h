// What the updates by moments of the gradient share: Adam, LAMB, AdamW.
#pragma once

#include <algorithm>

#include "ops/optimizer/optimizer.h"

namespace mixgrad::ops::optimizer {

inline constexpr const char* kBeta1Doc = "Part of the first moment that is kept.";
inline constexpr const char* kBeta2Doc = "Part of the second moment that is kept.";
inline constexpr const char* kEpsilonDoc = "Added to the root of the second moment.";
inline constexpr const char* kStepDoc = "How many updates there were, this one included.";
inline constexpr const char* kMeanDoc = "First moment; changed in place.";
inline constexpr const char* kVarDoc = "Second moment; changed in place.";

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

struct LambStepParams {
  double lr = 0, lower_bound = -1, upper_bound = -1;
  static void fields(Fields<LambStepParams>& f) {
    f.required("lr", &LambStepParams::lr, kLrDoc)
        .add("lower_bound", &LambStepParams::lower_bound, "Least value of r1; a negative one does not bound.")
        .add("upper_bound", &LambStepParams::upper_bound,
             "Greatest value of r1; a negative one does not bound.");
  }
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
