// One scalar expression, compiled to a vectorised loop per instruction set and compute type, and kept as text
// for devices whose kernels are compiled at run time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/cpu.h"
#include "op/op.h"

// The expression sees x, y, z (the inputs, in order, all of type T) and p (the parameter struct).
#define MG_SCALAR(...)                                                           \
  ::mixgrad::make_scalar<::mixgrad::arity_of(#__VA_ARGS__)>(                     \
      [](auto x, auto y, auto z, const auto& p) __attribute__((always_inline)) { \
        using T = decltype(x);                                                   \
        (void)y, (void)z, (void)p;                                               \
        return static_cast<T>(__VA_ARGS__);                                      \
      },                                                                         \
      #__VA_ARGS__)

// An expression of x that holds where `beyond` is false, and one for the rest: vector loops run the first, and only a
// stretch that needs it the second.
#define MG_SCALAR_WITHIN(beyond, fast, rest)      \
  ::mixgrad::make_scalar_within(                  \
      [](auto x) __attribute__((always_inline)) { \
        using T = decltype(x);                    \
        return static_cast<T>(fast);              \
      },                                          \
      [](auto x) __attribute__((always_inline)) { \
        using T = decltype(x);                    \
        return static_cast<bool>(beyond);         \
      },                                          \
      [](auto x) {                                \
        using T = decltype(x);                    \
        return static_cast<T>(rest);              \
      },                                          \
      #rest)

namespace mixgrad {

// Inputs that an expression reads: 3 if the name z stands in it, 2 if y does, else 1.
constexpr int arity_of(const char* text) {
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  int arity = 1;
  for (const char* at = text; *at; ++at) {
    const bool alone = (at == text || !in_name(at[-1])) && !in_name(at[1]);
    if (alone && *at == 'y' && arity < 2) arity = 2;
    if (alone && *at == 'z') arity = 3;
  }
  return arity;
}

template <class F, int kArity>
struct Scalar {
  F fn;
  const char* expression;
};

template <int kArity, class F>
constexpr Scalar<F, kArity> make_scalar(F fn, const char* expression) {
  return {fn, expression};
}

template <class F, class Beyond, class Rest>
struct ScalarWithin {
  const char* expression;
};
template <class F, class Beyond, class Rest>
constexpr ScalarWithin<F, Beyond, Rest> make_scalar_within(F, Beyond, Rest, const char* expression) {
  return {expression};
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

constexpr int64_t kWithinStretch = 512;

template <class T, class F, class Beyond, class Rest>
MIXGRAD_INLINE void body_within(const void* const* in, void* out, int64_t n) {
  const T* a = static_cast<const T*>(in[0]);
  T* o = static_cast<T*>(out);
  for (int64_t at = 0; at < n; at += kWithinStretch) {
    const int64_t end = at + kWithinStretch < n ? at + kWithinStretch : n;
    std::conditional_t<sizeof(T) == 4, int32_t, int64_t> outside = 0;
    for (int64_t i = at; i < end; ++i) outside |= stateless<Beyond>()(a[i]) ? 1 : 0;
    if (outside != 0) {
      for (int64_t i = at; i < end; ++i) o[i] = stateless<Rest>()(a[i]);
      continue;
    }
    MIXGRAD_VECTORIZE
    for (int64_t i = at; i < end; ++i) o[i] = stateless<F>()(a[i]);
  }
}

template <class T, class F, class Beyond, class Rest>
void within_baseline(const void* const* in, void* out, int64_t n, const void*) {
  body_within<T, F, Beyond, Rest>(in, out, n);
}
#if MIXGRAD_X86
template <class T, class F, class Beyond, class Rest>
MIXGRAD_TARGET_AVX2 void within_avx2(const void* const* in, void* out, int64_t n, const void*) {
  body_within<T, F, Beyond, Rest>(in, out, n);
}
template <class T, class F, class Beyond, class Rest>
MIXGRAD_TARGET_AVX512 void within_avx512(const void* const* in, void* out, int64_t n, const void*) {
  body_within<T, F, Beyond, Rest>(in, out, n);
}
#endif

template <class T, class F, class Beyond, class Rest>
TileFn pick_within() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return &within_avx512<T, F, Beyond, Rest>;
  if (best_isa() == Isa::avx2) return &within_avx2<T, F, Beyond, Rest>;
#endif
  return &within_baseline<T, F, Beyond, Rest>;
}

}  // namespace tile

// Fills the tile functions of an operator. `kIntegers`: also compute in int32 and int64 instead of converting to
// floating point.
template <bool kIntegers, class P, class F, int kArity>
void set_pointwise(Pointwise& pointwise, Scalar<F, kArity> scalar) {
  pointwise.expression = scalar.expression;
  pointwise.tile[kComputeF32] = tile::pick<kArity, float, P, F>();
  pointwise.tile[kComputeF64] = tile::pick<kArity, double, P, F>();
  if constexpr (kIntegers) {
    pointwise.tile[kComputeI32] = tile::pick<kArity, int32_t, P, F>();
    pointwise.tile[kComputeI64] = tile::pick<kArity, int64_t, P, F>();
  }
}
template <bool kIntegers, class P, class F, class Beyond, class Rest>
void set_pointwise(Pointwise& pointwise, ScalarWithin<F, Beyond, Rest> scalar) {
  static_assert(!kIntegers, "floating point only");
  pointwise.expression = scalar.expression;
  pointwise.tile[kComputeF32] = tile::pick_within<float, F, Beyond, Rest>();
  pointwise.tile[kComputeF64] = tile::pick_within<double, F, Beyond, Rest>();
}

}  // namespace mixgrad
