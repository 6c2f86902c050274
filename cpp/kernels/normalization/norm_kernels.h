// Inner loops of layer, group, instance and batch normalisation, per instruction set.
#pragma once

#include <cstdint>
#include <type_traits>

namespace mixgrad::norm_kernels {

// n elements: their mean and the sum of their squared distances from it.
struct Spread {
  double n = 0, mean = 0, m2 = 0;
  // Joins another set, without subtracting large numbers from one another.
  void add(const Spread& o);
};

struct Pair {
  double first = 0, second = 0;
};

template <class C>
struct NormKernels {
  // Two passes; n should fit a cache.
  Spread (*spread)(const C* x, int64_t n);
  // y = (x - mean) * scale + shift.
  void (*affine)(const C* x, C* y, int64_t n, C mean, C scale, C shift);
  // y = (x - mean) * scale * gamma + beta, with gamma and beta per element.
  void (*affine_each)(const C* x, C* y, int64_t n, C mean, C scale, const C* gamma, const C* beta);
  // Sums of g and of g (x - mean).
  Pair (*dots)(const C* g, const C* x, int64_t n, C mean);
  // Sums of g gamma and of g gamma (x - mean).
  Pair (*dots_each)(const C* g, const C* x, const C* gamma, int64_t n, C mean);
  // dx = a g + b (x - mean) + c.
  void (*linear)(const C* g, const C* x, C* dx, int64_t n, C mean, C a, C b, C c);
  // dx = a g gamma + b (x - mean) + c.
  void (*linear_each)(const C* g, const C* x, const C* gamma, C* dx, int64_t n, C mean, C a, C b, C c);
  // dgamma += g (x - mean) scale; dbeta += g.
  void (*gather)(const C* g, const C* x, int64_t n, C mean, C scale, C* dgamma, C* dbeta);

  // Per column: mean, scale... have an item per element.
  // acc += (x - mean)^2.
  void (*squares)(const C* x, const C* mean, C* acc, int64_t n);
  // y = (x - mean) * scale + shift.
  void (*affine_columns)(const C* x, C* y, int64_t n, const C* mean, const C* scale, const C* shift);
  // first += g; second += g (x - mean).
  void (*dots_columns)(const C* g, const C* x, const C* mean, C* first, C* second, int64_t n);
  // dx = a g + b (x - mean) + c.
  void (*linear_columns)(const C* g, const C* x, C* dx, int64_t n, const C* mean, const C* a, const C* b,
                         const C* c);
};

const NormKernels<float>& float_norms();
const NormKernels<double>& double_norms();

template <class C>
const NormKernels<C>& norms() {
  if constexpr (std::is_same_v<C, float>)
    return float_norms();
  else
    return double_norms();
}

}  // namespace mixgrad::norm_kernels
