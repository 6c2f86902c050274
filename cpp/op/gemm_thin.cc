#include "op/gemm_thin.h"

#include "base/parallel.h"

namespace mixgrad {
namespace {

constexpr int64_t kThin = 4;
constexpr int64_t kThinGrainBytes = 131072;  // of the large operand, per thread

template <class T>
struct ThinVector {
  typedef T type __attribute__((vector_size(64), aligned(sizeof(T)), may_alias));
};

// Four chains of vectors hide the latency of additions.
template <class T>
T thin_dot(const T* x, const T* y, int64_t n) {
  using V = typename ThinVector<T>::type;
  constexpr int64_t kLanes = 64 / sizeof(T);
  V sum[2] = {};
  int64_t i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    for (int c = 0; c < 2; ++c) {
      sum[c] +=
          *reinterpret_cast<const V*>(x + i + c * kLanes) * *reinterpret_cast<const V*>(y + i + c * kLanes);
    }
  }
  const V both = sum[0] + sum[1];
  T total = 0;
  for (int64_t lane = 0; lane < kLanes; ++lane) total += both[lane];
  for (; i < n; ++i) total += x[i] * y[i];
  return total;
}

}  // namespace

bool gemm_is_thin(DType dtype, const Gemm& g) {
  if (is_half(dtype)) return false;
  const bool a_runs = !g.transpose_a || g.lda == 1, b_runs = g.transpose_b || g.ldb == 1;
  return a_runs && b_runs && (g.m <= kThin || g.n <= kThin);
}

template <class T>
void gemm_thin(const Gemm& g, T* result) {
  const T *a = static_cast<const T*>(g.a), *b = static_cast<const T*>(g.b);
  // A transposed column of stride 1 is a row; its rows then lie 1 apart only when there is one of them.
  const int64_t a_row = g.transpose_a ? 1 : g.lda, b_row = g.transpose_b ? g.ldb : 1;
  const bool many_rows = g.m > g.n;
  const int64_t count = many_rows ? g.m : g.n, few = many_rows ? g.n : g.m;
  const int64_t row_bytes = (g.k + 1) * static_cast<int64_t>(sizeof(T));
  parallel_for(count, kThinGrainBytes / row_bytes + 1, [&](int64_t begin, int64_t end) {
    for (int64_t x = begin; x < end; ++x) {
      for (int64_t y = 0; y < few; ++y) {
        const int64_t i = many_rows ? x : y, j = many_rows ? y : x;
        result[i * g.n + j] = static_cast<T>(g.alpha) * thin_dot(a + i * a_row, b + j * b_row, g.k);
      }
    }
  });
}

template void gemm_thin<float>(const Gemm&, float*);
template void gemm_thin<double>(const Gemm&, double*);

}  // namespace mixgrad
