#include "kernels/convolution/conv_depthwise.h"

#include <algorithm>

#include "base/cpu.h"
#include "base/parallel.h"

namespace mixgrad::conv_depthwise {
namespace {

using nn_backend::ConvShape;

// One output row gains one input row times a weight.
template <class T>
MIXGRAD_INLINE void add_row(const T* in, int64_t step, T weight, T* out, int64_t n) {
  if (step == 1) {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) out[i] += weight * in[i];
  } else {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) out[i] += weight * in[i * step];
  }
}

template <class T>
MIXGRAD_INLINE void plane_body(const ConvShape& s, const T* in, const T* weight, T bias, T* out) {
  const int64_t step = s.stride[2];
  std::fill_n(out, s.out_size(), bias);
  for (int64_t od = 0; od < s.out[0]; ++od) {
    for (int64_t oh = 0; oh < s.out[1]; ++oh) {
      T* row = out + (od * s.out[1] + oh) * s.out[2];
      for (int64_t k = 0; k < s.kernel_size(); ++k) {
        const int64_t kw = k % s.kernel[2], kh = k / s.kernel[2] % s.kernel[1],
                      kd = k / s.kernel[2] / s.kernel[1];
        const int64_t d = od * s.stride[0] + kd * s.dilate[0] - s.pad[0];
        const int64_t h = oh * s.stride[1] + kh * s.dilate[1] - s.pad[1];
        if (d < 0 || d >= s.in[0] || h < 0 || h >= s.in[1]) continue;
        const int64_t offset = kw * s.dilate[2] - s.pad[2];
        const int64_t begin = offset >= 0 ? 0 : (-offset + step - 1) / step;
        const int64_t end = std::min(s.out[2], s.in[2] <= offset ? 0 : (s.in[2] - 1 - offset) / step + 1);
        if (begin >= end) continue;
        add_row(in + (d * s.in[1] + h) * s.in[2] + offset + begin * step, step, weight[k], row + begin,
                end - begin);
      }
    }
  }
}

template <class T>
MIXGRAD_TARGET_BASELINE void plane_baseline(const ConvShape& s, const T* in, const T* weight, T bias,
                                            T* out) {
  plane_body(s, in, weight, bias, out);
}
#if MIXGRAD_X86
template <class T>
MIXGRAD_TARGET_AVX2 void plane_avx2(const ConvShape& s, const T* in, const T* weight, T bias, T* out) {
  plane_body(s, in, weight, bias, out);
}
template <class T>
MIXGRAD_TARGET_AVX512 void plane_avx512(const ConvShape& s, const T* in, const T* weight, T bias, T* out) {
  plane_body(s, in, weight, bias, out);
}
#endif

template <class T>
using PlaneFn = void (*)(const ConvShape&, const T*, const T*, T, T*);

template <class T>
PlaneFn<T> pick_plane() {
#if MIXGRAD_X86
  if (image_isa<T>() == Isa::avx512) return &plane_avx512<T>;
  if (image_isa<T>() == Isa::avx2) return &plane_avx2<T>;
#endif
  return &plane_baseline<T>;
}

}  // namespace

bool serves(const ConvShape& s) {
  // In files cut to networks images are blocked, but for rare ones that go the way of all groups.
  return !s.channels_last && s.groups > 1 && s.channels == s.groups && s.filters == s.groups;
}

template <class T>
void forward(const ConvShape& s, const T* data, const T* weight, const T* bias, T* out) {
  constexpr int64_t kGrain = 100000;  // products
  const PlaneFn<T> plane = pick_plane<T>();
  const int64_t products = std::max<int64_t>(1, s.out_size() * s.kernel_size());
  parallel_for(s.batch * s.channels, loop_grain(kGrain, {products}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t c = i % s.channels;
      plane(s, data + i * s.in_size(), weight + c * s.kernel_size(), bias ? bias[c] : T(0),
            out + i * s.out_size());
    }
  });
}

template void forward<float>(const ConvShape&, const float*, const float*, const float*, float*);
template void forward<double>(const ConvShape&, const double*, const double*, const double*, double*);

}  // namespace mixgrad::conv_depthwise
