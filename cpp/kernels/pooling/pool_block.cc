#include "kernels/pooling/pool_block.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/convolution/conv_plan.h"

namespace mixgrad::pool_block {
namespace {

using pool_kernel::Kind;
using pool_kernel::PoolShape;

constexpr int64_t kPixel = kConvBlock;
constexpr int64_t kBlockGrain = 20000;  // elements worth a thread

// The part of window (oh, ow) inside the image, and the factor of a mean.
struct BlockWindow {
  int64_t top, bottom, left, right;
  float share;
};

inline BlockWindow block_window(const PoolShape& s, int64_t oh, int64_t ow) {
  const int64_t h = oh * s.stride[1] - s.pad[1], w = ow * s.stride[2] - s.pad[2];
  BlockWindow at;
  at.top = std::max<int64_t>(h, 0), at.bottom = std::min(h + s.kernel[1], s.in[1]);
  at.left = std::max<int64_t>(w, 0), at.right = std::min(w + s.kernel[2], s.in[2]);
  at.share = 1;
  if (s.kind == Kind::avg) {
    // Padding counts, but not what lies beyond it.
    const int64_t rows = s.count_pad ? std::min(h + s.kernel[1], s.in[1] + s.pad[1]) - h : at.bottom - at.top;
    const int64_t cols = s.count_pad ? std::min(w + s.kernel[2], s.in[2] + s.pad[2]) - w : at.right - at.left;
    const int64_t count = std::max<int64_t>(rows, 0) * std::max<int64_t>(cols, 0);
    at.share = count > 0 ? 1 / static_cast<float>(count) : 0;
  }
  return at;
}

// One block of channels of one image.
template <bool kMax>
MIXGRAD_INLINE void pool_plane(const PoolShape& s, const float* image, float* out) {
  for (int64_t place = 0; place < s.out[1] * s.out[2]; ++place) {
    const BlockWindow at = block_window(s, place / s.out[2], place % s.out[2]);
    alignas(64) float sum[kPixel];
    for (int64_t l = 0; l < kPixel; ++l) sum[l] = kMax ? -std::numeric_limits<float>::infinity() : 0;
    for (int64_t h = at.top; h < at.bottom; ++h) {
      for (int64_t w = at.left; w < at.right; ++w) {
        const float* x = image + (h * s.in[2] + w) * kPixel;
        MIXGRAD_VECTORIZE
        for (int64_t l = 0; l < kPixel; ++l) sum[l] = kMax ? (x[l] > sum[l] ? x[l] : sum[l]) : sum[l] + x[l];
      }
    }
    MIXGRAD_VECTORIZE
    for (int64_t l = 0; l < kPixel; ++l) out[place * kPixel + l] = kMax ? sum[l] : sum[l] * at.share;
  }
}

template <bool kMax>
MIXGRAD_INLINE void spread_plane(const PoolShape& s, const float* image, const float* out,
                                 const float* out_grad, float* grad) {
  std::memset(grad, 0, static_cast<size_t>(s.in[1] * s.in[2] * kPixel) * sizeof(float));
  for (int64_t place = 0; place < s.out[1] * s.out[2]; ++place) {
    const BlockWindow at = block_window(s, place / s.out[2], place % s.out[2]);
    const float *o = out + place * kPixel, *g = out_grad + place * kPixel;
    alignas(64) float left[kPixel];  // of max: what no element has got yet
    for (int64_t l = 0; l < kPixel; ++l) left[l] = kMax ? g[l] : g[l] * at.share;
    for (int64_t h = at.top; h < at.bottom; ++h) {
      for (int64_t w = at.left; w < at.right; ++w) {
        const int64_t pixel = (h * s.in[2] + w) * kPixel;
        float* d = grad + pixel;
        if (kMax) {
          const float* x = image + pixel;
          MIXGRAD_VECTORIZE
          for (int64_t l = 0; l < kPixel; ++l) {
            const float give = x[l] == o[l] ? left[l] : 0.0f;
            d[l] += give;
            left[l] = x[l] == o[l] ? 0.0f : left[l];
          }
        } else {
          MIXGRAD_VECTORIZE
          for (int64_t l = 0; l < kPixel; ++l) d[l] += left[l];
        }
      }
    }
  }
}

template <bool kMax>
struct PoolBaseline {
  static void pool(const PoolShape& s, const float* image, float* out) { pool_plane<kMax>(s, image, out); }
  static void spread(const PoolShape& s, const float* image, const float* out, const float* out_grad,
                     float* grad) {
    spread_plane<kMax>(s, image, out, out_grad, grad);
  }
};
#if MIXGRAD_X86
template <bool kMax>
struct PoolAvx2 {
  static MIXGRAD_TARGET_AVX2 void pool(const PoolShape& s, const float* image, float* out) {
    pool_plane<kMax>(s, image, out);
  }
  static MIXGRAD_TARGET_AVX2 void spread(const PoolShape& s, const float* image, const float* out,
                                         const float* out_grad, float* grad) {
    spread_plane<kMax>(s, image, out, out_grad, grad);
  }
};
template <bool kMax>
struct PoolAvx512 {
  static MIXGRAD_TARGET_AVX512 void pool(const PoolShape& s, const float* image, float* out) {
    pool_plane<kMax>(s, image, out);
  }
  static MIXGRAD_TARGET_AVX512 void spread(const PoolShape& s, const float* image, const float* out,
                                           const float* out_grad, float* grad) {
    spread_plane<kMax>(s, image, out, out_grad, grad);
  }
};
#endif

struct PoolFunctions {
  void (*pool)(const PoolShape&, const float*, float*);
  void (*spread)(const PoolShape&, const float*, const float*, const float*, float*);
};

template <template <bool> class Of>
PoolFunctions pool_functions(bool largest) {
  if (largest) return {&Of<true>::pool, &Of<true>::spread};
  return {&Of<false>::pool, &Of<false>::spread};
}

PoolFunctions pool_functions(bool largest) {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return pool_functions<PoolAvx512>(largest);
  if (best_isa() == Isa::avx2) return pool_functions<PoolAvx2>(largest);
#endif
  return pool_functions<PoolBaseline>(largest);
}

// run(first element of data, of out) for all planes.
template <class Run>
void each_plane(const PoolShape& s, const Run& run) {
  const int64_t window = s.kernel[1] * s.kernel[2];
  const int64_t work = (s.in_size() + s.out_size() * window) * kPixel + 1;
  parallel_for(s.batch * s.channels / kPixel, loop_grain(kBlockGrain, {work}),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i)
                   run(i * s.in_size() * kPixel, i * s.out_size() * kPixel);
               });
}

}  // namespace

bool serves(const PoolShape& s) {
  return s.kind != Kind::lp && s.in[0] == 1 && s.kernel[0] == 1 && s.out[0] == 1 && s.pad[0] == 0;
}

void forward(const PoolShape& s, const float* data, float* out) {
  const PoolFunctions f = pool_functions(s.kind == Kind::max);
  each_plane(s, [&](int64_t from, int64_t to) { f.pool(s, data + from, out + to); });
}

void backward(const PoolShape& s, const float* data, const float* out, const float* out_grad, float* grad) {
  const PoolFunctions f = pool_functions(s.kind == Kind::max);
  each_plane(s, [&](int64_t from, int64_t to) {
    f.spread(s, data ? data + from : nullptr, out ? out + to : nullptr, out_grad + to, grad + from);
  });
}

}  // namespace mixgrad::pool_block
