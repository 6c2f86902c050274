#include "kernels/loops/transpose_tile.h"

#if MIXGRAD_X86
#include <immintrin.h>
#endif

namespace mixgrad {

#if MIXGRAD_X86
namespace {

#pragma GCC diagnostic push
#if !defined(__clang__)
// g++ 12's own header makes what its unpack functions leave unset of an uninitialised variable.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// 16 x 16: pairs of rows, then of pairs, within quarters of a register; then quarters change places.
MIXGRAD_INLINE MIXGRAD_TARGET_AVX512 void turn_block_avx512(const float* src, int64_t src_stride, float* dst,
                                                            int64_t dst_stride) {
  __m512 r[16], t[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) r[i] = _mm512_loadu_ps(src + i * src_stride);
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
  }
  // Afterwards quarter q of r[4 i + c] holds column 4 q + c of rows 4 i to 4 i + 3.
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    const __m512d low0 = _mm512_castps_pd(t[i]), high0 = _mm512_castps_pd(t[i + 1]);
    const __m512d low2 = _mm512_castps_pd(t[i + 2]), high2 = _mm512_castps_pd(t[i + 3]);
    r[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(low0, low2));
    r[i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low0, low2));
    r[i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high0, high2));
    r[i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high0, high2));
  }
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    const __m512 a = _mm512_shuffle_f32x4(r[c], r[4 + c], 0x88),
                 b = _mm512_shuffle_f32x4(r[c], r[4 + c], 0xdd);
    const __m512 d = _mm512_shuffle_f32x4(r[8 + c], r[12 + c], 0x88),
                 e = _mm512_shuffle_f32x4(r[8 + c], r[12 + c], 0xdd);
    _mm512_storeu_ps(dst + c * dst_stride, _mm512_shuffle_f32x4(a, d, 0x88));
    _mm512_storeu_ps(dst + (4 + c) * dst_stride, _mm512_shuffle_f32x4(b, e, 0x88));
    _mm512_storeu_ps(dst + (8 + c) * dst_stride, _mm512_shuffle_f32x4(a, d, 0xdd));
    _mm512_storeu_ps(dst + (12 + c) * dst_stride, _mm512_shuffle_f32x4(b, e, 0xdd));
  }
}

MIXGRAD_TARGET_AVX512 void turn_blocks_avx512(const float* src, int64_t src_stride, int64_t rows,
                                              int64_t cols, float* dst, int64_t dst_stride) {
  for (int64_t down = 0; down < rows; down += kTransposeBlock) {
    const int64_t i = down + kTransposeBlock <= rows ? down : rows - kTransposeBlock;
    for (int64_t across = 0; across < cols; across += kTransposeBlock) {
      const int64_t j = across + kTransposeBlock <= cols ? across : cols - kTransposeBlock;
      turn_block_avx512(src + i * src_stride + j, src_stride, dst + j * dst_stride + i, dst_stride);
    }
  }
}

#pragma GCC diagnostic pop

}  // namespace

bool transpose_blocks(const float* src, int64_t src_stride, int64_t rows, int64_t cols, float* dst,
                      int64_t dst_stride) {
  if (best_isa() != Isa::avx512) return false;
  turn_blocks_avx512(src, src_stride, rows, cols, dst, dst_stride);
  return true;
}
#else
bool transpose_blocks(const float*, int64_t, int64_t, int64_t, float*, int64_t) { return false; }
#endif

}  // namespace mixgrad
