// Copies a strip of a matrix into the order in which the innermost loop of the matrix product reads it.
#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace mixgrad {

// A strip of `lines` lines by k steps. Element (line, step) lies at line * line_stride + step * step_stride, and one of
// the two strides is 1.
struct GemmStrip {
  const void* data;
  DType dtype;
  int64_t line_stride, step_stride;
};

// dst[step * width + line], zeros for lines in [lines, width), all times alpha. T is float for float32 and the half
// types, double for float64.
template <class T>
void gemm_pack(const GemmStrip& strip, int64_t lines, int64_t k, int64_t width, T alpha, T* dst);

}  // namespace mixgrad
