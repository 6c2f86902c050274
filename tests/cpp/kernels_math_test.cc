// Vector mathematics against the C library, over the whole range of numbers, through the loops that operators run.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "check.h"
#include "op/op.h"

namespace {

using mixgrad::Op;
using Real = long double;

struct Function {
  const char* op;
  Real (*exact)(Real);
  double low, high;              // largest magnitudes drawn on either side of 0
  double float_ulp, double_ulp;  // largest error allowed
};

Real sigmoid_l(Real x) { return 1 / (1 + std::exp(-x)); }
Real softplus_l(Real x) { return x > 60 ? x : std::log1p(std::exp(x)); }
Real log_sigmoid_l(Real x) { return 0 - softplus_l(-x); }
Real exp_l(Real x) { return std::exp(x); }

const Function kFunctions[] = {
    {"exp", exp_l, -800, 800, 1.5, 2},
    {"expm1", [](Real x) { return std::expm1(x); }, -800, 800, 2, 2},
    {"log", [](Real x) { return std::log(x); }, -1, 1e300, 1.5, 1.5},
    {"log2", [](Real x) { return std::log2(x); }, 0, 1e300, 2, 2},
    {"log10", [](Real x) { return std::log10(x); }, 0, 1e300, 2, 2},
    {"log1p", [](Real x) { return std::log1p(x); }, -1, 1e300, 2, 2},
    {"sinh", [](Real x) { return std::sinh(x); }, -800, 800, 3, 3},
    {"cosh", [](Real x) { return std::cosh(x); }, -800, 800, 2.5, 2.5},
    {"tanh", [](Real x) { return std::tanh(x); }, -50, 50, 3, 3},
    {"arcsinh", [](Real x) { return std::asinh(x); }, -1e300, 1e300, 3, 3},
    {"arccosh", [](Real x) { return std::acosh(x); }, 0, 1e300, 3, 3},
    {"arctanh", [](Real x) { return std::atanh(x); }, -1, 1, 3, 3},
    {"sigmoid", sigmoid_l, -800, 800, 2.5, 2.5},
    {"softrelu", softplus_l, -800, 800, 2.5, 2.5},
    {"log_sigmoid", log_sigmoid_l, -800, 800, 2.5, 2.5},
    {"sin", [](Real x) { return std::sin(x); }, -2e6, 2e6, 1, 2},
    {"cos", [](Real x) { return std::cos(x); }, -2e6, 2e6, 1, 2},
    {"tan", [](Real x) { return std::tan(x); }, -2e6, 2e6, 1, 3},
    {"arcsin", [](Real x) { return std::asin(x); }, -1, 1, 1, 2.5},
    {"arccos", [](Real x) { return std::acos(x); }, -1, 1, 1, 2},
    {"arctan", [](Real x) { return std::atan(x); }, -1e300, 1e300, 1, 2},
    {"erf", [](Real x) { return std::erf(x); }, -10, 10, 2.5, 1.5},
    {"cbrt", [](Real x) { return std::cbrt(x); }, -1e300, 1e300, 1, 2},
    {"rcbrt", [](Real x) { return 1 / std::cbrt(x); }, -1e300, 1e300, 1, 2.5},
    {"sqrt", [](Real x) { return std::sqrt(x); }, 0, 1e300, 0.51, 0.51},
    {"rsqrt", [](Real x) { return 1 / std::sqrt(x); }, 0, 1e300, 1.6, 1.6},
};

// Distance in units in the last place of T, or 0 for the same special value.
template <class T>
double error_of(T got, Real exact) {
  const T rounded = static_cast<T>(exact);
  if (std::isnan(got) || std::isnan(rounded)) return std::isnan(got) && std::isnan(rounded) ? 0 : 1e9;
  if (got == rounded) return 0;
  if (std::isinf(got) || std::isinf(rounded)) {
    // One of two neighbours: the last finite number and infinity.
    return std::fabs(std::isinf(got) ? rounded : got) == std::numeric_limits<T>::max() ? 1 : 1e9;
  }
  int exponent = 0;
  std::frexp(rounded, &exponent);
  const int lowest = std::numeric_limits<T>::min_exponent;
  const Real unit = std::ldexp(Real(1), std::max(exponent, lowest) - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(static_cast<Real>(got) - exact) / unit);
}

template <class T>
std::vector<T> points(const Function& f) {
  std::vector<T> x;
  const T infinity = std::numeric_limits<T>::infinity(), tiny = std::numeric_limits<T>::denorm_min();
  for (T v : {T(0), T(1), T(0.5), T(2), T(10), T(1e-3), infinity, tiny, std::numeric_limits<T>::min(),
              std::numeric_limits<T>::max(), std::numeric_limits<T>::epsilon(),
              std::numeric_limits<T>::quiet_NaN()}) {
    x.push_back(v);
    x.push_back(-v);
  }
  std::mt19937_64 random(11);
  const double most = static_cast<double>(std::numeric_limits<T>::max());
  for (int i = 0; i < 40000; ++i) {
    const double u = std::uniform_real_distribution<double>(0, 1)(random);
    const double end = std::max(-most, std::min(most, i % 2 ? f.high : f.low));
    // Half of them uniform, half of them over all magnitudes down to the smallest.
    const double floor_exponent = sizeof(T) == 4 ? -148.0 : -1070.0;
    const double magnitude =
        std::exp2(floor_exponent + u * (std::log2(std::max(std::fabs(end), 1e-300)) - floor_exponent));
    x.push_back(static_cast<T>(i % 4 < 2 ? u * end : std::copysign(magnitude, end)));
  }
  return x;
}

template <class T>
std::string check_function(const Function& f, mixgrad::ComputeType type, double bound) {
  const std::vector<T> x = points<T>(f);
  std::vector<T> got(x.size());
  const void* in[] = {x.data()};
  const mixgrad::NoParams none;
  mixgrad::find_op(f.op).pointwise.tile[type](in, got.data(), static_cast<int64_t>(x.size()), &none);
  double worst = 0;
  T where = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double error = error_of(got[i], f.exact(x[i]));
    if (error > worst) worst = error, where = x[i];
  }
  if (worst <= bound) return "";
  return std::string(f.op) + "(" + check::shown(where) + ") of " + check::shown(sizeof(T)) + " bytes is " +
         check::shown(worst) + " units off; allowed are " + check::shown(bound) + "; ";
}

template <class T>
void check_all(mixgrad::ComputeType type, double Function::*bound) {
  std::string wrong;
  for (const Function& f : kFunctions) wrong += check_function<T>(f, type, f.*bound);
  if (!wrong.empty()) check::fail(__FILE__, __LINE__, wrong);
}

}  // namespace

TEST(ops_math_floats) { check_all<float>(mixgrad::kComputeF32, &Function::float_ulp); }

TEST(ops_math_doubles) { check_all<double>(mixgrad::kComputeF64, &Function::double_ulp); }

TEST(ops_math_power) {
  const float special[] = {0.0f,
                           -0.0f,
                           1.0f,
                           -1.0f,
                           2.0f,
                           -2.0f,
                           3.0f,
                           -3.0f,
                           0.5f,
                           -0.5f,
                           1e30f,
                           -1e30f,
                           16777217.0f,
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(),
                           1e-42f};
  std::vector<float> x, y;
  for (float a : special)
    for (float b : special) x.push_back(a), y.push_back(b);
  std::mt19937 random(5);
  for (int i = 0; i < 40000; ++i) {
    x.push_back(std::exp2(std::uniform_real_distribution<float>(-20, 20)(random)));
    y.push_back(std::uniform_real_distribution<float>(-9, 9)(random));
  }
  std::vector<float> got(x.size());
  const void* in[] = {x.data(), y.data()};
  const mixgrad::NoParams none;
  mixgrad::find_op("broadcast_power")
      .pointwise.tile[mixgrad::kComputeF32](in, got.data(), int64_t(x.size()), &none);
  for (size_t i = 0; i < x.size(); ++i) {
    const double error = error_of(got[i], std::pow(Real(x[i]), Real(y[i])));
    if (!(error <= 1)) {
      check::fail(__FILE__, __LINE__,
                  "power(" + check::shown(x[i]) + ", " + check::shown(y[i]) + ") is " + check::shown(got[i]) +
                      ", " + check::shown(error) + " units off");
    }
  }
}
