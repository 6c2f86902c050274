// The error function, the gamma function and their kin. erf of floats vectorises; the others call the C library or
// iterate, element by element.
#pragma once

#include <math.h>  // lgamma_r, which <cmath> need not declare

#include "kernels/math/math_exp.h"

namespace mixgrad::math {

// erf to 2 units in the last place. Coefficients as in math_exp.h: of erf(x) / x - 1 in x^2, and of -log(erfc(x)).
template <class T>
inline T erf(T x) {
  if constexpr (sizeof(T) == 8) {
    return std::erf(x);
  } else {
    T a = std::fabs(x);
    a = a > T(4) ? T(4) : a;
    const T z = a * a;
    const T near = a + a * horner(z, 0.12837917, -0.37612635, 0.11283691, -0.026859151, 0.005200369,
                                  -0.0008134709, 8.3347186e-05);
    const T p = horner(a, -0.00032044153, 1.1302376, 0.63181454, 0.11009448, -0.026431018, 0.0047635753,
                       -0.0005977435, 4.6177913e-05, -1.6435697e-06);
    const T far = T(1) - exp(-p);
    return std::copysign(a < T(0.925) ? near : far, x);
  }
}

template <class T>
inline T gelu(T x) {
  return T(0.5) * x * (T(1) + erf(x * static_cast<T>(0.7071067811865476)));
}
template <class T>
inline T gelu_slope(T x) {
  return T(0.5) * (T(1) + erf(x * static_cast<T>(0.7071067811865476))) +
         x * exp(T(-0.5) * x * x) * static_cast<T>(0.3989422804014327);
}

inline double gammaln(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace mixgrad::math

namespace mixgrad::math_special {

// y with erf(y) = x: a first guess (Winitzki), then Halley's iteration on erf or, near the ends, on erfc.
double erfinv(double x);

// Derivative n of digamma; n = 0 is digamma itself.
double polygamma(int n, double x);

}  // namespace mixgrad::math_special
