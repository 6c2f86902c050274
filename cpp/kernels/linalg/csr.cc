#include "kernels/linalg/csr.h"

#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"

namespace mixgrad {
namespace {

constexpr int64_t kGrain = 1 << 15;  // multiplications worth a thread
constexpr int64_t kNarrow = 8;  // columns below which a transposed product is not worth sorting the elements

// Sums of kWidth neighbouring columns of one row, which stay in registers.
template <class T, int kWidth>
MIXGRAD_INLINE void add_up(const T* values, const int64_t* indices, int64_t count, const T* dense,
                           int64_t width, T* out) {
  T sums[kWidth] = {};
  for (int64_t k = 0; k < count; ++k) {
    const T* const row = dense + indices[k] * width;
    MIXGRAD_VECTORIZE
    for (int j = 0; j < kWidth; ++j) sums[j] += values[k] * row[j];
  }
  for (int j = 0; j < kWidth; ++j) out[j] = sums[j];
}

template <class T>
MIXGRAD_INLINE void product_rows(const CsrView& m, const T* dense, int64_t width, T* out, int64_t begin,
                                 int64_t end) {
  constexpr int kWide = 256 / sizeof(T), kLess = 64 / sizeof(T);
  for (int64_t r = begin; r < end; ++r) {
    const T* const values = static_cast<const T*>(m.values) + m.starts[r];
    const int64_t* const indices = m.indices + m.starts[r];
    const int64_t count = m.starts[r + 1] - m.starts[r];
    T* const to = out + r * width;
    int64_t j = 0;
    for (; j + kWide <= width; j += kWide) add_up<T, kWide>(values, indices, count, dense + j, width, to + j);
    for (; j + kLess <= width; j += kLess) add_up<T, kLess>(values, indices, count, dense + j, width, to + j);
    for (; j < width; ++j) add_up<T, 1>(values, indices, count, dense + j, width, to + j);
  }
}

template <class T>
using RowsFn = void (*)(const CsrView&, const T*, int64_t, T*, int64_t, int64_t);

template <class T>
void rows_baseline(const CsrView& m, const T* dense, int64_t width, T* out, int64_t begin, int64_t end) {
  product_rows(m, dense, width, out, begin, end);
}
#if MIXGRAD_X86
template <class T>
MIXGRAD_TARGET_AVX2 void rows_avx2(const CsrView& m, const T* dense, int64_t width, T* out, int64_t begin,
                                   int64_t end) {
  product_rows(m, dense, width, out, begin, end);
}
template <class T>
MIXGRAD_TARGET_AVX512 void rows_avx512(const CsrView& m, const T* dense, int64_t width, T* out, int64_t begin,
                                       int64_t end) {
  product_rows(m, dense, width, out, begin, end);
}
#endif

template <class T>
RowsFn<T> best_rows() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return &rows_avx512<T>;
  if (best_isa() == Isa::avx2) return &rows_avx2<T>;
#endif
  return &rows_baseline<T>;
}

template <class T>
void product(const CsrView& m, const T* dense, int64_t width, T* out) {
  const RowsFn<T> rows = best_rows<T>();
  const int64_t per_row = m.stored / (m.rows > 0 ? m.rows : 1) + 1;
  parallel_for(m.rows, loop_grain(kGrain, {per_row, width}),
               [&](int64_t begin, int64_t end) { rows(m, dense, width, out, begin, end); });
}

// Few columns: element by element into the rows of the result.
template <class T>
void scatter(const CsrView& m, const T* dense, int64_t width, T* out) {
  std::memset(out, 0, static_cast<size_t>(m.columns * width) * sizeof(T));
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t k = m.starts[r]; k < m.starts[r + 1]; ++k) {
      const T value = static_cast<const T*>(m.values)[k];
      for (int64_t j = 0; j < width; ++j) out[m.indices[k] * width + j] += value * dense[r * width + j];
    }
  }
}

template <class T>
void transposed_product(const CsrView& m, const T* dense, int64_t width, T* out) {
  if (m.columns == 0 || width == 0) return;
  if (width < kNarrow) return scatter(m, dense, width, out);
  // The elements by column, those of one column in the order of their rows.
  std::vector<int64_t> starts(static_cast<size_t>(m.columns) + 1, 0), rows(static_cast<size_t>(m.stored));
  std::vector<T> values(static_cast<size_t>(m.stored));
  for (int64_t k = 0; k < m.stored; ++k) ++starts[static_cast<size_t>(m.indices[k]) + 1];
  for (size_t c = 1; c < starts.size(); ++c) starts[c] += starts[c - 1];
  std::vector<int64_t> next(starts.begin(), starts.end() - 1);
  for (int64_t r = 0; r < m.rows; ++r) {
    for (int64_t k = m.starts[r]; k < m.starts[r + 1]; ++k) {
      const auto at = static_cast<size_t>(next[static_cast<size_t>(m.indices[k])]++);
      rows[at] = r;
      values[at] = static_cast<const T*>(m.values)[k];
    }
  }
  product({m.columns, m.rows, m.stored, values.data(), rows.data(), starts.data()}, dense, width, out);
}

template <class T>
void run(const CsrView& m, bool transpose, const void* dense, int64_t width, void* out) {
  const auto* const from = static_cast<const T*>(dense);
  transpose ? transposed_product(m, from, width, static_cast<T*>(out))
            : product(m, from, width, static_cast<T*>(out));
}

}  // namespace

void check_csr(const CsrView& m, const char* who) {
  bool fits = m.rows == 0 || (m.starts[0] == 0 && m.starts[m.rows] == m.stored);
  for (int64_t r = 0; r < m.rows; ++r) fits &= m.starts[r] <= m.starts[r + 1];
  if (!fits) {
    fail(Status::index, "[", who, "] the row starts of a csr matrix of ", m.rows,
         " rows do not ascend from 0 to its number of elements, ", m.stored);
  }
  for (int64_t k = 0; k < m.stored; ++k) {
    if (m.indices[k] < 0 || m.indices[k] >= m.columns) {
      fail(Status::index, "[", who, "] element ", k, " of a csr matrix lies in column ", m.indices[k], " of ",
           m.columns);
    }
  }
}

void csr_product(DType dtype, const CsrView& matrix, bool transpose, const void* dense, int64_t width,
                 void* out) {
  dtype == DType::float64 ? run<double>(matrix, transpose, dense, width, out)
                          : run<float>(matrix, transpose, dense, width, out);
}

}  // namespace mixgrad
