// Small matrices transposed in registers.
#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace mixgrad {

typedef float TransposeQuad __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t TransposeIndex __attribute__((vector_size(16)));

#if defined(__clang__)
#define MG_SHUFFLE(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
#define MG_SHUFFLE(x, y, a, b, c, d) __builtin_shuffle(x, y, TransposeIndex{a, b, c, d})
#endif

// dst[j * dst_stride + i] = src[i * src_stride + j], for i and j from 0 to 3.
MIXGRAD_INLINE void transpose_quad(const float* src, int64_t src_stride, float* dst, int64_t dst_stride) {
  const TransposeQuad r0 = *reinterpret_cast<const TransposeQuad*>(src);
  const TransposeQuad r1 = *reinterpret_cast<const TransposeQuad*>(src + src_stride);
  const TransposeQuad r2 = *reinterpret_cast<const TransposeQuad*>(src + 2 * src_stride);
  const TransposeQuad r3 = *reinterpret_cast<const TransposeQuad*>(src + 3 * src_stride);
  const TransposeQuad low01 = MG_SHUFFLE(r0, r1, 0, 4, 1, 5), high01 = MG_SHUFFLE(r0, r1, 2, 6, 3, 7);
  const TransposeQuad low23 = MG_SHUFFLE(r2, r3, 0, 4, 1, 5), high23 = MG_SHUFFLE(r2, r3, 2, 6, 3, 7);
  *reinterpret_cast<TransposeQuad*>(dst) = MG_SHUFFLE(low01, low23, 0, 1, 4, 5);
  *reinterpret_cast<TransposeQuad*>(dst + dst_stride) = MG_SHUFFLE(low01, low23, 2, 3, 6, 7);
  *reinterpret_cast<TransposeQuad*>(dst + 2 * dst_stride) = MG_SHUFFLE(high01, high23, 0, 1, 4, 5);
  *reinterpret_cast<TransposeQuad*>(dst + 3 * dst_stride) = MG_SHUFFLE(high01, high23, 2, 3, 6, 7);
}

// The same for at least kTransposeBlock rows and columns by blocks of so many of each, where the processor has registers for
// that; else it does nothing and returns false.
constexpr int64_t kTransposeBlock = 16;
bool transpose_blocks(const float* src, int64_t src_stride, int64_t rows, int64_t cols, float* dst,
                      int64_t dst_stride);

// dst[j * dst_stride + i] = src[i * src_stride + j], for i below rows and j below cols. The last blocks overlap those
// before them.
inline void transpose_tile(const float* src, int64_t src_stride, int64_t rows, int64_t cols, float* dst,
                           int64_t dst_stride) {
  if (rows >= kTransposeBlock && cols >= kTransposeBlock &&
      transpose_blocks(src, src_stride, rows, cols, dst, dst_stride))
    return;
  if (rows < 4 || cols < 4) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) dst[j * dst_stride + i] = src[i * src_stride + j];
    }
    return;
  }
  for (int64_t at = 0; at < rows; at += 4) {
    const int64_t i = at + 4 <= rows ? at : rows - 4;
    const float* from = src + i * src_stride;
    float* to = dst + i;
    int64_t j = 0;
    for (; j + 4 <= cols; j += 4) transpose_quad(from + j, src_stride, to + j * dst_stride, dst_stride);
    if (j < cols) transpose_quad(from + cols - 4, src_stride, to + (cols - 4) * dst_stride, dst_stride);
  }
}

}  // namespace mixgrad
