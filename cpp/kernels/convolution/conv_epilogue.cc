#include "kernels/convolution/conv_epilogue.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/cpu.h"
#include "kernels/math/math_exp.h"

namespace mixgrad::conv_epilogue {
namespace {

template <ConvActivation kKind>
inline float activate(float x, float low, float high) {
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

// Of compact builds, any activation by few loops. A ramp: y = x slope + offset, held between low and high. A curve: y is
// made of m = e^-a|x| - 1, where it is (start + m) / (2 + m) for negative x, else (start + m rest) / (2 + m). In
// either case y may then be multiplied by x.
struct Pieces {
  bool curve = false, gated = false;
  float slope = 1, offset = 0;  // of a curve: start and rest
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
};

Pieces pieces_of(const ConvEpilogue& end) {
  constexpr float kSteep = std::numeric_limits<float>::max();
  const float low = end.low, high = end.high;
  switch (end.activation) {
    case ConvActivation::none: break;
    case ConvActivation::clamp: return {false, false, 1, 0, low, high};
    // The factor of x steps from low to 1 at 0.
    case ConvActivation::leaky:
      return {false, true, low > 1 ? -kSteep : kSteep, 0, std::min(low, 1.0f), std::max(low, 1.0f)};
    case ConvActivation::hard_sigmoid: return {false, false, low, high, 0, 1};
    case ConvActivation::hard_swish: return {false, true, 1.0f / 6, 0.5f, 0, 1};
    case ConvActivation::sigmoid: return {true, false, 1, 0, -1};
    case ConvActivation::silu: return {true, true, 1, 0, -1};
    case ConvActivation::tanh: return {true, false, 0, -1, -2};
  }
  return {};
}

inline float ramp(const Pieces& p, float x) {
  x = x * p.slope + p.offset;
  x = p.low > x ? p.low : x;
  return p.high < x ? p.high : x;
}
inline float curve(const Pieces& p, float x) {
  const float m = math::expm1(p.low * std::fabs(x));
  return (p.slope + (x < 0 ? m : m * p.offset)) / (2 + m);
}

MIXGRAD_INLINE void finish_pieces(const ConvEpilogue& end, const float* src, const float* residual,
                                  float* dst, int64_t n) {
  constexpr int kBlock = 8;  // loops of a known length have no parts for rests
  const Pieces p = pieces_of(end);
  float in[kBlock] = {}, more[kBlock] = {}, out[kBlock];
  for (int64_t at = 0; at < n; at += kBlock) {
    const float *from = src + at, *add = residual ? residual + at : more;
    float* to = dst + at;
    const size_t rest = n - at < kBlock ? static_cast<size_t>(n - at) * sizeof(float) : 0;
    if (rest > 0) {
      std::memcpy(in, from, rest);
      if (residual) std::memcpy(more, add, rest);
      from = in, add = more, to = out;
    }
    float x[kBlock], y[kBlock];
    if (p.curve) {
      MIXGRAD_VECTORIZE
      for (int i = 0; i < kBlock; ++i) x[i] = from[i] + add[i], y[i] = curve(p, x[i]);
    } else {
      MIXGRAD_VECTORIZE
      for (int i = 0; i < kBlock; ++i) x[i] = from[i] + add[i], y[i] = ramp(p, x[i]);
    }
    for (int i = 0; i < kBlock; ++i) to[i] = p.gated ? y[i] * x[i] : y[i];
    if (rest > 0) std::memcpy(dst + at, out, rest);
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
      return finish_pieces(end, src, residual, dst, n);
    }
    return finish_kind<ConvActivation::clamp>(open, src, residual, dst, n);
  }
  with_activation(
      end.activation, [&](auto kind) __attribute__((always_inline)) {
        finish_kind<kind()>(end, src, residual, dst, n);
      });
}

using FinishFn = void (*)(const ConvEpilogue&, const float*, const float*, float*, int64_t);

MIXGRAD_TARGET_BASELINE void finish_baseline(const ConvEpilogue& end, const float* src, const float* residual,
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
  return &finish_baseline;
}

}  // namespace

void finish(const ConvEpilogue& end, const float* src, const float* residual, float* dst, int64_t n) {
  pick_finish()(end, src, residual, dst, n);
}

}  // namespace mixgrad::conv_epilogue
