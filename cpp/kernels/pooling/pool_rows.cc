#include "kernels/pooling/pool_rows.h"

#include <algorithm>
#include <limits>

#include "base/cpu.h"
#include "base/parallel.h"

namespace mixgrad::pool_rows {
namespace {

using pool_kernel::Kind;
using pool_kernel::PoolShape;

constexpr int64_t kLanes = 16;
constexpr int64_t kRowGrain = 16384;  // elements looked at per thread

int64_t rounded_up(int64_t n, int64_t part) { return (n + part - 1) / part; }

// Outputs [first, last) of a row take the element at data + (i * step) channels for each of them.
struct Tap {
  const float* data;
  int64_t first, last, step, channels;
};

template <bool kLargest>
MIXGRAD_INLINE void take(const Tap& t, float* __restrict out) {
  for (int64_t i = t.first; i < t.last; ++i) {
    const float* x = t.data + i * t.step * t.channels;
    float* o = out + i * t.channels;
    for (int64_t c = 0; c < t.channels; c += kLanes) {
      MIXGRAD_VECTORIZE
      for (int64_t l = c; l < c + kLanes; ++l) o[l] = kLargest ? (x[l] > o[l] ? x[l] : o[l]) : o[l] + x[l];
    }
  }
}

template <bool kLargest>
MIXGRAD_TARGET_BASELINE_VECTORS void take_baseline(const Tap& t, float* out) {
  take<kLargest>(t, out);
}
#if MIXGRAD_X86
template <bool kLargest>
MIXGRAD_TARGET_AVX2 void take_avx2(const Tap& t, float* out) {
  take<kLargest>(t, out);
}
template <bool kLargest>
MIXGRAD_TARGET_AVX512 void take_avx512(const Tap& t, float* out) {
  take<kLargest>(t, out);
}
#endif

using Take = void (*)(const Tap&, float*);
template <bool kLargest>
Take best_take() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return &take_avx512<kLargest>;
  if (best_isa() == Isa::avx2) return &take_avx2<kLargest>;
#endif
  return &take_baseline<kLargest>;
}

// Elements that count in the window at `place` of one axis.
int64_t counted(const PoolShape& s, int axis, int64_t place) {
  const int64_t start = place * s.stride[axis] - s.pad[axis], stop = start + s.kernel[axis];
  if (s.count_pad) return std::max<int64_t>(0, std::min(stop, s.in[axis] + s.pad[axis]) - start);
  return std::max<int64_t>(0, std::min(stop, s.in[axis]) - std::max<int64_t>(start, 0));
}

void pool_row(const PoolShape& s, Take take_tap, const float* image, int64_t row, float* out) {
  const int64_t channels = s.channels, start = row * s.stride[1] - s.pad[1];
  std::fill_n(out, s.out[2] * channels, s.kind == Kind::max ? -std::numeric_limits<float>::infinity() : 0.0f);
  const int64_t top = std::max<int64_t>(start, 0), bottom = std::min(start + s.kernel[1], s.in[1]);
  for (int64_t h = top; h < bottom; ++h) {
    for (int64_t k = 0; k < s.kernel[2]; ++k) {
      // Output i reads column i * stride + k - pad.
      const int64_t by = k - s.pad[2];
      Tap tap;
      tap.first = by < 0 ? rounded_up(-by, s.stride[2]) : 0;
      tap.last = std::min(s.out[2], by < s.in[2] ? (s.in[2] - 1 - by) / s.stride[2] + 1 : 0);
      tap.step = s.stride[2], tap.channels = channels;
      tap.data = image + (h * s.in[2] + by) * channels;
      take_tap(tap, out);
    }
  }
  if (s.kind != Kind::avg) return;
  const int64_t rows = counted(s, 1, row);
  for (int64_t i = 0; i < s.out[2]; ++i) {
    const int64_t count = rows * counted(s, 2, i);
    const float share = count > 0 ? 1.0f / static_cast<float>(count) : 0.0f;
    for (int64_t c = 0; c < channels; ++c) out[i * channels + c] *= share;
  }
}

}  // namespace

bool serves(const PoolShape& s) {
  return s.channels_last && s.channels % kLanes == 0 && s.kind != Kind::lp && s.kernel[0] == 1 &&
         s.stride[0] == 1 && s.pad[0] == 0 && s.in[0] == s.out[0];
}

void forward(const PoolShape& s, const float* data, float* out) {
  const Take take_tap = s.kind == Kind::max ? best_take<true>() : best_take<false>();
  const int64_t in_plane = s.in[1] * s.in[2] * s.channels, out_row = s.out[2] * s.channels;
  const int64_t work = std::max<int64_t>(1, out_row * s.kernel[1] * s.kernel[2]);
  parallel_for(s.batch * s.in[0] * s.out[1], loop_grain(kRowGrain, {work}), [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      pool_row(s, take_tap, data + unit / s.out[1] * in_plane, unit % s.out[1], out + unit * out_row);
    }
  });
}

}  // namespace mixgrad::pool_rows
