// Exponentials and logarithms that vectorise: no branch, no table, no call. T is float or double. Errors stay within
// 2 units in the last place (measured by tests/cpp/kernels_math_test.cc); infinities, NaN, zeros and subnormals come out
// as in the C library. Coefficients: Chebyshev interpolation with 60 digits on the reduced interval, rounded.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/math/math.h"

namespace mixgrad::math {

template <class T>
struct Layout;
template <>
struct Layout<float> {
  using Bits = uint32_t;
  static constexpr int kMantissa = 23;
  static constexpr Bits kBias = 127;
  static constexpr float kMagic = 12582912.0f;  // 1.5 * 2^23: adding it leaves an integer in the low bits
  static constexpr float kLn2High = 0.693145751953125f, kLn2Low = 1.4286068e-06f;
  static constexpr float kLog10Of2High = 0.301025390625f, kLog10Of2Low = 4.605039e-06f;
  static constexpr float kExpLow = -105, kExpHigh = 90, kExpm1Low = -30, kExpm1High = 88.8f, kTanhHigh = 12;
};
template <>
struct Layout<double> {
  using Bits = uint64_t;
  static constexpr int kMantissa = 52;
  static constexpr Bits kBias = 1023;
  static constexpr double kMagic = 6755399441055744.0;
  static constexpr double kLn2High = 0.6931471803691238, kLn2Low = 1.9082149292705877e-10;
  static constexpr double kLog10Of2High = 0.3010299955494702, kLog10Of2Low = 1.1451100898021838e-10;
  static constexpr double kExpLow = -746, kExpHigh = 711, kExpm1Low = -60, kExpm1High = 709.9, kTanhHigh = 24;
};

template <class T>
inline typename Layout<T>::Bits to_bits(T x) {
  typename Layout<T>::Bits bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
template <class T>
inline T from_bits(typename Layout<T>::Bits bits) {
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// Compact builds compute doubles one at a time, where the C library's functions do.
template <class T>
inline constexpr bool kOfLibrary = kCompact && sizeof(T) == 8;

// c0 + c1 x + c2 x^2 + ...
template <class T>
inline T horner(T, double c) {
  return static_cast<T>(c);
}
template <class T, class... C>
inline T horner(T x, double c, C... rest) {
  return static_cast<T>(c) + x * horner(x, rest...);
}

// Nearest integer, for |x| < 2^(mantissa - 1).
template <class T>
inline T nearest(T x) {
  return (x + Layout<T>::kMagic) - Layout<T>::kMagic;
}

// 2^n of an integer n within the exponents of normal numbers.
template <class T>
inline T power_of_2(T n) {
  return from_bits<T>((to_bits(n + Layout<T>::kMagic) + Layout<T>::kBias) << Layout<T>::kMantissa);
}

// x = n ln 2 + r with |r| <= ln(2) / 2.
template <class T>
struct ExpParts {
  T n, r;
};
template <class T>
inline ExpParts<T> exp_parts(T x) {
  const T n = nearest(x * static_cast<T>(1.4426950408889634));
  T r = x - n * Layout<T>::kLn2High;
  r = r - n * Layout<T>::kLn2Low;
  return {n, r};
}

// e^r - 1 of a reduced r.
template <class T>
inline T expm1_reduced(T r) {
  if constexpr (sizeof(T) == 4) {
    return r + r * r * horner(r, 0.5, 0.16666576, 0.041666552, 0.008363233, 0.001392625);
  } else {
    return r + r * r *
                   horner(r, 0.5, 0.1666666666666667, 0.04166666666666667, 0.008333333333326084,
                          0.0013888888888883711, 0.0001984126987500228, 2.480158732567746e-05,
                          2.755725517000089e-06, 2.755727347871858e-07, 2.5105312729622103e-08,
                          2.09147553258932e-09);
  }
}

// e^x 2^k for a small integer k.
template <class T>
inline T exp_scaled(T x, T k) {
  x = x > Layout<T>::kExpHigh ? Layout<T>::kExpHigh : x;
  x = x < Layout<T>::kExpLow ? Layout<T>::kExpLow : x;
  const ExpParts<T> parts = exp_parts(x);
  const T n = parts.n + k;
  // Two factors, so that results near overflow and below the normal numbers are right.
  const T half = nearest(n * static_cast<T>(0.5));
  return (T(1) + expm1_reduced(parts.r)) * power_of_2(half) * power_of_2(n - half);
}

// For loops over doubles of compact builds, too.
template <class T>
inline T exp_in_loop(T x) {
  return exp_scaled(x, T(0));
}
template <class T>
inline T exp(T x) {
  if constexpr (kOfLibrary<T>) return std::exp(x);
  return exp_in_loop(x);
}

template <class T>
inline T expm1(T given) {
  if constexpr (kOfLibrary<T>) return std::expm1(given);
  T x = given > Layout<T>::kExpm1High ? Layout<T>::kExpm1High : given;
  x = x < Layout<T>::kExpm1Low ? Layout<T>::kExpm1Low : x;
  const ExpParts<T> parts = exp_parts(x);
  // Half of the factor, which itself may not be representable.
  const T scale = power_of_2(parts.n - T(1));
  const T result = (scale * expm1_reduced(parts.r) + (scale - T(0.5))) * T(2);
  return std::fabs(given) < std::numeric_limits<T>::epsilon() ? given : result;
}

// x = m 2^e with m in [sqrt(1/2), sqrt(2)), of a positive finite x.
template <class T>
struct LogParts {
  T m, e;
};
template <class T>
inline LogParts<T> log_parts(T x) {
  using L = Layout<T>;
  using Bits = typename L::Bits;
  constexpr T kSmallest = std::numeric_limits<T>::min();
  constexpr T kScale = static_cast<T>(Bits(1) << (L::kMantissa + 2));
  const bool subnormal = x < kSmallest;
  const T scaled = subnormal ? x * kScale : x;
  const Bits root = to_bits(static_cast<T>(0.7071067811865476)), one = to_bits(T(1));
  const Bits shifted = to_bits(scaled) + (one - root);
  const T m = from_bits<T>((shifted & ((Bits(1) << L::kMantissa) - 1)) + root);
  constexpr T kTwo = static_cast<T>(Bits(1) << L::kMantissa);
  const T biased =
      from_bits<T>((shifted >> L::kMantissa) | to_bits(kTwo)) - (kTwo + static_cast<T>(L::kBias));
  return {m, biased - (subnormal ? static_cast<T>(L::kMantissa + 2) : T(0))};
}

// log(m), plus e * (high + low) when that is ln 2.
template <class T>
inline T log_reduced(T m, T e) {
  const T f = m - T(1);
  const T s = f / (T(2) + f);
  const T z = s * s;
  T r;
  if constexpr (sizeof(T) == 4) {
    r = z * horner(z, 0.6666667, 0.40000123, 0.2855078, 0.23331614);
  } else {
    r = z * horner(z, 0.6666666666666666, 0.3999999999999999, 0.2857142857143541, 0.22222222219844232,
                   0.18181818595769064, 0.15384574966460907, 0.13335645841949378, 0.11687962997542156,
                   0.1188345239410786);
  }
  const T half = T(0.5) * f * f;
  return e * Layout<T>::kLn2High - ((half - (s * (half + r) + e * Layout<T>::kLn2Low)) - f);
}

// `result`, with what the logarithm of 0, of negative numbers, infinity and NaN is.
template <class T>
inline T log_edges(T x, T result) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  result = x == kInfinity ? x : result;
  result = x == 0 ? -kInfinity : result;
  return x >= 0 ? result : std::numeric_limits<T>::quiet_NaN();
}

template <class T>
inline T log_in_loop(T x) {
  const LogParts<T> parts = log_parts(x);
  return log_edges(x, log_reduced(parts.m, parts.e));
}
template <class T>
inline T log(T x) {
  if constexpr (kOfLibrary<T>) return std::log(x);
  return log_in_loop(x);
}
template <class T>
inline T log2(T x) {
  if constexpr (kOfLibrary<T>) return std::log2(x);
  const LogParts<T> parts = log_parts(x);
  return log_edges(x, parts.e + log_reduced(parts.m, T(0)) * static_cast<T>(1.4426950408889634));
}
template <class T>
inline T log10(T x) {
  if constexpr (kOfLibrary<T>) return std::log10(x);
  const LogParts<T> parts = log_parts(x);
  const T low =
      parts.e * Layout<T>::kLog10Of2Low + log_reduced(parts.m, T(0)) * static_cast<T>(0.4342944819032518);
  return log_edges(x, parts.e * Layout<T>::kLog10Of2High + low);
}

template <class T>
inline T log1p(T x) {
  if constexpr (kOfLibrary<T>) return std::log1p(x);
  const T u = T(1) + x;
  const LogParts<T> parts = log_parts(u);
  // What rounding 1 + x lost, to first order.
  const T lost = (x - (u - T(1))) / u;
  const T result = log_edges(u, log_reduced(parts.m, parts.e) + lost);
  return std::fabs(x) < std::numeric_limits<T>::epsilon() ? x : result;
}

// Hyperbolic functions.
template <class T>
inline T tanh(T x) {
  if constexpr (kOfLibrary<T>) return std::tanh(x);
  T a = std::fabs(x);
  a = a > Layout<T>::kTanhHigh ? Layout<T>::kTanhHigh : a;
  const T t = expm1(a + a);
  return std::copysign(t / (t + T(2)), x);
}
// The one that clang would not copy into loops of doubles.
template <class T>
MIXGRAD_INLINE T sinh(T x) {
  if constexpr (kOfLibrary<T>) return std::sinh(x);
  const T a = std::fabs(x);
  const T t = expm1(a);
  const T near = T(0.5) * (t + t / (t + T(1)));
  const T half = exp_scaled(a, T(-1));
  return std::copysign(a < T(1) ? near : half - T(0.25) / half, x);
}
template <class T>
inline T cosh(T x) {
  if constexpr (kOfLibrary<T>) return std::cosh(x);
  const T half = exp_scaled(std::fabs(x), T(-1));
  return half + T(0.25) / half;
}
template <class T>
inline T arcsinh(T x) {
  const T a = std::fabs(x);
  const T square = a * a;
  const T near = log1p(a + square / (T(1) + std::sqrt(square + T(1))));
  const T far = log(a) + static_cast<T>(0.6931471805599453);
  return std::copysign(a > T(1e8) ? far : near, x);
}
template <class T>
inline T arccosh(T x) {
  const T t = x - T(1);
  const T near = log1p(t + std::sqrt(T(2) * t + t * t));
  const T far = log(x) + static_cast<T>(0.6931471805599453);
  const T result = x > T(1e8) ? far : near;
  return x >= T(1) ? result : std::numeric_limits<T>::quiet_NaN();
}
template <class T>
inline T arctanh(T x) {
  const T a = std::fabs(x);
  return std::copysign(T(0.5) * log1p(T(2) * a / (T(1) - a)), x);
}

// What neural networks make of them.
template <class T>
inline T sigmoid(T x) {
  const T e = exp(-std::fabs(x));
  return (x < 0 ? e : T(1)) / (T(1) + e);
}
// log(1 + e^x)
template <class T>
inline T softplus(T x) {
  return (x > 0 ? x : T(0)) + log1p(exp(-std::fabs(x)));
}
template <class T>
inline T log_sigmoid(T x) {
  return (x < 0 ? x : T(0)) - log1p(exp(-std::fabs(x)));
}
template <class T>
inline T softsign(T x) {
  return x / (T(1) + std::fabs(x));
}
// x tanh(log(1 + e^x)): with n = e^x (e^x + 2), the factor is n / (n + 2).
template <class T>
inline T mish(T x) {
  const T e = exp(x > T(30) ? T(30) : x);
  const T n = e * (e + T(2));
  return x * (n / (n + T(2)));
}

// x^y. Floats go through double, which leaves them correctly rounded but for rare cases; double is the C library's.
template <class T>
inline T real_power(T given, T exponent) {
  if constexpr (sizeof(T) == 8) {
    return std::pow(given, exponent);
  } else {
    const double x = given, y = exponent;
    const double a = std::fabs(x);
    // Floats from 2^24 on are even, so exponents beyond 2^50 may stand for each other.
    constexpr double kEven = 1125899906842624.0;
    double close = y > kEven ? kEven : y;
    close = close < -kEven ? -kEven : close;
    const double whole = nearest(close), half = nearest(close * 0.5);
    // A negative number has no power that is not whole; infinity has.
    const double allowed =
        a == std::numeric_limits<double>::infinity() ? a : std::numeric_limits<double>::quiet_NaN();
    const double fractional = x < 0 ? allowed : a;
    const double base = whole == close ? a : fractional;
    double size = exp_in_loop(y * log_in_loop(base));
    size = base == 1 ? 1.0 : size;
    size = y == 0 ? 1.0 : size;
    const double odd = half + half == whole ? size : std::copysign(size, x);
    return static_cast<T>(whole == close ? odd : size);
  }
}

template <class T>
inline T power(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    // Exact modulo the type's range, as repeated multiplication wraps; a fraction is truncated to 0.
    if (y < 0) return x == 1 ? T(1) : x == -1 ? (y % 2 != 0 ? T(-1) : T(1)) : T(0);
    using U = std::make_unsigned_t<T>;
    U result = 1, base = static_cast<U>(x);
    for (U left = static_cast<U>(y); left != 0; left >>= 1) {
      if (left & 1) result *= base;
      base *= base;
    }
    return static_cast<T>(result);
  } else {
    return real_power(x, y);
  }
}
// x^y for a y that the whole loop shares, in two parts, because tests of y inside the loop keep compilers from
// vectorising it: floats whose power is e^(y log|x|) with the sign of x if y is odd, and everything else.
template <class T>
inline bool power_is_special(T x, T y) {
  if constexpr (std::is_same_v<T, float>) {
    const double exponent = y;
    const bool unusual = (y == 2) | (y == 3) | (y == 0) | !(std::fabs(y) < 1e15f);
    return unusual | ((nearest(exponent) != exponent) & (x < 0));
  } else {
    return true;
  }
}
template <class T>
inline T power_usual(T x, T y) {
  const double base = static_cast<double>(x), exponent = static_cast<double>(y);
  const uint64_t odd = nearest(exponent * 0.5) * 2 != nearest(exponent) ? 1 : 0;
  const double size = exp_in_loop(exponent * log_in_loop(std::fabs(base)));
  return static_cast<T>(from_bits<double>(to_bits(size) | (to_bits(base) & (odd << 63))));
}
template <class T>
inline T power_special(T x, T y) {
  if (y == 2) return multiply(x, x);
  if (y == 3) return multiply(multiply(x, x), x);
  if constexpr (std::is_integral_v<T>)
    return power(x, y);
  else
    return std::pow(x, y);
}

// Cube roots, by one Newton step after the logarithm.
inline double cube_root(double x) {
  const double size = std::fabs(x);
  const bool small = size < 1e-290;  // among them what is below the normal numbers
  const double a = small ? size * 1.532495540865889e+54 : size;  // 2^180
  const double r = exp_in_loop(log_in_loop(a) * (1.0 / 3));
  const double better = (r - (r - a / (r * r)) * (1.0 / 3)) * (small ? 8.673617379884035e-19 : 1.0);  // 2^-60
  const bool plain = (size == 0) | (size == std::numeric_limits<double>::infinity());
  return std::copysign(plain ? size : better, x);
}
template <class T>
inline T cbrt(T x) {
  return static_cast<T>(cube_root(static_cast<double>(x)));
}
template <class T>
inline T rcbrt(T x) {
  return static_cast<T>(1.0 / cube_root(static_cast<double>(x)));
}

}  // namespace mixgrad::math
