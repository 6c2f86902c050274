// Trigonometric functions that vectorise. All compute in double, so floats come out correctly rounded but for rare
// cases and doubles within 2 units in the last place. sin, cos and tan hold up to kTrigLimit; beyond it callers use the
// C library.
#pragma once

#include "kernels/math/math_exp.h"

namespace mixgrad::math {

inline constexpr double kTrigLimit = 1e6;

// sin(x + quarter pi / 2) for quarter 0 or 1.
template <class T>
struct TrigParts {
  double sine, cosine;
  uint64_t quarter;  // of the full turn, modulo 4 in the low bits
};

template <class T>
inline TrigParts<T> trig_parts(T given) {
  const double x = static_cast<double>(given);
  const double t = x * 0.6366197723675814 + Layout<double>::kMagic;
  const double n = t - Layout<double>::kMagic;
  double r = x - n * 1.5707963267341256;
  r = r - n * 6.077100506303966e-11;
  r = r - n * 2.0222662487959506e-21;
  const double z = r * r;
  double s, c;
  if constexpr (sizeof(T) == 4) {
    s = horner(z, -0.16666667, 0.008333332, -0.00019840083, 2.7249314e-06);
    c = horner(z, 0.041666668, -0.0013888888, 2.4800596e-05, -2.7300447e-07);
  } else {
    s = horner(z, -0.16666666666666666, 0.008333333333333331, -0.00019841269841265017, 2.755731921930192e-06,
               -2.5052106219521895e-08, 1.6058529572267877e-10, -7.586576588171073e-13);
    c = horner(z, 0.041666666666666664, -0.0013888888888888887, 2.4801587301584618e-05,
               -2.7557319221382114e-07, 2.087675578389404e-09, -1.1470459749675607e-11,
               4.745804889760674e-14);
  }
  return {r + r * z * s, 1 - (0.5 * z - z * z * c), to_bits(t)};
}

template <class T>
inline T sine_of(const TrigParts<T>& parts, uint64_t quarter) {
  const double value = (quarter & 1) != 0 ? parts.cosine : parts.sine;
  return static_cast<T>((quarter & 2) != 0 ? -value : value);
}
template <class T>
inline T sin(T x) {
  const TrigParts<T> parts = trig_parts(x);
  return sine_of(parts, parts.quarter);
}
template <class T>
inline T cos(T x) {
  const TrigParts<T> parts = trig_parts(x);
  return sine_of(parts, parts.quarter + 1);
}
template <class T>
inline T tan(T x) {
  const TrigParts<T> parts = trig_parts(x);
  const bool odd = (parts.quarter & 1) != 0;
  return static_cast<T>((odd ? -parts.cosine : parts.sine) / (odd ? parts.sine : parts.cosine));
}

template <class T>
inline T arctan(T given) {
  const double x = static_cast<double>(given), a = std::fabs(x);
  // Angles beyond pi/8 are measured from pi/4, beyond 3 pi/8 from pi/2.
  const bool far = a > 2.414213562373095, middle = a > 0.41421356237309503;
  const double top = far ? -1.0 : middle ? a - 1 : a;
  const double bottom = far ? a : middle ? a + 1 : 1.0;
  const double base = far ? 1.5707963267948966 : middle ? 0.7853981633974483 : 0.0;
  const double low = far ? 6.123233995736766e-17 : middle ? 3.061616997868383e-17 : 0.0;
  const double r = top / bottom, z = r * r;
  const double p =
      horner(z, -0.3333333333333333, 0.199999999999998, -0.14285714285659326, 0.11111111105106705,
             -0.09090908751076636, 0.0769229630497447, -0.06666423628069258, 0.058789145444006215,
             -0.052303478730160745, 0.04551108126325172, -0.034558092551413795, 0.01627194475162406);
  return static_cast<T>(std::copysign(base + (r + (r * z * p + low)), x));
}

// arcsin(s) - s for s = sqrt(z) at most 1/2.
inline double arcsin_rest(double s, double z) {
  return s * z *
         horner(z, 0.16666666666666666, 0.07500000000000119, 0.04464285714255019, 0.030381944475693704,
                0.022372157435623815, 0.017352816768546473, 0.013963775787848137, 0.011566511821890942,
                0.00962140274734483, 0.009322101501082774, 0.0030350071727267623, 0.019579201619744684,
                -0.019277545928584557, 0.02963502626354855);
}
template <class T>
inline T arcsin(T given) {
  const double x = static_cast<double>(given), a = std::fabs(x);
  const bool far = a > 0.5;
  const double z = far ? 0.5 * (1 - a) : a * a;
  const double s = far ? std::sqrt(z) : a;
  const double rest = arcsin_rest(s, z);
  const double angle = far ? 1.5707963267948966 - (2 * (s + rest) - 6.123233995736766e-17) : s + rest;
  return static_cast<T>(std::copysign(angle, x));
}
template <class T>
inline T arccos(T given) {
  const double x = static_cast<double>(given), a = std::fabs(x);
  const bool far = a > 0.5;
  const double z = far ? 0.5 * (1 - a) : a * a;
  const double s = far ? std::sqrt(z) : x;
  const double rest = arcsin_rest(s, z);
  const double near = 1.5707963267948966 - (s + (rest - 6.123233995736766e-17));
  const double twice = 2 * (s + rest);
  return static_cast<T>(far ? (x < 0 ? 3.141592653589793 - (twice - 1.2246467991473532e-16) : twice) : near);
}

}  // namespace mixgrad::math
