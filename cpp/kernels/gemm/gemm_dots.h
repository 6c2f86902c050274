// Sums of products of one vector with several rows that lie in memory: bound by reading the rows.
#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace mixgrad {

inline constexpr int kDotRows = kAllLoops ? 2 : 1;  // taken together by Dots::rows

// out[r] = sum of x[i] * rows[r * stride + i] over i < n.
template <class T>
struct Dots {
  using Fn = void (*)(const T* x, const T* rows, int64_t stride, int64_t n, T* out);
  Fn one;   // a single row
  Fn rows;  // kDotRows of them
};

// For the best instruction set of this machine; T is float or double.
template <class T>
Dots<T> gemm_dots();

}  // namespace mixgrad
