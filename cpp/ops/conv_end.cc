#include "ops/conv_end.h"

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

MIXGRAD_INLINE void finish_body(const ConvEpilogue& end, const float* src, const float* residual, float* dst,
                                int64_t n) {
  switch (end.activation) {
    case ConvActivation::none: return finish_kind<ConvActivation::none>(end, src, residual, dst, n);
    case ConvActivation::clamp: return finish_kind<ConvActivation::clamp>(end, src, residual, dst, n);
    case ConvActivation::leaky: return finish_kind<ConvActivation::leaky>(end, src, residual, dst, n);
    case ConvActivation::sigmoid: return finish_kind<ConvActivation::sigmoid>(end, src, residual, dst, n);
    case ConvActivation::hard_sigmoid:
      return finish_kind<ConvActivation::hard_sigmoid>(end, src, residual, dst, n);
    case ConvActivation::silu: return finish_kind<ConvActivation::silu>(end, src, residual, dst, n);
    case ConvActivation::hard_swish:
      return finish_kind<ConvActivation::hard_swish>(end, src, residual, dst, n);
    case ConvActivation::tanh: return finish_kind<ConvActivation::tanh>(end, src, residual, dst, n);
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
  return &finish_baseline;
}

}  // namespace

void finish(const ConvEpilogue& end, const float* src, const float* residual, float* dst, int64_t n) {
  pick_finish()(end, src, residual, dst, n);
}

}  // namespace mixgrad::ops::conv_end
