// The formulas of stochastic gradient descent, shared by the updates of one weight and of many.
#pragma once

#include "ops/optimizer.h"

namespace mixgrad::ops::optimizer {

struct SgdParams : CommonParams {
  double momentum = 0;
  bool lazy_update = true;
};

template <class T>
struct Sgd {
  static constexpr int kStates = 0;
  T lr, wd;
  Bounded<T> bounded;
  explicit Sgd(const SgdParams& p)
      : lr(static_cast<T>(p.lr)), wd(static_cast<T>(p.wd)), bounded(p.rescale_grad, p.clip_gradient) {}
  MIXGRAD_INLINE T step(T w, T g, T&, T&, T&) const { return w - lr * (bounded(g) + wd * w); }
};

template <class T>
struct SgdMomentum {
  static constexpr int kStates = 1;
  T lr, wd, momentum;
  Bounded<T> bounded;
  explicit SgdMomentum(const SgdParams& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        momentum(static_cast<T>(p.momentum)),
        bounded(p.rescale_grad, p.clip_gradient) {}
  MIXGRAD_INLINE T step(T w, T g, T& m, T&, T&) const {
    m = momentum * m - lr * (bounded(g) + wd * w);
    return w + m;
  }
};

}  // namespace mixgrad::ops::optimizer
