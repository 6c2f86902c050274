// The inner loops of reductions, per operation, compute type and instruction set.
#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace mixgrad {

// What is done with the elements that meet in one output.
enum class Reduce { sum, nansum, prod, nanprod, max, min, sum_abs, sum_square };

// Elements are read in the compute type (float, double or int64) and joined in it over short runs; runs are
// joined in the wide type, double or int64, which always takes 8 bytes. So a float sum's error does not grow
// with its length. Lanes and runs are fixed: a result depends on neither threads nor alignment.
struct ReduceKernels {
  DType compute;
  DType wide;
  // wide[i] = the n elements from x + i * stride, joined; for i in [0, count).
  void (*rows)(const void* x, int64_t n, int64_t stride, int64_t count, void* wide);
  // acc[c] joins rows[r][c] for r in [0, count), c in [0, width); acc is in the compute type.
  void (*columns)(const void* const* rows, int count, int64_t width, void* acc);
  // Sets n items of each to the neutral element; either may be null.
  void (*reset)(void* acc, void* wide, int64_t n);
  // wide[c] joins acc[c].
  void (*widen)(const void* acc, void* wide, int64_t width);
  // wide[c] joins more[c].
  void (*merge)(void* wide, const void* more, int64_t width);
  // *result = parts[0], parts[stride], ... joined; sums of doubles are compensated.
  void (*fold)(const void* parts, int64_t stride, int64_t count, void* result);
};

// Kernels for elements of that dtype on this machine.
const ReduceKernels& reduce_kernels(Reduce kind, DType dtype);

}  // namespace mixgrad
