// Numbers beside arrays of integers.
#pragma once

#include <cmath>

#include "op/define.h"

namespace mixgrad::ops {

// Refuses a number that may become an element of the output, whose integers do not reach it: `largest` of data and the
// number, or the smallest.
inline void check_extreme(DTypeInfer& d, double number, bool largest) {
  const DType out = d.out(0);
  if (out == DType::unknown || out == DType::boolean || is_float(out)) return;
  const bool has_sign = out != DType::uint8;
  const double end = std::ldexp(1.0, 8 * static_cast<int>(size_of(out)) - (has_sign ? 1 : 0));
  const double whole = std::trunc(number), lowest = has_sign ? -end : 0;
  if (!(largest ? whole < end : whole >= lowest))
    d.reject("the number ", number, " does not fit ", name_of(out));
}

}  // namespace mixgrad::ops
