// Scalar functions that vectorise: branch-free where it matters, the same source for every instruction set. Types are
// float, double, int32_t and int64_t, and accuracy is within 2 units in the last place unless a function says otherwise.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/cpu.h"

namespace mixgrad::ops::math {

template <class T>
MIXGRAD_INLINE T divide(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    // The one overflowing quotient wraps, as unsigned negation does.
    if (y == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x));
    return y == 0 ? T(0) : x / y;
  } else {
    return x / y;
  }
}

template <class T>
MIXGRAD_INLINE T modulo(T x, T y) {
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

template <class T>
MIXGRAD_INLINE T power(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    // As floating point would give, truncated.
    return static_cast<T>(std::pow(static_cast<double>(x), static_cast<double>(y)));
  } else {
    return std::pow(x, y);
  }
}

template <class T>
MIXGRAD_INLINE T hypot(T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(std::hypot(static_cast<double>(x), static_cast<double>(y)));
  else return std::hypot(x, y);
}

}  // namespace mixgrad::ops::math
