#include "kernels/convolution/conv_winograd_transform.h"

#include "base/cpu.h"

// A polynomial product by its values at chosen points: 0, a, -a, b, -b and infinity for 4x4 outputs, 0, 1, -1 and
// infinity for 2x2. With a = 3/4 and b = 3/2, whose powers are exact, errors are a third of those with 1 and 2.

namespace mixgrad::conv_winograd_transform {
namespace {

constexpr int64_t kLanes = 16;
constexpr float kA = 0.75f, kB = 1.5f, kA2 = kA * kA, kB2 = kB * kB, kA3 = kA2 * kA, kB3 = kB2 * kB;
constexpr float kSum2 = kA2 + kB2, kProduct2 = kA2 * kB2;

// Six (four) inputs along one axis, `step` floats apart, each 16 lanes wide; values go to `to`.
template <int kSize>
MIXGRAD_INLINE void input_line(const float* __restrict from, int64_t step, float* __restrict to,
                               int64_t to_step) {
  MIXGRAD_VECTORIZE
  for (int64_t l = 0; l < kLanes; ++l) {
    const float* x = from + l;
    float* y = to + l;
    if constexpr (kSize == 4) {
      const float x1 = x[step], x2 = x[2 * step], x3 = x[3 * step], x4 = x[4 * step];
      const float even_a = x4 - kB2 * x2, odd_a = kA * (x3 - kB2 * x1);
      const float even_b = x4 - kA2 * x2, odd_b = kB * (x3 - kA2 * x1);
      y[0] = kProduct2 * x[0] - kSum2 * x2 + x4;
      y[to_step] = even_a + odd_a;
      y[2 * to_step] = even_a - odd_a;
      y[3 * to_step] = even_b + odd_b;
      y[4 * to_step] = even_b - odd_b;
      y[5 * to_step] = kProduct2 * x1 - kSum2 * x3 + x[5 * step];
    } else {
      const float x1 = x[step], x2 = x[2 * step];
      y[0] = x2 - x[0];
      y[to_step] = x2 + x1;
      y[2 * to_step] = x2 - x1;
      y[3 * to_step] = x[3 * step] - x1;
    }
  }
}

template <int kSize>
MIXGRAD_INLINE void output_line(const float* __restrict from, int64_t step, const float* __restrict bias,
                                float* __restrict to, int64_t to_step) {
  MIXGRAD_VECTORIZE
  for (int64_t l = 0; l < kLanes; ++l) {
    const float* x = from + l;
    float* y = to + l;
    const float start = bias ? bias[l] : 0;
    if constexpr (kSize == 4) {
      const float x1 = x[step], x2 = x[2 * step], x3 = x[3 * step], x4 = x[4 * step];
      const float even_a = x1 + x2, odd_a = x1 - x2, even_b = x3 + x4, odd_b = x3 - x4;
      y[0] = start + x[0] + even_a + even_b;
      y[to_step] = start + kA * odd_a + kB * odd_b;
      y[2 * to_step] = start + kA2 * even_a + kB2 * even_b;
      y[3 * to_step] = start + kA3 * odd_a + kB3 * odd_b + x[5 * step];
    } else {
      const float x1 = x[step], x2 = x[2 * step];
      y[0] = start + x[0] + x1 + x2;
      y[to_step] = start + x1 - x2 + x[3 * step];
    }
  }
}

template <int kSize>
MIXGRAD_INLINE void inputs_body(const float* src, int64_t pitch, int64_t tiles, float* dst,
                                int64_t product_step) {
  constexpr int kExtent = kSize + 2;
  alignas(64) float workspace[kExtent * kExtent * kLanes];
  for (int64_t t = 0; t < tiles; ++t) {
#pragma GCC unroll 1
    for (int col = 0; col < kExtent; ++col) {
      input_line<kSize>(src + (t * kSize + col) * kLanes, pitch, workspace + col * kLanes, kExtent * kLanes);
    }
#pragma GCC unroll 1
    for (int row = 0; row < kExtent; ++row) {
      input_line<kSize>(workspace + row * kExtent * kLanes, kLanes,
                        dst + t * kLanes + row * kExtent * product_step, product_step);
    }
  }
}

template <int kSize>
MIXGRAD_INLINE void outputs_body(const float* src, int64_t product_step, int64_t tile_step, int64_t tiles,
                                 const float* bias, float* dst, int64_t pitch) {
  constexpr int kExtent = kSize + 2;
  alignas(64) float workspace[kSize * kExtent * kLanes];
  for (int64_t t = 0; t < tiles; ++t) {
#pragma GCC unroll 1
    for (int col = 0; col < kExtent; ++col) {
      output_line<kSize>(src + t * tile_step + col * product_step, kExtent * product_step, nullptr,
                         workspace + col * kLanes, kExtent * kLanes);
    }
#pragma GCC unroll 1
    for (int row = 0; row < kSize; ++row) {
      output_line<kSize>(workspace + row * kExtent * kLanes, kLanes, bias,
                         dst + row * pitch + t * kSize * kLanes, kLanes);
    }
  }
}

// One axis of the factors: three weights at each point, divided by the product of the point's distances from the
// others. 16 filters side by side, in double, because weights are few.
template <int kSize>
MIXGRAD_INLINE void weight_line(const double* __restrict from, int64_t step, double* __restrict to,
                                int64_t to_step) {
  constexpr double a = kA, b = kB, a2 = a * a, b2 = b * b;
  constexpr double by_zero = 1 / (a2 * b2), by_a = 1 / (2 * a2 * (a2 - b2)), by_b = 1 / (2 * b2 * (b2 - a2));
  MIXGRAD_VECTORIZE
  for (int64_t l = 0; l < kLanes; ++l) {
    const double w0 = from[l], w1 = from[step + l], w2 = from[2 * step + l];
    double* y = to + l;
    if constexpr (kSize == 4) {
      const double even_a = (w0 + a2 * w2) * by_a, odd_a = a * w1 * by_a;
      const double even_b = (w0 + b2 * w2) * by_b, odd_b = b * w1 * by_b;
      y[0] = w0 * by_zero;
      y[to_step] = even_a + odd_a;
      y[2 * to_step] = even_a - odd_a;
      y[3 * to_step] = even_b + odd_b;
      y[4 * to_step] = even_b - odd_b;
      y[5 * to_step] = w2;
    } else {
      const double even = (w0 + w2) / 2, odd = w1 / 2;
      y[0] = -w0;
      y[to_step] = even + odd;
      y[2 * to_step] = even - odd;
      y[3 * to_step] = w2;
    }
  }
}

template <int kSize>
MIXGRAD_INLINE void weights_body(const float* kernel, float* factor) {
  constexpr int kExtent = kSize + 2, kProducts = kExtent * kExtent;
  double w[9 * kLanes], columns[kExtent * 3 * kLanes], all[kProducts * kLanes];
  for (int64_t i = 0; i < 9 * kLanes; ++i) w[i] = static_cast<double>(kernel[i]);
#pragma GCC unroll 1
  for (int col = 0; col < 3; ++col) {
    weight_line<kSize>(w + col * kLanes, 3 * kLanes, columns + col * kLanes, 3 * kLanes);
  }
#pragma GCC unroll 1
  for (int row = 0; row < kExtent; ++row) {
    weight_line<kSize>(columns + row * 3 * kLanes, kLanes, all + row * kExtent * kLanes, kLanes);
  }
  for (int64_t i = 0; i < kProducts * kLanes; ++i) factor[i] = static_cast<float>(all[i]);
}

// Four gradients along one axis to six.
MIXGRAD_INLINE void output_grad_line(const float* __restrict from, int64_t step, float* __restrict to,
                                     int64_t to_step) {
  MIXGRAD_VECTORIZE
  for (int64_t l = 0; l < kLanes; ++l) {
    const float* x = from + l;
    float* y = to + l;
    const float x0 = x[0], x1 = x[step], x2 = x[2 * step], x3 = x[3 * step];
    const float even_a = x0 + kA2 * x2, odd_a = kA * x1 + kA3 * x3;
    const float even_b = x0 + kB2 * x2, odd_b = kB * x1 + kB3 * x3;
    y[0] = x0;
    y[to_step] = even_a + odd_a;
    y[2 * to_step] = even_a - odd_a;
    y[3 * to_step] = even_b + odd_b;
    y[4 * to_step] = even_b - odd_b;
    y[5 * to_step] = x3;
  }
}

MIXGRAD_INLINE void output_grads_body(const float* src, int64_t pitch, int64_t tiles, float* dst,
                                      int64_t product_step, int64_t tile_step) {
  alignas(64) float workspace[6 * 4 * kLanes];
  for (int64_t t = 0; t < tiles; ++t) {
#pragma GCC unroll 1
    for (int col = 0; col < 4; ++col) {
      output_grad_line(src + (t * 4 + col) * kLanes, pitch, workspace + col * kLanes, 4 * kLanes);
    }
#pragma GCC unroll 1
    for (int row = 0; row < 6; ++row) {
      output_grad_line(workspace + row * 4 * kLanes, kLanes, dst + t * tile_step + row * 6 * product_step,
                       product_step);
    }
  }
}

// Six gradients of factors along one axis to three of weights.
MIXGRAD_INLINE void weight_grad_line(const float* __restrict from, int64_t step, float* __restrict to,
                                     int64_t to_step) {
  constexpr float by_zero = 1 / kProduct2, by_a = 1 / (2 * kA2 * (kA2 - kB2)),
                  by_b = 1 / (2 * kB2 * (kB2 - kA2));
  MIXGRAD_VECTORIZE
  for (int64_t l = 0; l < kLanes; ++l) {
    const float* x = from + l;
    const float x1 = x[step], x2 = x[2 * step], x3 = x[3 * step], x4 = x[4 * step];
    const float even_a = by_a * (x1 + x2), odd_a = by_a * (x1 - x2);
    const float even_b = by_b * (x3 + x4), odd_b = by_b * (x3 - x4);
    to[l] = by_zero * x[0] + even_a + even_b;
    to[to_step + l] = kA * odd_a + kB * odd_b;
    to[2 * to_step + l] = kA2 * even_a + kB2 * even_b + x[5 * step];
  }
}

MIXGRAD_INLINE void weight_grads_body(const float* factor, int64_t product_step, float* kernel) {
  alignas(64) float workspace[3 * 6 * kLanes];
#pragma GCC unroll 1
  for (int col = 0; col < 6; ++col) {
    weight_grad_line(factor + col * product_step, 6 * product_step, workspace + col * kLanes, 6 * kLanes);
  }
#pragma GCC unroll 1
  for (int row = 0; row < 3; ++row) {
    weight_grad_line(workspace + row * 6 * kLanes, kLanes, kernel + row * 3 * kLanes, kLanes);
  }
}

struct Functions {
  void (*inputs[2])(const float*, int64_t, int64_t, float*, int64_t);
  void (*outputs[2])(const float*, int64_t, int64_t, int64_t, const float*, float*, int64_t);
  void (*weights[2])(const float*, float*);
};
struct GradFunctions {
  void (*output_grads)(const float*, int64_t, int64_t, float*, int64_t, int64_t);
  void (*weight_grads)(const float*, int64_t, float*);
};

template <int kSize>
MIXGRAD_TARGET_BASELINE void inputs_baseline(const float* src, int64_t pitch, int64_t tiles, float* dst,
                                             int64_t product_step) {
  inputs_body<kSize>(src, pitch, tiles, dst, product_step);
}
template <int kSize>
MIXGRAD_TARGET_BASELINE void outputs_baseline(const float* src, int64_t product_step, int64_t tile_step,
                                              int64_t tiles, const float* bias, float* dst, int64_t pitch) {
  outputs_body<kSize>(src, product_step, tile_step, tiles, bias, dst, pitch);
}
template <int kSize>
MIXGRAD_TARGET_BASELINE void weights_baseline(const float* kernel, float* factor) {
  weights_body<kSize>(kernel, factor);
}
MIXGRAD_TARGET_BASELINE void output_grads_baseline(const float* src, int64_t pitch, int64_t tiles, float* dst,
                                                   int64_t product_step, int64_t tile_step) {
  output_grads_body(src, pitch, tiles, dst, product_step, tile_step);
}
MIXGRAD_TARGET_BASELINE void weight_grads_baseline(const float* factor, int64_t product_step, float* kernel) {
  weight_grads_body(factor, product_step, kernel);
}
#if MIXGRAD_X86
template <int kSize>
MIXGRAD_TARGET_AVX2 void inputs_avx2(const float* src, int64_t pitch, int64_t tiles, float* dst,
                                     int64_t product_step) {
  inputs_body<kSize>(src, pitch, tiles, dst, product_step);
}
template <int kSize>
MIXGRAD_TARGET_AVX2 void outputs_avx2(const float* src, int64_t product_step, int64_t tile_step,
                                      int64_t tiles, const float* bias, float* dst, int64_t pitch) {
  outputs_body<kSize>(src, product_step, tile_step, tiles, bias, dst, pitch);
}
template <int kSize>
MIXGRAD_TARGET_AVX2 void weights_avx2(const float* kernel, float* factor) {
  weights_body<kSize>(kernel, factor);
}
template <int kSize>
MIXGRAD_TARGET_AVX512 void inputs_avx512(const float* src, int64_t pitch, int64_t tiles, float* dst,
                                         int64_t product_step) {
  inputs_body<kSize>(src, pitch, tiles, dst, product_step);
}
template <int kSize>
MIXGRAD_TARGET_AVX512 void outputs_avx512(const float* src, int64_t product_step, int64_t tile_step,
                                          int64_t tiles, const float* bias, float* dst, int64_t pitch) {
  outputs_body<kSize>(src, product_step, tile_step, tiles, bias, dst, pitch);
}
MIXGRAD_TARGET_AVX2 void output_grads_avx2(const float* src, int64_t pitch, int64_t tiles, float* dst,
                                           int64_t product_step, int64_t tile_step) {
  output_grads_body(src, pitch, tiles, dst, product_step, tile_step);
}
MIXGRAD_TARGET_AVX2 void weight_grads_avx2(const float* factor, int64_t product_step, float* kernel) {
  weight_grads_body(factor, product_step, kernel);
}
MIXGRAD_TARGET_AVX512 void output_grads_avx512(const float* src, int64_t pitch, int64_t tiles, float* dst,
                                               int64_t product_step, int64_t tile_step) {
  output_grads_body(src, pitch, tiles, dst, product_step, tile_step);
}
MIXGRAD_TARGET_AVX512 void weight_grads_avx512(const float* factor, int64_t product_step, float* kernel) {
  weight_grads_body(factor, product_step, kernel);
}
#endif

const Functions& functions() {
  static const Functions baseline = {{&inputs_baseline<2>, &inputs_baseline<4>},
                                     {&outputs_baseline<2>, &outputs_baseline<4>},
                                     {&weights_baseline<2>, &weights_baseline<4>}};
#if MIXGRAD_X86
  static const Functions avx2 = {{&inputs_avx2<2>, &inputs_avx2<4>},
                                 {&outputs_avx2<2>, &outputs_avx2<4>},
                                 {&weights_avx2<2>, &weights_avx2<4>}};
  static const Functions avx512 = {{&inputs_avx512<2>, &inputs_avx512<4>},
                                   {&outputs_avx512<2>, &outputs_avx512<4>},
                                   {&weights_avx2<2>, &weights_avx2<4>}};  // once per weights
  if (best_isa() == Isa::avx512) return avx512;
  if (best_isa() == Isa::avx2) return avx2;
#endif
  return baseline;
}

const GradFunctions& grad_functions() {
  static const GradFunctions baseline = {&output_grads_baseline, &weight_grads_baseline};
#if MIXGRAD_X86
  static const GradFunctions avx2 = {&output_grads_avx2, &weight_grads_avx2};
  static const GradFunctions avx512 = {&output_grads_avx512, &weight_grads_avx512};
  if (best_isa() == Isa::avx512) return avx512;
  if (best_isa() == Isa::avx2) return avx2;
#endif
  return baseline;
}

}  // namespace

void inputs(Tiling tiling, const float* src, int64_t pitch, int64_t tiles, float* dst, int64_t product_step) {
  functions().inputs[tiling.size / 4](src, pitch, tiles, dst, product_step);
}

void outputs(Tiling tiling, const float* src, int64_t product_step, int64_t tile_step, int64_t tiles,
             const float* bias, float* dst, int64_t pitch) {
  functions().outputs[tiling.size / 4](src, product_step, tile_step, tiles, bias, dst, pitch);
}

void output_grads(const float* src, int64_t pitch, int64_t tiles, float* dst, int64_t product_step,
                  int64_t tile_step) {
  grad_functions().output_grads(src, pitch, tiles, dst, product_step, tile_step);
}

void weight_grads(const float* factor, int64_t product_step, float* kernel) {
  grad_functions().weight_grads(factor, product_step, kernel);
}

void weights(Tiling tiling, const float* kernel, float* factor) {
  functions().weights[tiling.size / 4](kernel, factor);
}

}  // namespace mixgrad::conv_winograd_transform
