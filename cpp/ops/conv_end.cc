#include "ops/conv_end.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "base/cpu.h"
#include "ops/math_exp.h"

namespace mixgrad::ops::conv_end {
namespace {

template <ConvActivation kKind>
MIXGRAD_INLINE float activate(float x, float low, float high) {
  switch (kKind) {
    case ConvActivation::none: return x;
    case ConvActivation::clamp: x = low > x ? low : x; return high < x ? high : x;
    case ConvActivation::leaky: return x > 0 ? x : low * x;
    case ConvActivation::sigmoid: return math::sigmoid(x);
    case ConvActivation::silu: return x / (1 + math::exp(-x));
    case ConvActivation::tanh: return math::tanh(x);
    case ConvActivation::hard_sigmoid: {
      const float y = low * x + high;
      return y < 0 ? 0 : y > 1 ? 1 : y;
    }
    case ConvActivation::hard_swish: {
      const float y = x + 3;
      return x * (y < 0 ? 0 : y > 6 ? 6 : y) * (1.0f / 6);
    }
  }
  return x;
}

template <ConvActivation kKind>
MIXGRAD_INLINE void finish_kind(const ConvEpilogue& end, const float* src, const float* residual, float* dst,
                                int64_t n) {
  const float low = end.low, high = end.high;
  if (residual) {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) dst[i] = activate<kKind>(src[i] + residual[i], low, high);
  } else {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) dst[i] = activate<kKind>(src[i], low, high);
  }
}

// Calls fn with the activation as a constant.
template <class Fn>
MIXGRAD_INLINE void with_activation(ConvActivation activation, Fn fn) {
  using A = ConvActivation;
  switch (activation) {
    case A::none: return fn(std::integral_constant<A, A::none>());
    case A::clamp: return fn(std::integral_constant<A, A::clamp>());
    case A::leaky: return fn(std::integral_constant<A, A::leaky>());
    case A::sigmoid: return fn(std::integral_constant<A, A::sigmoid>());
    case A::hard_sigmoid: return fn(std::integral_constant<A, A::hard_sigmoid>());
    case A::silu: return fn(std::integral_constant<A, A::silu>());
    case A::hard_swish: return fn(std::integral_constant<A, A::hard_swish>());
    case A::tanh: return fn(std::integral_constant<A, A::tanh>());
  }
}

// Of compact builds: loops of a known length have no parts for rests, and one serves with and without a residual.
MIXGRAD_INLINE void finish_blocks(const ConvEpilogue& end, const float* src, const float* residual,
                                  float* dst, int64_t n) {
  constexpr int kBlock = 32;
  for (int64_t at = 0; at < n; at += kBlock) {
    float x[kBlock] = {};
    const int count = n - at < kBlock ? static_cast<int>(n - at) : kBlock;
    std::memcpy(x, src + at, static_cast<size_t>(count) * sizeof(float));
    for (int i = 0; residual && i < count; ++i) x[i] += residual[at + i];
    with_activation(
        end.activation, [&](auto kind) __attribute__((always_inline)) {
          MIXGRAD_VECTORIZE
          for (int i = 0; i < kBlock; ++i) x[i] = activate<kind()>(x[i], end.low, end.high);
        });
    std::memcpy(dst + at, x, static_cast<size_t>(count) * sizeof(float));
  }
}

// Of files cut to networks: what follows no convolution of theirs, and machines that are rare.
MIXGRAD_RARE void finish_each(const ConvEpilogue& end, const float* src, const float* residual, float* dst,
                              int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float x = residual ? src[i] + residual[i] : src[i];
    with_activation(end.activation, [&](auto kind) { dst[i] = activate<kind()>(x, end.low, end.high); });
  }
}

MIXGRAD_INLINE void finish_body(const ConvEpilogue& end, const float* src, const float* residual, float* dst,
                                int64_t n) {
  if constexpr (kCompact) {
    ConvEpilogue open = end;
    if (end.activation == ConvActivation::none) {
      open.low = -std::numeric_limits<float>::infinity();
      open.high = std::numeric_limits<float>::infinity();
    } else if (end.activation != ConvActivation::clamp) {
      if constexpr (kCurves)
        return finish_blocks(end, src, residual, dst, n);
      else
        return finish_each(end, src, residual, dst, n);
    }
    finish_kind<ConvActivation::clamp>(open, src, residual, dst, n);
  } else {
    with_activation(
        end.activation, [&](auto kind) __attribute__((always_inline)) {
          finish_kind<kind()>(end, src, residual, dst, n);
        });
  }
}

using FinishFn = void (*)(const ConvEpilogue&, const float*, const float*, float*, int64_t);

MIXGRAD_PLAIN void finish_baseline(const ConvEpilogue& end, const float* src, const float* residual,
                                   float* dst, int64_t n) {
  finish_body(end, src, residual, dst, n);
}
#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 void finish_avx2(const ConvEpilogue& end, const float* src, const float* residual,
                                     float* dst, int64_t n) {
  finish_body(end, src, residual, dst, n);
}
MIXGRAD_TARGET_AVX512 void finish_avx512(const ConvEpilogue& end, const float* src, const float* residual,
                                         float* dst, int64_t n) {
  finish_body(end, src, residual, dst, n);
}
#endif

FinishFn pick_finish() {
#if MIXGRAD_X86
  if (image_isa<float>() == Isa::avx512) return &finish_avx512;
  if (image_isa<float>() == Isa::avx2) return &finish_avx2;
#endif
  return !kAllLoops && MIXGRAD_X86 ? &finish_each : &finish_baseline;
}

}  // namespace

void finish(const ConvEpilogue& end, const float* src, const float* residual, float* dst, int64_t n) {
  pick_finish()(end, src, residual, dst, n);
}

}  // namespace mixgrad::ops::conv_end
