// Distributions sampled one element at a time, in double, with as many random words as each needs.
#include <cmath>
#include <limits>

#include "ops/random_fill.h"

namespace mixgrad::ops::random_fill {
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

// Counts the steps of the distribution function; for small means.
double poisson_by_steps(ElementRandom& random, double lam) {
  double left = random.uniform(), step = std::exp(-lam), k = 0;
  while (left > step && step > 0) {
    left -= step;
    k += 1;
    step *= lam / k;
  }
  return k;
}

// Transformed rejection with squeeze (PTRS, Hoermann 1993); for means of at least 10.
double poisson_by_rejection(ElementRandom& random, double lam) {
  const double root = std::sqrt(lam), log_lam = std::log(lam);
  const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = random.uniform() - 0.5, v = random.uniform();
    const double us = 0.5 - std::fabs(u), k = std::floor((2 * a / us + b) * u + lam + 0.43);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double accept = std::log(v * inverse_alpha / (a / (us * us) + b));
    if (accept <= k * log_lam - lam - log_factorial(k)) return k;
  }
}

}  // namespace

// Marsaglia and Tsang 2000; below 1 through the power of a uniform number.
double sample_gamma(ElementRandom& random, double alpha, double beta) {
  if (!(alpha > 0) || !(beta > 0) || !std::isfinite(alpha)) return kSamplerNan;
  double factor = beta;
  if (alpha < 1) {
    factor *= std::pow(random.uniform(), 1 / alpha);
    alpha += 1;
  }
  const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = random.normal(), cube = 1 + c * x;
    if (cube <= 0) continue;
    const double v = cube * cube * cube, u = random.uniform();
    if (u < 1 - 0.0331 * (x * x) * (x * x) || std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v))) {
      return d * v * factor;
    }
  }
}

double sample_poisson(ElementRandom& random, double lam, double) {
  if (!(lam >= 0)) return kSamplerNan;
  if (lam < 10) return poisson_by_steps(random, lam);
  // Beyond this every float is whole and the distribution is normal to the last bit of a double.
  if (lam > 1e15) return std::isfinite(lam) ? std::floor(lam + std::sqrt(lam) * random.normal()) : lam;
  return poisson_by_rejection(random, lam);
}

double sample_negative_binomial(ElementRandom& random, double k, double p) {
  if (!(k >= 0) || !(p >= 0) || !(p <= 1)) return kSamplerNan;
  if (k == 0 || p == 1) return 0;
  return sample_poisson(random, sample_gamma(random, k, (1 - p) / p), 0);
}

double sample_generalized_negative_binomial(ElementRandom& random, double mu, double alpha) {
  if (!(mu >= 0) || !(alpha >= 0)) return kSamplerNan;
  if (mu == 0) return 0;
  if (alpha == 0) return sample_poisson(random, mu, 0);
  return sample_poisson(random, sample_gamma(random, 1 / alpha, mu * alpha), 0);
}

}  // namespace mixgrad::ops::random_fill
