// Scalar functions that vectorise: branch-free where it matters, the same source for every instruction set. Types are
// float, double, int32_t and int64_t. Integers wrap, and take what floating point gives, truncated.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/cpu.h"

namespace mixgrad::math {

// 2 to the power of the bits of T without the sign: whole numbers from -kEnd to below kEnd fit an integer T.
template <class T>
constexpr double kEnd = sizeof(T) == 8 ? 9223372036854775808.0 : 2147483648.0;

template <class T>
constexpr T kLowest = static_cast<T>(std::make_unsigned_t<T>(1) << (8 * sizeof(T) - 1));

// A parameter in the type of the elements; what does not fit an integer saturates, NaN gives 0.
template <class T>
inline T number(double value) {
  if constexpr (std::is_integral_v<T>) {
    if (!(value == value)) return 0;
    if (value >= kEnd<T>) return ~kLowest<T>;
    return value <= -kEnd<T> ? kLowest<T> : static_cast<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

// Comparisons of an element with any number, exact for integers: also with fractions, numbers beyond T, infinities and
// NaN, with which only inequality holds. What depends on the number alone leaves the loop.
template <class T>
inline bool equal(T x, double s) {
  if constexpr (!std::is_integral_v<T>) return x == static_cast<T>(s);
  return (x == number<T>(s)) & (std::floor(s) == s) & (std::fabs(s) < kEnd<T> || s == -kEnd<T>);
}
template <class T>
inline bool greater(T x, double s) {
  if constexpr (!std::is_integral_v<T>) return x > static_cast<T>(s);
  return ((x > number<T>(std::floor(s))) | (s < -kEnd<T>)) & (s == s);
}
template <class T>
inline bool greater_equal(T x, double s) {
  if constexpr (!std::is_integral_v<T>) return x >= static_cast<T>(s);
  return (x >= number<T>(std::ceil(s))) & (std::ceil(s) < kEnd<T>);
}
template <class T>
inline bool less(T x, double s) {
  if constexpr (!std::is_integral_v<T>) return x < static_cast<T>(s);
  return ((x < number<T>(std::ceil(s))) | (std::ceil(s) >= kEnd<T>)) & (s == s);
}
template <class T>
inline bool less_equal(T x, double s) {
  if constexpr (!std::is_integral_v<T>) return x <= static_cast<T>(s);
  return (x <= number<T>(std::floor(s))) & (std::floor(s) >= -kEnd<T>);
}

template <class T>
inline T add(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::make_unsigned_t<T>(x) + std::make_unsigned_t<T>(y));
  } else {
    return x + y;
  }
}
template <class T>
inline T subtract(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::make_unsigned_t<T>(x) - std::make_unsigned_t<T>(y));
  } else {
    return x - y;
  }
}
template <class T>
inline T multiply(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(std::make_unsigned_t<T>(x) * std::make_unsigned_t<T>(y));
  } else {
    return x * y;
  }
}

template <class T>
inline T negate(T x) {
  if constexpr (std::is_integral_v<T>)
    return subtract(T(0), x);
  else
    return -x;
}

// x / 0 is 0 for integers.
template <class T>
inline T divide(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    // The one overflowing quotient wraps, as unsigned negation does.
    if (y == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x));
    return y == 0 ? T(0) : x / y;
  } else {
    return x / y;
  }
}

// The quotient rounded down; x / 0 is 0 for integers.
template <class T>
inline T floor_divide(T x, T y) {
  const T quotient = divide(x, y);
  if constexpr (std::is_integral_v<T>) {
    const T rest = subtract(x, multiply(quotient, y));
    return y != 0 && rest != 0 && ((x < 0) != (y < 0)) ? quotient - 1 : quotient;
  } else {
    return std::floor(quotient);
  }
}

// With the sign of the divisor; 0 where the divisor is 0.
template <class T>
inline T modulo(T x, T y) {
  if (y == 0) return T(0);
  if constexpr (std::is_integral_v<T>) {
    if (y == -1) return 0;
    const T r = x % y;
    return r != 0 && ((r < 0) != (y < 0)) ? r + y : r;
  } else {
    const T r = std::fmod(x, y);
    return r != 0 && ((r < 0) != (y < 0)) ? r + y : r;
  }
}

// The same of floats by one division in double: whole quotients below 2^28 times the divisor are exact there. All but
// floats are left to modulo.
template <class T>
inline bool modulo_is_far(T x, T y) {
  if constexpr (std::is_same_v<T, float>) {
    return (static_cast<int>(std::fabs(x) > 268435456.0f * std::fabs(y)) |
            static_cast<int>(std::fabs(y) > 1e38f)) != 0;
  } else {
    return true;
  }
}
template <class T>
inline T modulo_near(T x, T y) {
  const double a = static_cast<double>(x), b = static_cast<double>(y);
  const double rest = a - std::floor(a / b) * b;
  return y == 0 ? T(0) : static_cast<T>(rest);
}

// NaN where either is NaN.
template <class T>
inline T maximum(T x, T y) {
  return ((x >= y) | (x != x)) ? x : y;
}
template <class T>
inline T minimum(T x, T y) {
  return ((x <= y) | (x != x)) ? x : y;
}

template <class T>
inline T hypot(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return number<T>(std::hypot(static_cast<double>(x), static_cast<double>(y)));
  } else if constexpr (sizeof(T) == 4) {  // the squares cannot overflow in double
    const double a = std::fabs(static_cast<double>(x)), b = std::fabs(static_cast<double>(y));
    const double infinite = std::numeric_limits<double>::infinity();
    return static_cast<T>(((a == infinite) | (b == infinite)) ? infinite : std::sqrt(a * a + b * b));
  } else {
    return std::hypot(x, y);
  }
}

// Rounding; integers are whole.
template <class T>
inline T floor(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return std::floor(x);
}
template <class T>
inline T ceil(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return std::ceil(x);
}
template <class T>
inline T trunc(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return std::trunc(x);
}
// Halves go down.
template <class T>
inline T rint(T x) {
  if constexpr (std::is_integral_v<T>) return x;
  const T whole = floor(x);
  return x - whole > T(0.5) ? whole + T(1) : whole;
}
// Halves go away from 0.
template <class T>
inline T round(T x) {
  if constexpr (std::is_integral_v<T>) return x;
  const T whole = trunc(x), part = x - whole;
  return part >= T(0.5) ? whole + T(1) : part <= T(-0.5) ? whole - T(1) : whole;
}

// To so many decimals, halves to the even neighbour. Integers lose digits with every step.
template <class T>
inline T around(T x, int decimals) {
  if (std::is_integral_v<T> && decimals >= 0) return x;
  const double tens = std::pow(10.0, static_cast<double>(decimals));
  const T scale = static_cast<T>(tens);
  T scaled = decimals == 0           ? x
             : std::is_integral_v<T> ? static_cast<T>(static_cast<double>(x) * tens)
                                     : x * scale;
  const T whole = floor(scaled), part = scaled - whole;
  const bool odd = std::fmod(static_cast<double>(whole), 2.0) != 0;
  const double rest = static_cast<double>(part);
  const T round = (rest > 0.5) | ((rest == 0.5) & odd) ? whole + T(1) : whole;
  if (decimals == 0) return round;
  return std::is_integral_v<T> ? number<T>(static_cast<double>(round) / tens) : round / scale;
}

template <class T>
inline T clip(T x, T low, T high) {
  return x > high ? high : x < low ? low : x;
}

// s = sigma^2.
template <class T>
inline T smooth_l1(T x, T s) {
  const T size = x < 0 ? -x : x;
  return size < T(1) / s ? T(0.5) * s * x * x : size - T(0.5) / s;
}

// Functions of the angle and the sign; integers take what floating point gives, truncated.
template <class T>
inline T arctan2(T x, T y) {
  return number<T>(std::atan2(static_cast<double>(x), static_cast<double>(y)));
}
template <class T>
inline T copysign(T x, T y) {
  return number<T>(std::copysign(static_cast<double>(x), static_cast<double>(y)));
}
// x 2^y
template <class T>
inline T ldexp(T x, T y) {
  return number<T>(static_cast<double>(x) * std::pow(2.0, static_cast<double>(y)));
}

// Of whole numbers, also where they are held as floats.
template <class T>
inline T lcm(T x, T y) {
  uint64_t a = static_cast<uint64_t>(x < 0 ? negate(x) : x), b = static_cast<uint64_t>(y < 0 ? negate(y) : y);
  if (a == 0 || b == 0) return T(0);
  const uint64_t product = a;
  uint64_t divisor = b;
  while (a != 0) {
    const uint64_t rest = divisor % a;
    divisor = a;
    a = rest;
  }
  return static_cast<T>(product / divisor * b);
}
template <class T>
inline T bits_and(T x, T y) {
  return static_cast<T>(static_cast<int64_t>(x) & static_cast<int64_t>(y));
}
template <class T>
inline T bits_or(T x, T y) {
  return static_cast<T>(static_cast<int64_t>(x) | static_cast<int64_t>(y));
}
template <class T>
inline T bits_xor(T x, T y) {
  return static_cast<T>(static_cast<int64_t>(x) ^ static_cast<int64_t>(y));
}

}  // namespace mixgrad::math
