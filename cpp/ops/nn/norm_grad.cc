#include "ops/nn/norm_grad.h"

namespace mixgrad::ops::norm_grad {
namespace {

Tensor mean_over(const Tensor& t, const Shape& axes, int64_t count) {
  return sum_axes(t, axes, true) / static_cast<double>(count > 0 ? count : 1);
}

}  // namespace

Whitened whiten(const Tensor& x, const Shape& axes, int64_t count, double eps) {
  const Tensor centred = x - mean_over(x, axes, count);
  const Tensor variance = mean_over(centred * centred, axes, count);
  const Tensor scale = apply("rsqrt", {variance + eps});
  return {centred * scale, scale};
}

Tensor whiten_gradient(const Whitened& w, const Tensor& gradient, const Shape& axes, int64_t count) {
  const Tensor along = mean_over(gradient * w.out, axes, count);
  return (gradient - mean_over(gradient, axes, count) - w.out * along) * w.scale;
}

}  // namespace mixgrad::ops::norm_grad
