// One scalar expression, compiled to a vectorised loop per instruction set and compute type, and kept as text
// for devices whose kernels are compiled at run time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/cpu.h"
#include "op/op.h"

// A lambda over x, y, z (the inputs, in order, all of type T) and p (the parameter struct).
#define MG_SCALAR_FN(...)                                                    \
  [](auto x, auto y, auto z, const auto& p) __attribute__((always_inline)) { \
    using T = decltype(x);                                                   \
    (void)x, (void)y, (void)z, (void)p;                                      \
    return static_cast<T>(__VA_ARGS__);                                      \
  }

#define MG_SCALAR(...)                                                                 \
  ::mixgrad::make_scalar<::mixgrad::arity_of(#__VA_ARGS__)>(MG_SCALAR_FN(__VA_ARGS__), \
                                                            MG_SCALAR_TEXT(__VA_ARGS__))

// A lambda that gives the text and where it stands: part of a type, so that texts are there before any code has run.
#define MG_SCALAR_TEXT(...) [] { return ::mixgrad::ScalarText{#__VA_ARGS__, MIXGRAD_FILE_NAME, __LINE__}; }
#if defined(__FILE_NAME__)
#define MIXGRAD_FILE_NAME __FILE_NAME__
#else
#define MIXGRAD_FILE_NAME __FILE__
#endif

// An expression that holds where `beyond` is 0, and one for the rest: loops run the first, and only a stretch that
// needs it the second.
#define MG_SCALAR_WITHIN(beyond, fast, rest)                 \
  ::mixgrad::make_scalar_within<::mixgrad::arity_of(#fast)>( \
      MG_SCALAR_FN(fast), MG_SCALAR_FN((beyond) ? 1 : 0), MG_SCALAR_FN(rest), MG_SCALAR_TEXT(rest))

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

struct ScalarText {
  const char* expression;
  const char* file;
  int line;
};

// The expression F holds everywhere.
struct Everywhere {};

template <int kInputs, class F, class TextFn, class BeyondFn = Everywhere, class RestFn = F>
struct Scalar {
  using Fn = F;
  using Text = TextFn;
  using Beyond = BeyondFn;
  using Rest = RestFn;
  static constexpr int kArity = kInputs;
};

template <int kArity, class F, class Text>
constexpr Scalar<kArity, F, Text> make_scalar(F, Text) {
  return {};
}
template <int kArity, class F, class Beyond, class Rest, class Text>
constexpr Scalar<kArity, F, Text, Beyond, Rest> make_scalar_within(F, Beyond, Rest, Text) {
  return {};
}

namespace tile {

// Captureless lambdas have no state, so the loop makes its own copy from nothing.
template <class F>
MIXGRAD_INLINE const F& stateless() {
  static_assert(sizeof(F) == 1, "a scalar expression captures nothing");
  static const char nothing = 0;
  return reinterpret_cast<const F&>(nothing);
}

// Elements of which tile functions compute whole multiples: those of compact builds have no loop for a rest.
constexpr bool kTileAvx2 = kCompact && kAllLoops && MIXGRAD_X86;
constexpr int64_t kTileStep = kTileAvx2 ? 8 : 1;
constexpr int64_t kStretch = 512;

// o[i] = F(a[i], b[i], c[i]), of these the first kInputs.
template <class F, int kInputs, class T, class P>
MIXGRAD_INLINE void loop(const T* a, const T* b, const T* c, T* o, int64_t n, const P& p) {
  if (kTileAvx2 && (n < kTileStep || n % kTileStep != 0)) __builtin_unreachable();
  MIXGRAD_VECTORIZE_TILE
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

template <class T, class P, class S>
MIXGRAD_PLAIN void baseline(const void* const* in, void* out, int64_t n, const void* params) {
  body<T, P, S>(in, out, n, params);
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

// Of compact builds, the types other than float32: an element at a time, in one loop for all expressions.
template <class P, class S>
MIXGRAD_RARE double element(double x, double y, double z, const void* params) {
  return stateless<typename S::Rest>()(x, y, z, *static_cast<const P*>(params));
}

template <class T, class P, class S>
TileFn pick() {
#if MIXGRAD_X86
  if (loop_isa<T>() == Isa::avx512) return &avx512<T, P, S>;
  if (loop_isa<T>() == Isa::avx2) return &avx2<T, P, S>;
#endif
  return &baseline<T, P, S>;
}
template <class P, class S>
MIXGRAD_INLINE TileFn compact() {
#if MIXGRAD_X86
  if constexpr (kTileAvx2) return &avx2<float, P, S>;
#endif
  return &baseline<float, P, S>;
}

}  // namespace tile

// The loops of a compact build. Where AVX2 is missing, which is seldom, it computes in double.
MIXGRAD_RARE Pointwise compact_loops(TileFn fn, ElementFn element) noexcept;

// The tile functions of an operator. `kIntegers`: also compute in int32 and int64 instead of converting to floating
// point.
template <bool kIntegers, class P, class S>
MIXGRAD_INLINE Pointwise pointwise_loops([[maybe_unused]] S scalar) {
  if constexpr (kCompact) {
    // Files cut to networks compute in float32 what takes integers as they are, too, that is arithmetic.
    constexpr bool kFloat = kAllLoops || kIntegers;
    return compact_loops(kFloat ? tile::compact<P, S>() : nullptr, &tile::element<P, S>);
  } else {
    Pointwise pointwise;
    pointwise.expression = tile::stateless<typename S::Text>()().expression;
    pointwise.tile[kComputeF32] = tile::pick<float, P, S>();
    pointwise.tile[kComputeF64] = tile::pick<double, P, S>();
    if constexpr (kIntegers) {
      pointwise.tile[kComputeI32] = tile::pick<int32_t, P, S>();
      pointwise.tile[kComputeI64] = tile::pick<int64_t, P, S>();
    }
    return pointwise;
  }
}

}  // namespace mixgrad
