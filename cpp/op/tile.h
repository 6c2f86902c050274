// The loops of scalar expressions: one per instruction set and compute type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/cpu.h"
#include "op/op.h"
#include "op/scalar.h"

namespace mixgrad {

namespace tile {

// Captureless lambdas have no state, so the loop makes its own copy from nothing.
template <class F>
inline const F& stateless() {
  static_assert(sizeof(F) == 1, "a scalar expression captures nothing");
  static const char nothing = 0;
  return reinterpret_cast<const F&>(nothing);
}

constexpr int64_t kStretch = 512;

// o[i] = F(a[i], b[i], c[i]), of these the first kInputs.
template <class F, int kInputs, class T, class P>
MIXGRAD_INLINE void loop(const T* a, const T* b, const T* c, T* o, int64_t n, const P& p) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    o[i] = stateless<F>()(a[i], kInputs > 1 ? b[i] : T(0), kInputs > 2 ? c[i] : T(0), p);
  }
}

template <class T, class P, class S>
MIXGRAD_INLINE void body(const void* const* in, void* out, int64_t n, const void* params) {
  constexpr int kInputs = S::kArity;
  const P p = *static_cast<const P*>(params);
  const T* a = static_cast<const T*>(in[0]);
  const T* b = kInputs > 1 ? static_cast<const T*>(in[1]) : nullptr;
  const T* c = kInputs > 2 ? static_cast<const T*>(in[2]) : nullptr;
  T* o = static_cast<T*>(out);
  if constexpr (std::is_same_v<typename S::Beyond, Everywhere>) {
    loop<typename S::Fn, kInputs>(a, b, c, o, n, p);
  } else {
    for (int64_t at = 0; at < n; at += kStretch) {
      const int64_t m = at + kStretch < n ? kStretch : n - at;
      const T *x = a + at, *y = kInputs > 1 ? b + at : nullptr, *z = kInputs > 2 ? c + at : nullptr;
      std::conditional_t<sizeof(T) == 4, int32_t, int64_t> beyond = 0;
      for (int64_t i = 0; i < m; ++i) {
        const T here =
            stateless<typename S::Beyond>()(x[i], kInputs > 1 ? y[i] : T(0), kInputs > 2 ? z[i] : T(0), p);
        beyond |= here != 0 ? 1 : 0;
      }
      if (beyond == 0)
        loop<typename S::Fn, kInputs>(x, y, z, o + at, m, p);
      else
        loop<typename S::Rest, kInputs>(x, y, z, o + at, m, p);
    }
  }
}

// One element after another, by the expression that holds everywhere.
template <class T, class P, class S>
MIXGRAD_INLINE void each(const void* const* in, void* out, int64_t n, const void* params) {
  const P& p = *static_cast<const P*>(params);
  const auto at = [&](int input, int64_t i) {
    return input < S::kArity ? static_cast<const T*>(in[input])[i] : T(0);
  };
  for (int64_t i = 0; i < n; ++i)
    static_cast<T*>(out)[i] = stateless<typename S::Rest>()(at(0, i), at(1, i), at(2, i), p);
}

template <class T, class P, class S>
MIXGRAD_TARGET_BASELINE void baseline(const void* const* in, void* out, int64_t n, const void* params) {
  if constexpr (kBaselineVectors)
    body<T, P, S>(in, out, n, params);
  else
    each<T, P, S>(in, out, n, params);
}
#if MIXGRAD_X86
template <class T, class P, class S>
MIXGRAD_TARGET_AVX2 void avx2(const void* const* in, void* out, int64_t n, const void* params) {
  body<T, P, S>(in, out, n, params);
}
template <class T, class P, class S>
MIXGRAD_TARGET_AVX512 void avx512(const void* const* in, void* out, int64_t n, const void* params) {
  body<T, P, S>(in, out, n, params);
}
#endif

template <class T, class P, class S>
TileFn pick() {
#if MIXGRAD_X86
  if (loop_isa<T>() == Isa::avx512) return &avx512<T, P, S>;
  if (loop_isa<T>() == Isa::avx2) return &avx2<T, P, S>;
#endif
  return &baseline<T, P, S>;
}

}  // namespace tile

// The tile functions of an operator. `kIntegers`: also compute in int32 and int64 instead of converting to floating
// point.
template <bool kIntegers, class P, class S>
Pointwise pointwise_loops(S) {
  Pointwise pointwise;
  pointwise.expression = tile::stateless<typename S::Text>()().expression;
  pointwise.tile[kComputeF32] = tile::pick<float, P, S>();
  pointwise.tile[kComputeF64] = tile::pick<double, P, S>();
  if constexpr (kIntegers && !kCompact) {
    pointwise.tile[kComputeI32] = tile::pick<int32_t, P, S>();
    pointwise.tile[kComputeI64] = tile::pick<int64_t, P, S>();
  }
  return pointwise;
}

}  // namespace mixgrad
