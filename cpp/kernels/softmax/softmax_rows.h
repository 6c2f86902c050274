// Softmax of vectors in float or double, per instruction set.
#pragma once

#include <cstdint>

namespace mixgrad::softmax_rows {

// Of one vector: the largest value and the sum of exponentials of distances from it.
struct Total {
  double largest, sum;
};

template <class C>
struct RowKernels {
  // Maximum of scale x (NaN if there is one) and the sum of exp(scale x - maximum). With `y` it keeps the
  // exponentials there.
  Total (*measure)(const C* x, C* y, int64_t n, C scale);
  // y *= factor.
  void (*multiply)(C* y, int64_t n, C factor);
  // Softmax of `rows` rows of n values each, all contiguous; n is small.
  void (*rows)(const C* x, C* y, int64_t rows, int64_t n, C scale);
  // y = exp(scale x - shift) * factor.
  void (*exponentials)(const C* x, C* y, int64_t n, C scale, C shift, C factor);
  // y = (scale x - shift) - log_sum, in this order, which keeps small results exact.
  void (*distances)(const C* x, C* y, int64_t n, C scale, C shift, C log_sum);
  // sum of g y, or of g when y is null.
  double (*dot)(const C* g, const C* y, int64_t n);
  // dx = scale y (g - total), or scale (g - exp(y) total).
  void (*gradient)(const C* g, const C* y, C* dx, int64_t n, C scale, C total, bool log);

  // The same along columns: n rows of `width` values, `step` apart. `largest` and `sum` have `width` items.
  void (*columns)(const C* x, int64_t x_step, C* y, int64_t y_step, int64_t n, int64_t width, C scale,
                  bool log);
  void (*columns_gradient)(const C* g, const C* y, C* dx, int64_t step, int64_t dx_step, int64_t n,
                           int64_t width, C scale, bool log);
};

constexpr int64_t kMaxColumns = 256;  // largest width

const RowKernels<float>& float_kernels();
const RowKernels<double>& double_kernels();

}  // namespace mixgrad::softmax_rows
