#include "kernels/gemm/gemm_sparse_kernel.h"

#include <cstring>
#include <utility>

#include "base/cpu.h"

#if MIXGRAD_X86
#include <immintrin.h>
#endif

// The loops over rows differ in their target and vector width only. They are written out because GCC splits wide vectors
// before it inlines, so a shared inline body would be compiled for the baseline.

namespace mixgrad {
namespace {

template <int kBytes>
struct SparseVector {
  typedef float type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

template <int kVectors>
MIXGRAD_TARGET_BASELINE_VECTORS void sparse_rows_baseline(const SparseRows& r) {
  using V = typename SparseVector<16>::type;
  for (int64_t i = 0; i < r.rows; ++i) {
    const float* a = r.a + i * r.a_row;
    V* c = reinterpret_cast<V*>(r.c + i * r.c_row);
    V sum[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) sum[v] = r.add ? c[v] : V{};
    for (uint64_t left = r.masks[i]; left; left &= left - 1) {
      const int p = __builtin_ctzll(left);
      const float x = a[p];
      const V* b = reinterpret_cast<const V*>(r.b) + p * kVectors;
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sum[v] += x * b[v];
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) c[v] = sum[v];
  }
}

#if MIXGRAD_X86
template <int kVectors>
MIXGRAD_TARGET_AVX2 void sparse_rows_avx2(const SparseRows& r) {
  using V = typename SparseVector<32>::type;
  for (int64_t i = 0; i < r.rows; ++i) {
    const float* a = r.a + i * r.a_row;
    V* c = reinterpret_cast<V*>(r.c + i * r.c_row);
    V sum[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      __builtin_prefetch(r.c + (i + 1) * r.c_row + v * 8, 1);
      sum[v] = r.add ? c[v] : V{};
    }
    for (uint64_t left = r.masks[i]; left; left &= left - 1) {
      const int p = __builtin_ctzll(left);
      const float x = a[p];
      const V* b = reinterpret_cast<const V*>(r.b) + p * kVectors;
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sum[v] += x * b[v];
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) c[v] = sum[v];
  }
}

// C's rows are far apart, where no hardware fetches ahead: the next one is asked for.
template <int kVectors>
MIXGRAD_TARGET_AVX512 void sparse_rows_avx512(const SparseRows& r) {
  using V = typename SparseVector<64>::type;
  for (int64_t i = 0; i < r.rows; ++i) {
    const float* a = r.a + i * r.a_row;
    V* c = reinterpret_cast<V*>(r.c + i * r.c_row);
    V sum[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      __builtin_prefetch(r.c + (i + 1) * r.c_row + v * 16, 1);
      sum[v] = r.add ? c[v] : V{};
    }
    for (uint64_t left = r.masks[i]; left; left &= left - 1) {
      const int p = __builtin_ctzll(left);
      const float x = a[p];
      const V* b = reinterpret_cast<const V*>(r.b) + p * kVectors;
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) sum[v] += x * b[v];
    }
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) c[v] = sum[v];
  }
}
#endif

// A byte per element, then a bit per byte: eight bytes of 0 and 1 become the highest byte of a product.
MIXGRAD_INLINE int64_t sparse_masks_body(const float* a, int64_t a_row, int64_t rows, int64_t steps,
                                         uint64_t* masks) {
  int64_t bits = 0;
  uint8_t other[kSparseSteps] = {};
  for (int64_t i = 0; i < rows; ++i, a += a_row) {
    if (steps == kSparseSteps) {
      for (int64_t p = 0; p < kSparseSteps; ++p) other[p] = a[p] != 0;
    } else {
      for (int64_t p = 0; p < steps; ++p) other[p] = a[p] != 0;
    }
    uint64_t mask = 0;
    for (int q = 0; q < 8; ++q) {
      uint64_t word = 0;
      for (int b = 0; b < 8; ++b) word |= static_cast<uint64_t>(other[q * 8 + b]) << (8 * b);
      mask |= (word * 0x0102040810204080u >> 56) << (8 * q);
    }
    masks[i] = mask;
    bits += __builtin_popcountll(mask);
  }
  return bits;
}

MIXGRAD_INLINE bool sparse_finite_body(const float* values, int64_t n) {
  constexpr uint32_t kExponent = 0x7f800000;
  uint32_t endless = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, values + i, sizeof bits);
    endless |= (bits & kExponent) == kExponent;
  }
  return endless == 0;
}

MIXGRAD_TARGET_BASELINE int64_t sparse_masks_baseline(const float* a, int64_t a_row, int64_t rows,
                                                      int64_t steps, uint64_t* masks) {
  return sparse_masks_body(a, a_row, rows, steps, masks);
}
MIXGRAD_TARGET_BASELINE bool sparse_finite_baseline(const float* values, int64_t n) {
  return sparse_finite_body(values, n);
}
template <int... kIndex>
SparseKernel sparse_table_baseline(std::integer_sequence<int, kIndex...>) {
  return {4, {&sparse_rows_baseline<kIndex + 1>...}, &sparse_masks_baseline, &sparse_finite_baseline};
}
#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 int64_t sparse_masks_avx2(const float* a, int64_t a_row, int64_t rows, int64_t steps,
                                              uint64_t* masks) {
  return sparse_masks_body(a, a_row, rows, steps, masks);
}
MIXGRAD_TARGET_AVX2 bool sparse_finite_avx2(const float* values, int64_t n) {
  return sparse_finite_body(values, n);
}
// Comparisons give bits here.
MIXGRAD_TARGET_AVX512 int64_t sparse_masks_avx512(const float* a, int64_t a_row, int64_t rows, int64_t steps,
                                                  uint64_t* masks) {
  if (steps < kSparseSteps) return sparse_masks_body(a, a_row, rows, steps, masks);
  int64_t bits = 0;
  const __m512 zero = _mm512_setzero_ps();
  for (int64_t i = 0; i < rows; ++i, a += a_row) {
    uint64_t mask = 0;
#pragma GCC unroll 4
    for (int q = 0; q < 4; ++q) {
      const __mmask16 part = _mm512_cmp_ps_mask(_mm512_loadu_ps(a + q * 16), zero, _CMP_NEQ_UQ);
      mask |= static_cast<uint64_t>(part) << (16 * q);
    }
    masks[i] = mask;
    bits += __builtin_popcountll(mask);
  }
  return bits;
}
MIXGRAD_TARGET_AVX512 bool sparse_finite_avx512(const float* values, int64_t n) {
  return sparse_finite_body(values, n);
}
template <int... kIndex>
SparseKernel sparse_table_avx2(std::integer_sequence<int, kIndex...>) {
  return {8, {&sparse_rows_avx2<kIndex + 1>...}, &sparse_masks_avx2, &sparse_finite_avx2};
}
template <int... kIndex>
SparseKernel sparse_table_avx512(std::integer_sequence<int, kIndex...>) {
  return {16, {&sparse_rows_avx512<kIndex + 1>...}, &sparse_masks_avx512, &sparse_finite_avx512};
}
#endif

}  // namespace

const SparseKernel& sparse_kernel() {
  using Indices = std::make_integer_sequence<int, kSparseVectors>;
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) {
    static const SparseKernel avx512 = sparse_table_avx512(Indices());
    return avx512;
  }
  if (best_isa() == Isa::avx2) {
    static const SparseKernel avx2 = sparse_table_avx2(Indices());
    return avx2;
  }
#endif
  static const SparseKernel baseline = sparse_table_baseline(Indices());
  return baseline;
}

}  // namespace mixgrad
