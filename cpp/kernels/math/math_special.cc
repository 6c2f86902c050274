#include "kernels/math/math_special.h"

namespace mixgrad::math_special {
namespace {

constexpr double kPi = 3.141592653589793;
// From here the asymptotic series is exact to double precision; smaller arguments are shifted up to it.
constexpr double kAsymptotic = 16;
// Bernoulli numbers B2, B4, ...
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,     5.0 / 66,
                                 -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};

// The poles at 0, -1, -2, ... are plus infinity.
double digamma(double x) {
  if (x <= 0 && x == std::floor(x)) return std::numeric_limits<double>::infinity();
  double result = 0;
  if (x < 0) {
    result = -kPi / std::tan(kPi * (x - std::round(x)));  // exact next to a pole, as x - floor(x) is not
    x = 1 - x;
  }
  for (; x < kAsymptotic; x += 1) result -= 1 / x;
  const double square = 1 / (x * x);
  double term = square, series = 0;
  for (int k = 0; k < 8; ++k) {
    series += kBernoulli[k] * term / (2 * (k + 1));
    term *= square;
  }
  return result + std::log(x) - 0.5 / x - series;
}

}  // namespace

double erfinv(double x) {
  const double a = std::fabs(x);
  if (!(a < 1)) {
    return a == 1 ? std::copysign(std::numeric_limits<double>::infinity(), x)
                  : std::numeric_limits<double>::quiet_NaN();
  }
  if (a < 1e-9) return x * 0.886226925452758;
  const double l = std::log((1 - a) * (1 + a));
  const double b = 2 / (kPi * 0.147) + 0.5 * l;
  double y = std::sqrt(std::sqrt(b * b - l / 0.147) - b);
  for (int step = 0; step < 3; ++step) {
    const double error = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
    const double newton = error / (1.1283791670955126 * std::exp(-y * y));
    y -= newton / (1 + y * newton);
  }
  return std::copysign(y, x);
}

double polygamma(int n, double x) {
  if (n == 0) return digamma(x);
  if (x <= 0 && x == std::floor(x)) return std::numeric_limits<double>::infinity();
  if (n == 1 && x < 0) {
    const double s = std::sin(kPi * (x - std::round(x)));
    return kPi * kPi / (s * s) - polygamma(1, 1 - x);
  }
  if (x < -1e4) return std::numeric_limits<double>::quiet_NaN();
  // psi_n(x) = (-1)^(n+1) n! sum over k of (x + k)^-(n+1)
  double factorial = 1;
  for (int k = 2; k <= n; ++k) factorial *= k;
  double sum = 0;
  for (; x < kAsymptotic + n; x += 1) sum += std::pow(x, -(n + 1));
  double tail = std::pow(x, -n) / n + 0.5 * std::pow(x, -(n + 1));
  double rising = factorial * (n + 1);  // (n + 2k - 1)! for k = 1
  double even = 2;                      // (2k)!
  for (int k = 1; k <= 10; ++k) {
    tail += kBernoulli[k - 1] * rising / (even * factorial) * std::pow(x, -(n + 2 * k));
    rising *= static_cast<double>(n + 2 * k) * (n + 2 * k + 1);
    even *= static_cast<double>(2 * k + 1) * (2 * k + 2);
  }
  const double value = factorial * (sum + tail);
  return n % 2 == 1 ? value : -value;
}

}  // namespace mixgrad::math_special
