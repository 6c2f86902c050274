// One scalar expression, compiled to a vectorised loop per instruction set and compute type, and kept as text
// for devices whose kernels are compiled at run time.
#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "op/op.h"

// The expression sees x, y, z (the inputs, in order, all of type T) and p (the parameter struct).
#define MG_SCALAR(...)                                                           \
  ::mixgrad::make_scalar(                                                        \
      [](auto x, auto y, auto z, const auto& p) __attribute__((always_inline)) { \
        using T = decltype(x);                                                   \
        (void)y, (void)z, (void)p;                                               \
        return static_cast<T>(__VA_ARGS__);                                      \
      },                                                                         \
      #__VA_ARGS__)

namespace mixgrad {

template <class F>
struct Scalar {
  F fn;
  const char* expression;
};

template <class F>
constexpr Scalar<F> make_scalar(F fn, const char* expression) {
  return {fn, expression};
}

namespace tile {

// Captureless lambdas have no state, so the loop makes its own copy from nothing.
template <class F>
MIXGRAD_INLINE const F& stateless() {
  static_assert(sizeof(F) == 1, "a scalar expression captures nothing");
  static const char nothing = 0;
  return reinterpret_cast<const F&>(nothing);
}

template <int kInputs, class T, class P, class F>
MIXGRAD_INLINE void body(const void* const* in, void* out, int64_t n, const void* params) {
  const P p = *static_cast<const P*>(params);
  const T* a = static_cast<const T*>(in[0]);
  const T* b = kInputs > 1 ? static_cast<const T*>(in[1]) : nullptr;
  const T* c = kInputs > 2 ? static_cast<const T*>(in[2]) : nullptr;
  T* o = static_cast<T*>(out);
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    o[i] = stateless<F>()(a[i], kInputs > 1 ? b[i] : T(0), kInputs > 2 ? c[i] : T(0), p);
  }
}

template <int kInputs, class T, class P, class F>
void baseline(const void* const* in, void* out, int64_t n, const void* params) {
  body<kInputs, T, P, F>(in, out, n, params);
}
#if MIXGRAD_X86
template <int kInputs, class T, class P, class F>
MIXGRAD_TARGET_AVX2 void avx2(const void* const* in, void* out, int64_t n, const void* params) {
  body<kInputs, T, P, F>(in, out, n, params);
}
template <int kInputs, class T, class P, class F>
MIXGRAD_TARGET_AVX512 void avx512(const void* const* in, void* out, int64_t n, const void* params) {
  body<kInputs, T, P, F>(in, out, n, params);
}
#endif

template <int kInputs, class T, class P, class F>
TileFn pick() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return &avx512<kInputs, T, P, F>;
  if (best_isa() == Isa::avx2) return &avx2<kInputs, T, P, F>;
#endif
  return &baseline<kInputs, T, P, F>;
}

}  // namespace tile

// Fills the tile functions of an operator. `integers`: also compute in int32 and int64 instead of converting
// to float.
template <int kInputs, class P, class F>
void set_pointwise(Pointwise& pointwise, Scalar<F> scalar, bool integers) {
  pointwise.expression = scalar.expression;
  pointwise.tile[kComputeF32] = tile::pick<kInputs, float, P, F>();
  pointwise.tile[kComputeF64] = tile::pick<kInputs, double, P, F>();
  if (integers) {
    pointwise.tile[kComputeI32] = tile::pick<kInputs, int32_t, P, F>();
    pointwise.tile[kComputeI64] = tile::pick<kInputs, int64_t, P, F>();
  }
}

}  // namespace mixgrad
