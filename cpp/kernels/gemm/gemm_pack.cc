#include "kernels/gemm/gemm_pack.h"

#include <cstring>
#include <type_traits>

#include "kernels/loops/convert.h"
#include "kernels/loops/transpose_tile.h"

namespace mixgrad {
namespace {

template <class T>
void turn_lines(const T* src, int64_t line_stride, int64_t lines, int64_t k, int64_t width, T* dst) {
  if constexpr (std::is_same_v<T, float>) {
    transpose_tile(src, line_stride, lines, k, dst, width);
  } else {
    for (int64_t line = 0; line < lines; ++line) {
      for (int64_t p = 0; p < k; ++p) dst[p * width + line] = src[line * line_stride + p];
    }
  }
}

template <class T>
void pack_plain(const T* src, const GemmStrip& strip, int64_t lines, int64_t k, int64_t width, T* dst) {
  if (strip.line_stride == 1) {
    const size_t bytes = static_cast<size_t>(lines) * sizeof(T),
                 rest = static_cast<size_t>(width - lines) * sizeof(T);
    for (int64_t p = 0; p < k; ++p) {
      std::memcpy(dst + p * width, src + p * strip.step_stride, bytes);
      if (rest) std::memset(dst + p * width + lines, 0, rest);
    }
    return;
  }
  turn_lines(src, strip.line_stride, lines, k, width, dst);
  for (int64_t p = 0; p < k && lines < width; ++p) {
    for (int64_t i = lines; i < width; ++i) dst[p * width + i] = 0;
  }
}

// Half types are converted to floats a few runs at a time, then packed like floats.
void pack_half(const GemmStrip& strip, int64_t lines, int64_t k, int64_t width, float* dst) {
  constexpr int64_t kWorkspace = 2048;
  float workspace[kWorkspace];
  const auto* src = static_cast<const uint16_t*>(strip.data);
  if (strip.line_stride == 1) {
    for (int64_t p = 0; p < k; ++p) {
      convert(src + p * strip.step_stride, strip.dtype, dst + p * width, DType::float32, lines);
      for (int64_t i = lines; i < width; ++i) dst[p * width + i] = 0;
    }
    return;
  }
  const int64_t steps = kWorkspace / lines;
  for (int64_t p = 0; p < k; p += steps) {
    const int64_t run = steps < k - p ? steps : k - p;
    for (int64_t i = 0; i < lines; ++i) {
      convert(src + i * strip.line_stride + p, strip.dtype, workspace + i * run, DType::float32, run);
    }
    const GemmStrip part{workspace, DType::float32, run, 1};
    pack_plain(workspace, part, lines, run, width, dst + p * width);
  }
}

}  // namespace

template <class T>
void gemm_pack(const GemmStrip& strip, int64_t lines, int64_t k, int64_t width, T alpha, T* dst) {
  if constexpr (std::is_same_v<T, float>) {
    if (is_half(strip.dtype))
      pack_half(strip, lines, k, width, dst);
    else
      pack_plain(static_cast<const T*>(strip.data), strip, lines, k, width, dst);
  } else {
    pack_plain(static_cast<const T*>(strip.data), strip, lines, k, width, dst);
  }
  if (alpha != T(1)) {
    for (int64_t i = 0; i < width * k; ++i) dst[i] *= alpha;
  }
}

template void gemm_pack<float>(const GemmStrip&, int64_t, int64_t, int64_t, float, float*);
template void gemm_pack<double>(const GemmStrip&, int64_t, int64_t, int64_t, double, double*);

}  // namespace mixgrad
