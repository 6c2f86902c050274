#include "kernels/normalization/image_norm_kernels.h"

#include "base/cpu.h"

namespace mixgrad::image_norm_kernels {
namespace {

using Channels = BlockChannels;

template <NormEpilogue kEnd>
inline float finished(float y, const Channels& c) {
  if (kEnd == NormEpilogue::relu) return y <= 0 ? 0.0f : y;
  if (kEnd == NormEpilogue::clip) {
    y = y < c.low ? c.low : y;
    return y > c.high ? c.high : y;
  }
  return y;
}

template <NormEpilogue kEnd>
inline float passed(float g, float x, const Channels& c, int64_t l) {
  if (kEnd == NormEpilogue::none) return g;
  const float y = (x - c.mean[l]) * c.scale[l] + c.shift[l];
  if (kEnd == NormEpilogue::relu) return y > 0 ? g : 0.0f;
  return ((y >= c.low) & (y <= c.high)) ? g : 0.0f;
}

inline void fold_lanes(const float* wide, float* lanes) {
  for (int l = 0; l < kImageLanes; ++l) {
    lanes[l] = (wide[l] + wide[l + 16]) + (wide[l + 32] + wide[l + 48]);
  }
}

// Calls f(place, lane) for all elements: four pixels at once, then the rest one by one.
template <class F>
MIXGRAD_INLINE void each_pixel(int64_t n, const F& f) {
  const int64_t items = n * kImageLanes;
  int64_t i = 0;
  for (; i + kImageWide <= items; i += kImageWide) {
    MIXGRAD_VECTORIZE
    for (int64_t l = 0; l < kImageWide; ++l) f(i + l, l);
  }
  for (; i < items; i += kImageLanes) {
    MIXGRAD_VECTORIZE
    for (int64_t l = 0; l < kImageLanes; ++l) f(i + l, l);
  }
}

MIXGRAD_INLINE void sum_body(const float* x, int64_t n, float* sum) {
  alignas(64) float acc[kImageWide] = {};
  each_pixel(
      n, [ x, &acc ](int64_t i, int64_t l) __attribute__((always_inline)) { acc[l] += x[i]; });
  fold_lanes(acc, sum);
}

MIXGRAD_INLINE void spread_body(const float* x, int64_t n, const Channels& c, float* apart, float* squares) {
  alignas(64) float first[kImageWide] = {}, second[kImageWide] = {};
  each_pixel(
      n, [ x, &c, &first, &second ](int64_t i, int64_t l) __attribute__((always_inline)) {
        const float d = x[i] - c.mean[l];
        first[l] += d;
        second[l] += d * d;
      });
  fold_lanes(first, apart);
  fold_lanes(second, squares);
}

template <NormEpilogue kEnd>
MIXGRAD_INLINE void affine_body(const float* x, float* out, int64_t n, const Channels& c) {
  each_pixel(
      n, [ x, out, &c ](int64_t i, int64_t l) __attribute__((always_inline)) {
        out[i] = finished<kEnd>((x[i] - c.mean[l]) * c.scale[l] + c.shift[l], c);
      });
}

template <NormEpilogue kEnd>
MIXGRAD_INLINE void dots_body(const float* grad, const float* x, int64_t n, const Channels& c, float* sum,
                              float* along) {
  alignas(64) float first[kImageWide] = {}, second[kImageWide] = {};
  each_pixel(
      n, [ grad, x, &c, &first, &second ](int64_t i, int64_t l) __attribute__((always_inline)) {
        const float g = passed<kEnd>(grad[i], x[i], c, l);
        first[l] += g;
        second[l] += g * (x[i] - c.mean[l]);
      });
  fold_lanes(first, sum);
  fold_lanes(second, along);
}

template <NormEpilogue kEnd>
MIXGRAD_INLINE void linear_body(const float* grad, const float* x, float* dx, int64_t n, const Channels& c) {
  each_pixel(
      n, [ grad, x, dx, &c ](int64_t i, int64_t l) __attribute__((always_inline)) {
        dx[i] = c.of_grad[l] * passed<kEnd>(grad[i], x[i], c, l) + c.of_data[l] * (x[i] - c.mean[l]) +
                c.constant[l];
      });
}

struct ImageNormBaseline {
  static void sum(const float* x, int64_t n, float* to) { sum_body(x, n, to); }
  static void spread(const float* x, int64_t n, const Channels& c, float* apart, float* squares) {
    spread_body(x, n, c, apart, squares);
  }
  template <NormEpilogue kEnd>
  static void affine(const float* x, float* out, int64_t n, const Channels& c) {
    affine_body<kEnd>(x, out, n, c);
  }
  template <NormEpilogue kEnd>
  static void dots(const float* grad, const float* x, int64_t n, const Channels& c, float* to, float* along) {
    dots_body<kEnd>(grad, x, n, c, to, along);
  }
  template <NormEpilogue kEnd>
  static void linear(const float* grad, const float* x, float* dx, int64_t n, const Channels& c) {
    linear_body<kEnd>(grad, x, dx, n, c);
  }
};

#if MIXGRAD_X86
struct ImageNormAvx2 {
  static MIXGRAD_TARGET_AVX2 void sum(const float* x, int64_t n, float* to) { sum_body(x, n, to); }
  static MIXGRAD_TARGET_AVX2 void spread(const float* x, int64_t n, const Channels& c, float* apart,
                                         float* squares) {
    spread_body(x, n, c, apart, squares);
  }
  template <NormEpilogue kEnd>
  static MIXGRAD_TARGET_AVX2 void affine(const float* x, float* out, int64_t n, const Channels& c) {
    affine_body<kEnd>(x, out, n, c);
  }
  template <NormEpilogue kEnd>
  static MIXGRAD_TARGET_AVX2 void dots(const float* grad, const float* x, int64_t n, const Channels& c,
                                       float* to, float* along) {
    dots_body<kEnd>(grad, x, n, c, to, along);
  }
  template <NormEpilogue kEnd>
  static MIXGRAD_TARGET_AVX2 void linear(const float* grad, const float* x, float* dx, int64_t n,
                                         const Channels& c) {
    linear_body<kEnd>(grad, x, dx, n, c);
  }
};

struct ImageNormAvx512 {
  static MIXGRAD_TARGET_AVX512 void sum(const float* x, int64_t n, float* to) { sum_body(x, n, to); }
  static MIXGRAD_TARGET_AVX512 void spread(const float* x, int64_t n, const Channels& c, float* apart,
                                           float* squares) {
    spread_body(x, n, c, apart, squares);
  }
  template <NormEpilogue kEnd>
  static MIXGRAD_TARGET_AVX512 void affine(const float* x, float* out, int64_t n, const Channels& c) {
    affine_body<kEnd>(x, out, n, c);
  }
  template <NormEpilogue kEnd>
  static MIXGRAD_TARGET_AVX512 void dots(const float* grad, const float* x, int64_t n, const Channels& c,
                                         float* to, float* along) {
    dots_body<kEnd>(grad, x, n, c, to, along);
  }
  template <NormEpilogue kEnd>
  static MIXGRAD_TARGET_AVX512 void linear(const float* grad, const float* x, float* dx, int64_t n,
                                           const Channels& c) {
    linear_body<kEnd>(grad, x, dx, n, c);
  }
};
#endif

template <class L>
ImageNormKernels make_image_norms() {
  using E = NormEpilogue;
  return {&L::sum,
          &L::spread,
          {&L::template affine<E::none>, &L::template affine<E::relu>, &L::template affine<E::clip>},
          {&L::template dots<E::none>, &L::template dots<E::relu>, &L::template dots<E::clip>},
          {&L::template linear<E::none>, &L::template linear<E::relu>, &L::template linear<E::clip>}};
}

ImageNormKernels pick_image_norms() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return make_image_norms<ImageNormAvx512>();
  if (best_isa() == Isa::avx2) return make_image_norms<ImageNormAvx2>();
#endif
  return make_image_norms<ImageNormBaseline>();
}

}  // namespace

const ImageNormKernels& image_norms() {
  static const ImageNormKernels kernels = pick_image_norms();
  return kernels;
}

}  // namespace mixgrad::image_norm_kernels
