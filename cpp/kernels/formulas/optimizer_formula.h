// The formulas of updates of weights, for the loops of optimizer.h and for devices whose kernels are compiled at run time:
// they read this file itself. A formula is a class template over the number type, made on the host from the parameters, with
//   static constexpr const char* kText;                    see kernel_source/kernel_text.h
//   static constexpr int kStates;                          how many states it keeps per weight, at most 3
//   T step(T weight, T grad, T& a, T& b, T& c) const;      the new weight; changes the first kStates of a, b, c
#pragma once

#include <cmath>
#include <limits>

#include "base/cpu.h"

namespace mixgrad::ops::optimizer {

// What is done to a gradient before it is used. A negative limit does not bound; NaN stays.
template <class T>
struct Bounded {
  T scale, limit;
  Bounded(double rescale, double clip)
      : scale(static_cast<T>(rescale)),
        limit(clip < 0 ? std::numeric_limits<T>::infinity() : static_cast<T>(clip)) {}
  T clip(T x) const { return x > limit ? limit : x < -limit ? -limit : x; }
  T operator()(T grad) const { return clip(scale * grad); }
};

// Both moments of a gradient, advanced by one step.
template <class T>
struct AdamMoments {
  T beta1, fresh1, beta2, fresh2;
  AdamMoments(double b1, double b2)
      : beta1(static_cast<T>(b1)), fresh1(1 - beta1), beta2(static_cast<T>(b2)), fresh2(1 - beta2) {}
  void advance(T g, T& mean, T& var) const {
    mean = beta1 * mean + fresh1 * g;
    var = beta2 * var + fresh2 * g * g;
  }
};

template <class T>
struct Sgd {
  static constexpr const char* kText = "optimizer::Sgd";
  static constexpr int kStates = 0;
  T lr, wd;
  Bounded<T> bounded;
  template <class P>
  explicit Sgd(const P& p)
      : lr(static_cast<T>(p.lr)), wd(static_cast<T>(p.wd)), bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T g, T&, T&, T&) const { return w - lr * (bounded(g) + wd * w); }
};

template <class T>
struct SgdMomentum {
  static constexpr const char* kText = "optimizer::SgdMomentum";
  static constexpr int kStates = 1;
  T lr, wd, momentum;
  Bounded<T> bounded;
  template <class P>
  explicit SgdMomentum(const P& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        momentum(static_cast<T>(p.momentum)),
        bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T g, T& m, T&, T&) const {
    m = momentum * m - lr * (bounded(g) + wd * w);
    return w + m;
  }
};

template <class T>
struct Nesterov {
  static constexpr const char* kText = "optimizer::Nesterov";
  static constexpr int kStates = 1;
  T lr, wd, momentum;
  Bounded<T> bounded;
  template <class P>
  explicit Nesterov(const P& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        momentum(static_cast<T>(p.momentum)),
        bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T g, T& m, T&, T&) const {
    const T kept = momentum * m;
    m = kept - lr * (bounded(g) + wd * w);
    return w - kept + (1 + momentum) * m;
  }
};

template <class T>
inline T sign_of(T x) {
  return static_cast<T>((x > 0) - (x < 0));
}

template <class T>
struct Sign {
  static constexpr const char* kText = "optimizer::Sign";
  static constexpr int kStates = 0;
  T lr, keep;
  template <class P>
  explicit Sign(const P& p) : lr(static_cast<T>(p.lr)), keep(static_cast<T>(1 - p.lr * p.wd)) {}
  T step(T w, T g, T&, T&, T&) const { return keep * w - lr * sign_of(g); }
};

template <class T>
struct Signum {
  static constexpr const char* kText = "optimizer::Signum";
  static constexpr int kStates = 1;
  T lr, keep, wd, momentum, fresh;
  Bounded<T> bounded;
  template <class P>
  explicit Signum(const P& p)
      : lr(static_cast<T>(p.lr)),
        keep(static_cast<T>(1 - p.lr * p.wd_lh)),
        wd(static_cast<T>(p.wd)),
        momentum(static_cast<T>(p.momentum)),
        fresh(1 - momentum),
        bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T g, T& m, T&, T&) const {
    m = momentum * m - fresh * (bounded(g) + wd * w);
    return keep * w + lr * sign_of(m);
  }
};

template <class T>
struct Adam {
  static constexpr const char* kText = "optimizer::Adam";
  static constexpr int kStates = 2;
  T lr, wd, epsilon;
  AdamMoments<T> moments;
  Bounded<T> bounded;
  template <class P>
  explicit Adam(const P& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        epsilon(static_cast<T>(p.epsilon)),
        moments(p.beta1, p.beta2),
        bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T g, T& mean, T& var, T&) const {
    moments.advance(bounded.clip(bounded.scale * g + wd * w), mean, var);
    return w - lr * mean / (std::sqrt(var) + epsilon);
  }
};

template <class T>
struct Ftml {
  static constexpr const char* kText = "optimizer::Ftml";
  static constexpr int kStates = 3;
  T wd, epsilon, per_lr, debias;
  AdamMoments<T> moments;
  Bounded<T> bounded;
  template <class P>
  explicit Ftml(const P& p)
      : wd(static_cast<T>(p.wd)),
        epsilon(static_cast<T>(p.epsilon)),
        per_lr(static_cast<T>((1 - std::pow(p.beta1, p.t)) / p.lr)),
        debias(static_cast<T>(1 / (1 - std::pow(p.beta2, p.t)))),
        moments(p.beta1, p.beta2),
        bounded(p.rescale_grad, p.clip_grad) {}
  T step(T w, T grad, T& d, T& v, T& z) const {
    const T g = bounded.clip(bounded.scale * grad + wd * w);
    v = moments.beta2 * v + moments.fresh2 * g * g;
    const T next = per_lr * (std::sqrt(v * debias) + epsilon);
    z = moments.beta1 * z + moments.fresh1 * g - (next - moments.beta1 * d) * w;
    d = next;
    return -z / next;
  }
};

template <class T>
struct LambDirection {
  static constexpr const char* kText = "optimizer::LambDirection";
  static constexpr int kStates = 2;
  T wd, epsilon, debias1, debias2;
  AdamMoments<T> moments;
  Bounded<T> bounded;
  template <class P>
  explicit LambDirection(const P& p)
      : wd(static_cast<T>(p.wd)),
        epsilon(static_cast<T>(p.epsilon)),
        debias1(static_cast<T>(p.bias_correction ? 1 / (1 - std::pow(p.beta1, p.t)) : 1)),
        debias2(static_cast<T>(p.bias_correction ? 1 / (1 - std::pow(p.beta2, p.t)) : 1)),
        moments(p.beta1, p.beta2),
        bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T g, T& mean, T& var, T&) const {
    moments.advance(bounded(g), mean, var);
    return mean * debias1 / (std::sqrt(var * debias2) + epsilon) + wd * w;
  }
};

// p.lr is the rate of this layer.
template <class T>
struct LambStep {
  static constexpr const char* kText = "optimizer::LambStep";
  static constexpr int kStates = 0;
  T lr;
  template <class P>
  explicit LambStep(const P& p) : lr(static_cast<T>(p.lr)) {}
  T step(T w, T g, T&, T&, T&) const { return w - lr * g; }
};

template <class T>
struct AdamW {
  static constexpr const char* kText = "optimizer::AdamW";
  static constexpr int kStates = 2;
  T lr, wd, epsilon, eta;
  AdamMoments<T> moments;
  Bounded<T> bounded;
  template <class P>
  explicit AdamW(const P& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        epsilon(static_cast<T>(p.epsilon)),
        eta(static_cast<T>(p.eta)),
        moments(p.beta1, p.beta2),
        bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T g, T& mean, T& var, T&) const {
    moments.advance(bounded(g), mean, var);
    return w - eta * (lr * mean / (std::sqrt(var) + epsilon) + wd * w);
  }
};

template <class T>
struct Rms {
  static constexpr const char* kText = "optimizer::Rms";
  static constexpr int kStates = 1;
  T lr, wd, gamma, fresh, epsilon;
  Bounded<T> bounded, weights;
  template <class P>
  explicit Rms(const P& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        gamma(static_cast<T>(p.gamma1)),
        fresh(1 - gamma),
        epsilon(static_cast<T>(p.epsilon)),
        bounded(p.rescale_grad, p.clip_gradient),
        weights(1, p.clip_weights) {}
  T step(T w, T grad, T& n, T&, T&) const {
    const T g = bounded.clip(bounded.scale * grad + wd * w);
    n = gamma * n + fresh * g * g;
    return weights.clip(w - lr * g / std::sqrt(n + epsilon));
  }
};

template <class T>
struct RmsAlex {
  static constexpr const char* kText = "optimizer::RmsAlex";
  static constexpr int kStates = 3;
  T lr, wd, gamma, fresh, momentum, epsilon;
  Bounded<T> bounded, weights;
  template <class P>
  explicit RmsAlex(const P& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        gamma(static_cast<T>(p.gamma1)),
        fresh(1 - gamma),
        momentum(static_cast<T>(p.gamma2)),
        epsilon(static_cast<T>(p.epsilon)),
        bounded(p.rescale_grad, p.clip_gradient),
        weights(1, p.clip_weights) {}
  T step(T w, T grad, T& n, T& average, T& delta) const {
    const T g = bounded.clip(bounded.scale * grad + wd * w);
    n = gamma * n + fresh * g * g;
    average = gamma * average + fresh * g;
    delta = momentum * delta - lr * g / std::sqrt(n - average * average + epsilon);
    return weights.clip(w + delta);
  }
};

template <class T>
struct Ftrl {
  static constexpr const char* kText = "optimizer::Ftrl";
  static constexpr int kStates = 2;
  T lr, wd, lamda, beta;
  Bounded<T> bounded;
  template <class P>
  explicit Ftrl(const P& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        lamda(static_cast<T>(p.lamda1)),
        beta(static_cast<T>(p.beta)),
        bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T grad, T& z, T& n, T&) const {
    const T g = bounded(grad);
    const T before = std::sqrt(n);
    n += g * g;
    const T root = std::sqrt(n);
    z += g - (root - before) * w / lr;
    const T beyond = z > lamda ? lamda - z : z < -lamda ? -lamda - z : z != z ? z : T(0);
    return beyond / ((beta + root) / lr + wd);
  }
};

template <class T>
struct Adagrad {
  static constexpr const char* kText = "optimizer::Adagrad";
  static constexpr int kStates = 1;
  T lr, wd, epsilon;
  Bounded<T> bounded;
  template <class P>
  explicit Adagrad(const P& p)
      : lr(static_cast<T>(p.lr)),
        wd(static_cast<T>(p.wd)),
        epsilon(static_cast<T>(p.epsilon)),
        bounded(p.rescale_grad, p.clip_gradient) {}
  T step(T w, T grad, T& history, T&, T&) const {
    const T g = bounded(grad);
    history += g * g;
    return w - lr * (g / std::sqrt(history + epsilon) + wd * w);
  }
};

}  // namespace mixgrad::ops::optimizer
