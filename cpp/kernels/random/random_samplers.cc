#include "kernels/random/random_samplers.h"

#include <cmath>
#include <limits>

namespace mixgrad::random_samplers {
namespace {

constexpr double kSamplerNan = std::numeric_limits<double>::quiet_NaN();

// log(k!) for whole k >= 0. (std::lgamma writes a global variable.)
double log_factorial(double k) {
  static constexpr double kSmall[] = {0,
                                      0,
                                      0.6931471805599453,
                                      1.791759469228055,
                                      3.1780538303479458,
                                      4.787491742782046,
                                      6.579251212010101,
                                      8.525161361065415,
                                      10.60460290274525,
                                      12.801827480081469};
  if (k < 10) return kSmall[static_cast<int>(k)];
  const double n = k + 1, r = 1 / n, s = r * r;  // Stirling's series
  return (n - 0.5) * std::log(n) - n + 0.9189385332046727 +
         r * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680))));
}

class Poisson {
 public:
  explicit Poisson(double lam) : lam_(lam) {
    if (lam < kManySteps) {
      start_ = std::exp(-lam);
    } else {
      log_lam_ = std::log(lam);
      b_ = 0.931 + 2.53 * std::sqrt(lam);
      a_ = -0.059 + 0.02483 * b_;
      inverse_alpha_ = 1.1239 + 1.1328 / (b_ - 3.4);
      v_r_ = 0.9277 - 3.6224 / (b_ - 2);
    }
  }
  double operator()(ElementRandom& random) const {
    if (!(lam_ >= 0)) return kSamplerNan;
    if (lam_ < kManySteps) return by_steps(random);
    // Beyond this the distribution is normal to the last bits of a double.
    if (lam_ > 1e15) return std::isfinite(lam_) ? std::floor(lam_ + std::sqrt(lam_) * random.normal()) : lam_;
    return by_rejection(random);
  }

 private:
  static constexpr double kManySteps = 10;

  // Walks along the distribution function.
  double by_steps(ElementRandom& random) const {
    double left = random.uniform(), step = start_, k = 0;
    while (left > step && step > 0) {
      left -= step;
      k += 1;
      step *= lam_ / k;
    }
    return k;
  }

  // Transformed rejection with squeeze (PTRS, Hoermann 1993).
  double by_rejection(ElementRandom& random) const {
    for (;;) {
      const double u = random.uniform() - 0.5, v = random.uniform();
      const double us = 0.5 - std::fabs(u), k = std::floor((2 * a_ / us + b_) * u + lam_ + 0.43);
      if (us >= 0.07 && v <= v_r_) return k;
      if (k < 0 || (us < 0.013 && v > us)) continue;
      const double accept = std::log(v * inverse_alpha_ / (a_ / (us * us) + b_));
      if (accept <= k * log_lam_ - lam_ - log_factorial(k)) return k;
    }
  }

  double lam_, start_ = 0, log_lam_ = 0, a_ = 0, b_ = 0, inverse_alpha_ = 0, v_r_ = 0;
};

// Marsaglia and Tsang 2000; below 1 through the power of a uniform number.
class Gamma {
 public:
  Gamma(double alpha, double beta)
      : valid_(alpha > 0 && beta > 0 && std::isfinite(alpha)),
        inverse_alpha_(alpha < 1 ? 1 / alpha : 0),
        beta_(beta) {
    d_ = (alpha < 1 ? alpha + 1 : alpha) - 1.0 / 3;
    c_ = 1 / std::sqrt(9 * d_);
  }
  double operator()(ElementRandom& random) const {
    if (!valid_) return kSamplerNan;
    for (;;) {
      const double x = random.normal(), u = random.uniform(), root = 1 + c_ * x;
      if (root <= 0) continue;
      const double v = root * root * root;
      if (u < 1 - 0.0331 * (x * x) * (x * x) || std::log(u) < 0.5 * x * x + d_ * (1 - v + std::log(v))) {
        return d_ * v * beta_ * (inverse_alpha_ > 0 ? std::pow(random.uniform(), inverse_alpha_) : 1);
      }
    }
  }

 private:
  bool valid_;
  double inverse_alpha_, beta_, d_, c_;
};

template <class Draw>
void sample_all(const ElementRun& run, double* out, const Draw& draw) {
  for (int64_t i = 0; i < run.count; ++i) {
    ElementRandom random = run[i];
    out[i] = draw(random);
  }
}

}  // namespace

void sample_gamma(const ElementRun& run, double alpha, double beta, double* out) {
  sample_all(run, out, Gamma(alpha, beta));
}

// Trial i succeeds if the uniform number i is below p. The middle one of the n in order has a beta distribution: where it lies below
// p, so does the lower half; on its other side the numbers are uniform again (Devroye 1986, X.4.3).
int64_t draw_binomial(ElementRandom& random, int64_t n, double p) {
  constexpr int64_t kFew = 32;
  int64_t below = 0;
  while (n > kFew && p > 0 && p < 1) {
    const int64_t middle = n / 2 + 1;
    const double a = Gamma(static_cast<double>(middle), 1)(random);
    const double b = Gamma(static_cast<double>(n + 1 - middle), 1)(random);
    const double at = a / (a + b);
    if (at < p) {
      below += middle;
      n -= middle;
      p = (p - at) / (1 - at);
    } else {
      n = middle - 1;
      p /= at;
    }
  }
  if (p >= 1) return below + n;
  for (; n > 0 && p > 0; --n) below += random.uniform() < p;
  return below;
}

void sample_poisson(const ElementRun& run, double lam, double, double* out) {
  sample_all(run, out, Poisson(lam));
}

void sample_negative_binomial(const ElementRun& run, double k, double p, double* out) {
  const bool valid = k >= 0 && p >= 0 && p <= 1;
  const Gamma mean(k, (1 - p) / p);
  sample_all(run, out, [&](ElementRandom& random) {
    if (!valid) return kSamplerNan;
    return k == 0 || p == 1 ? 0 : Poisson(mean(random))(random);
  });
}

void sample_generalized_negative_binomial(const ElementRun& run, double mu, double alpha, double* out) {
  if (alpha == 0) return sample_all(run, out, Poisson(mu));
  const bool valid = mu >= 0 && alpha >= 0;
  const Gamma mean(1 / alpha, mu * alpha);
  sample_all(run, out, [&](ElementRandom& random) {
    if (!valid) return kSamplerNan;
    return mu == 0 ? 0 : Poisson(mean(random))(random);
  });
}

}  // namespace mixgrad::random_samplers
