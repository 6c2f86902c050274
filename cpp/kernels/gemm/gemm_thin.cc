#include "kernels/gemm/gemm_thin.h"

#include <algorithm>

#include "base/build.h"
#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/gemm/gemm_dots.h"

namespace mixgrad {
namespace {

constexpr int64_t kThin = 4;
constexpr int64_t kThinGrainBytes = 131072;  // of the large operand, per thread
constexpr int64_t kThinColumns = 64;         // fewer are no run worth reading row by row

// Steps of k taken together, so that the sums are read and written once for all of them.
constexpr int64_t kTogether = 8;

// sums[j] += x[0] * rows[j] + ... + x[7] * rows[7 * stride + j].
template <class T>
MIXGRAD_INLINE void thin_rows(const T* rows, int64_t stride, const T* x, int64_t n, T* sums) {
  MIXGRAD_VECTORIZE
  for (int64_t j = 0; j < n; ++j) {
    const T low = (x[0] * rows[j] + x[1] * rows[stride + j]) +
                  (x[2] * rows[2 * stride + j] + x[3] * rows[3 * stride + j]);
    const T high = (x[4] * rows[4 * stride + j] + x[5] * rows[5 * stride + j]) +
                   (x[6] * rows[6 * stride + j] + x[7] * rows[7 * stride + j]);
    sums[j] += low + high;
  }
}
template <class T>
MIXGRAD_TARGET_BASELINE void thin_rows_baseline(const T* rows, int64_t stride, const T* x, int64_t n,
                                                T* sums) {
  thin_rows(rows, stride, x, n, sums);
}
#if MIXGRAD_X86
template <class T>
MIXGRAD_TARGET_AVX2 void thin_rows_avx2(const T* rows, int64_t stride, const T* x, int64_t n, T* sums) {
  thin_rows(rows, stride, x, n, sums);
}
template <class T>
MIXGRAD_TARGET_AVX512 void thin_rows_avx512(const T* rows, int64_t stride, const T* x, int64_t n, T* sums) {
  thin_rows(rows, stride, x, n, sums);
}
#endif

// One row times a matrix whose rows are contiguous: the matrix is read once, in long runs.
template <class T>
void row_times_matrix(const Gemm& g, T* result) {
  constexpr int64_t kRun = 1024;  // columns whose sums and eight rows stay in the first-level cache
  const T *a = static_cast<const T*>(g.a), *b = static_cast<const T*>(g.b);
  const int64_t a_step = g.transpose_a ? g.lda : 1;
  auto add_rows = thin_rows_baseline<T>;
#if MIXGRAD_X86
  if (product_isa<T>() == Isa::avx2) add_rows = thin_rows_avx2<T>;
  if (product_isa<T>() == Isa::avx512) add_rows = thin_rows_avx512<T>;
#endif
  const int64_t column_bytes = (g.k + 1) * static_cast<int64_t>(sizeof(T));
  parallel_for(g.n, std::max(kThinColumns, kThinGrainBytes / column_bytes), [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; j += kRun) {
      const int64_t run = std::min(kRun, end - j);
      T* sums = result + j;
      std::fill_n(sums, run, T(0));
      for (int64_t p = 0; p < g.k; p += kTogether) {
        const T* rows = b + p * g.ldb + j;
        const int64_t steps = std::min(kTogether, g.k - p);
        T x[kTogether];
        for (int64_t s = 0; s < steps; ++s) x[s] = static_cast<T>(g.alpha) * a[(p + s) * a_step];
        if (steps == kTogether) {
          add_rows(rows, g.ldb, x, run, sums);
        } else {
          for (int64_t s = 0; s < steps; ++s) {
            for (int64_t c = 0; c < run; ++c) sums[c] += x[s] * rows[s * g.ldb + c];
          }
        }
      }
    }
  });
}

// Files cut to networks have convolutions and layers of transposed weights: no loop of its own for the rest.
bool is_row_times_matrix(const Gemm& g) {
  return kAllLoops && g.m == 1 && !g.transpose_b && g.ldb != 1 && g.n >= kThinColumns;
}

}  // namespace

bool gemm_is_thin(DType dtype, const Gemm& g) {
  if (is_half(dtype)) return false;
  if (is_row_times_matrix(g)) return true;
  const bool a_runs = !g.transpose_a || g.lda == 1, b_runs = g.transpose_b || g.ldb == 1;
  return a_runs && b_runs && (g.m <= kThin || g.n <= kThin);
}

template <class T>
void gemm_thin(const Gemm& g, T* result) {
  if (is_row_times_matrix(g)) return row_times_matrix(g, result);
  const T *a = static_cast<const T*>(g.a), *b = static_cast<const T*>(g.b);
  // A transposed column of stride 1 is a row; its rows then lie 1 apart only when there is one of them.
  const int64_t a_row = g.transpose_a ? 1 : g.lda, b_row = g.transpose_b ? g.ldb : 1;
  const bool many_rows = g.m > g.n;
  const int64_t count = many_rows ? g.m : g.n, few = many_rows ? g.n : g.m;
  const int64_t row_bytes = (g.k + 1) * static_cast<int64_t>(sizeof(T));
  // Rows of the large operand, each times the few of the other.
  const T *large = many_rows ? a : b, *small = many_rows ? b : a;
  const int64_t large_row = many_rows ? a_row : b_row, small_row = many_rows ? b_row : a_row;
  const int64_t large_step = many_rows ? g.n : 1, small_step = many_rows ? 1 : g.n;
  const Dots<T> dots = gemm_dots<T>();
  parallel_for(count, kThinGrainBytes / row_bytes + 1, [&](int64_t begin, int64_t end) {
    for (int64_t x = begin, taken = 0; x < end; x += taken) {
      taken = x + kDotRows <= end ? kDotRows : 1;
      for (int64_t y = 0; y < few; ++y) {
        T sums[kDotRows];
        (taken > 1 ? dots.rows : dots.one)(small + y * small_row, large + x * large_row, large_row, g.k,
                                           sums);
        for (int64_t i = 0; i < taken; ++i) {
          result[(x + i) * large_step + y * small_step] = static_cast<T>(g.alpha) * sums[i];
        }
      }
    }
  });
}

template void gemm_thin<float>(const Gemm&, float*);
template void gemm_thin<double>(const Gemm&, double*);

}  // namespace mixgrad
