#include "kernels/linalg/csr.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"

namespace mixgrad {
namespace {

constexpr int64_t kGrain = 1 << 15;  // multiplications worth a thread
constexpr int64_t kRowsAhead = 8;    // elements whose row of the dense matrix is asked for early

// Sums of kWidth neighbouring columns of one row, which stay in registers.
template <class T, int kWidth>
MIXGRAD_INLINE void add_up(const T* values, const int64_t* indices, int64_t count, const T* dense,
                           int64_t width, T* out) {
  T sums[kWidth] = {};
  int64_t k = 0;
  for (; k + kRowsAhead < count; ++k) {
    __builtin_prefetch(dense + indices[k + kRowsAhead] * width);
    const T* const row = dense + indices[k] * width;
    MIXGRAD_VECTORIZE
    for (int j = 0; j < kWidth; ++j) sums[j] += values[k] * row[j];
  }
  for (; k < count; ++k) {
    const T* const row = dense + indices[k] * width;
    MIXGRAD_VECTORIZE
    for (int j = 0; j < kWidth; ++j) sums[j] += values[k] * row[j];
  }
  for (int j = 0; j < kWidth; ++j) out[j] = sums[j];
}

// One column: four sums, so that no addition waits for the one before.
template <class T>
MIXGRAD_INLINE T add_column(const T* values, const int64_t* indices, int64_t count, const T* dense,
                            int64_t width) {
  T a = 0, b = 0, c = 0, d = 0;
  int64_t k = 0;
  for (; k + 4 <= count; k += 4) {
    a += values[k] * dense[indices[k] * width];
    b += values[k + 1] * dense[indices[k + 1] * width];
    c += values[k + 2] * dense[indices[k + 2] * width];
    d += values[k + 3] * dense[indices[k + 3] * width];
  }
  for (; k < count; ++k) a += values[k] * dense[indices[k] * width];
  return (a + b) + (c + d);
}

template <class T>
MIXGRAD_INLINE void product_rows(const CsrView& m, const T* dense, int64_t width, T* out, int64_t begin,
                                 int64_t end) {
  for (int64_t r = begin; r < end; ++r) {
    const T* const values = static_cast<const T*>(m.values) + m.starts[r];
    const int64_t* const indices = m.indices + m.starts[r];
    const int64_t count = m.starts[r + 1] - m.starts[r];
    T* const to = out + r * width;
    int64_t j = 0;
    for (; j + 64 <= width; j += 64) add_up<T, 64>(values, indices, count, dense + j, width, to + j);
    for (; j + 16 <= width; j += 16) add_up<T, 16>(values, indices, count, dense + j, width, to + j);
    for (; j + 8 <= width; j += 8) add_up<T, 8>(values, indices, count, dense + j, width, to + j);
    for (; j + 4 <= width; j += 4) add_up<T, 4>(values, indices, count, dense + j, width, to + j);
    for (; j < width; ++j) to[j] = add_column(values, indices, count, dense + j, width);
  }
}

// A part of a transposed product: rows of the result from `first` on, `rows` of them, and columns [left, right).
struct Part {
  int64_t first, rows, left, right;
};

// Adds value * from to kWidth columns of the rows of the result that the elements of one row name.
template <class T, int kWidth>
MIXGRAD_INLINE void spread(const T* values, const int64_t* indices, int64_t count, const Part& part,
                           const T* from, int64_t width, T* out) {
  T factors[kWidth];
  for (int j = 0; j < kWidth; ++j) factors[j] = from[j];
  for (int64_t k = 0; k < count; ++k) {
    const int64_t at = indices[k] - part.first;
    if (static_cast<uint64_t>(at) >= static_cast<uint64_t>(part.rows)) continue;
    if (kWidth >= 8 && k + kRowsAhead < count) __builtin_prefetch(out + indices[k + kRowsAhead] * width, 1);
    T* const to = out + indices[k] * width;
    MIXGRAD_VECTORIZE
    for (int j = 0; j < kWidth; ++j) to[j] += values[k] * factors[j];
  }
}

template <class T>
MIXGRAD_INLINE void scatter_part(const CsrView& m, const T* dense, int64_t width, T* out, const Part& part) {
  for (int64_t r = 0; r < m.rows; ++r) {
    const T* const values = static_cast<const T*>(m.values) + m.starts[r];
    const int64_t* const indices = m.indices + m.starts[r];
    const int64_t count = m.starts[r + 1] - m.starts[r];
    const T* const from = dense + r * width;
    int64_t j = part.left;
    for (; j + 64 <= part.right; j += 64)
      spread<T, 64>(values, indices, count, part, from + j, width, out + j);
    for (; j + 16 <= part.right; j += 16)
      spread<T, 16>(values, indices, count, part, from + j, width, out + j);
    for (; j + 8 <= part.right; j += 8) spread<T, 8>(values, indices, count, part, from + j, width, out + j);
    for (; j + 4 <= part.right; j += 4) spread<T, 4>(values, indices, count, part, from + j, width, out + j);
    for (; j < part.right; ++j) spread<T, 1>(values, indices, count, part, from + j, width, out + j);
  }
}

template <class T>
struct Loops {
  void (*rows)(const CsrView&, const T*, int64_t, T*, int64_t, int64_t);
  void (*scatter)(const CsrView&, const T*, int64_t, T*, const Part&);
};

template <class T>
void rows_baseline(const CsrView& m, const T* dense, int64_t width, T* out, int64_t begin, int64_t end) {
  product_rows(m, dense, width, out, begin, end);
}
template <class T>
void scatter_baseline(const CsrView& m, const T* dense, int64_t width, T* out, const Part& part) {
  scatter_part(m, dense, width, out, part);
}
#if MIXGRAD_X86
template <class T>
MIXGRAD_TARGET_AVX2 void rows_avx2(const CsrView& m, const T* dense, int64_t width, T* out, int64_t begin,
                                   int64_t end) {
  product_rows(m, dense, width, out, begin, end);
}
template <class T>
MIXGRAD_TARGET_AVX2 void scatter_avx2(const CsrView& m, const T* dense, int64_t width, T* out,
                                      const Part& part) {
  scatter_part(m, dense, width, out, part);
}
template <class T>
MIXGRAD_TARGET_AVX512 void rows_avx512(const CsrView& m, const T* dense, int64_t width, T* out, int64_t begin,
                                       int64_t end) {
  product_rows(m, dense, width, out, begin, end);
}
template <class T>
MIXGRAD_TARGET_AVX512 void scatter_avx512(const CsrView& m, const T* dense, int64_t width, T* out,
                                          const Part& part) {
  scatter_part(m, dense, width, out, part);
}
#endif

template <class T>
Loops<T> best_loops() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return {&rows_avx512<T>, &scatter_avx512<T>};
  if (best_isa() == Isa::avx2) return {&rows_avx2<T>, &scatter_avx2<T>};
#endif
  return {&rows_baseline<T>, &scatter_baseline<T>};
}

template <class T>
void product(const CsrView& m, const T* dense, int64_t width, T* out) {
  const Loops<T> loops = best_loops<T>();
  const int64_t per_row = m.stored / (m.rows > 0 ? m.rows : 1) + 1;
  parallel_for(m.rows, loop_grain(kGrain, {per_row, width}),
               [&](int64_t begin, int64_t end) { loops.rows(m, dense, width, out, begin, end); });
}

// Element by element into the rows of the result. Threads share its columns, or its rows where it has few columns; each reads all
// elements, whose order is therefore that of every sum.
template <class T>
void transposed_product(const CsrView& m, const T* dense, int64_t width, T* out) {
  constexpr int64_t kStrip =
      64 / static_cast<int64_t>(sizeof(T));  // columns that share no cache line with others
  if (m.columns == 0 || width == 0) return;
  parallel_for(m.columns, loop_grain(1 << 18, {width}), [&](int64_t begin, int64_t end) {
    std::memset(out + begin * width, 0, static_cast<size_t>((end - begin) * width) * sizeof(T));
  });
  const Loops<T> loops = best_loops<T>();
  const int64_t strips = (width + kStrip - 1) / kStrip;
  if (strips > 1) {
    parallel_for(strips, loop_grain(kGrain, {m.stored, kStrip}), [&](int64_t begin, int64_t end) {
      loops.scatter(m, dense, width, out, {0, m.columns, begin * kStrip, std::min(end * kStrip, width)});
    });
    return;
  }
  const int64_t per_column = m.stored / m.columns + 1;
  const int64_t share = (m.columns + num_threads() - 1) / num_threads();
  parallel_for(m.columns, std::max(share, loop_grain(4 * kGrain, {per_column, width})),
               [&](int64_t begin, int64_t end) {
                 loops.scatter(m, dense, width, out, {begin, end - begin, 0, width});
               });
}

template <class T>
void run(const CsrView& m, bool transpose, const void* dense, int64_t width, void* out) {
  const auto* const from = static_cast<const T*>(dense);
  transpose ? transposed_product(m, from, width, static_cast<T*>(out))
            : product(m, from, width, static_cast<T*>(out));
}

// Whether all numbers are at least 0 and below `limit`.
bool all_below(const int64_t* numbers, int64_t count, int64_t limit) {
  std::atomic<bool> fits{true};
  parallel_for(count, 1 << 18, [&](int64_t begin, int64_t end) {
    uint64_t outside = 0;
    for (int64_t k = begin; k < end; ++k)
      outside |= static_cast<uint64_t>(numbers[k]) | static_cast<uint64_t>(limit - 1 - numbers[k]);
    if (outside >> 63) fits.store(false, std::memory_order_relaxed);
  });
  return fits.load();
}

}  // namespace

void check_csr(const CsrView& m, const char* who) {
  bool fits = m.rows == 0 ? m.stored == 0 : m.starts[0] == 0 && m.starts[m.rows] == m.stored;
  for (int64_t r = 0; r < m.rows; ++r) fits &= m.starts[r] <= m.starts[r + 1];
  if (!fits) {
    fail(Status::index, "[", who, "] the row starts of a csr matrix of ", m.rows,
         " rows do not ascend from 0 to its number of elements, ", m.stored);
  }
  if (all_below(m.indices, m.stored, m.columns)) return;
  for (int64_t k = 0; k < m.stored; ++k) {
    if (m.indices[k] < 0 || m.indices[k] >= m.columns) {
      fail(Status::index, "[", who, "] element ", k, " of a csr matrix lies in column ", m.indices[k], " of ",
           m.columns);
    }
  }
}

void csr_product(DType dtype, const CsrView& matrix, bool transpose, const void* dense, int64_t width,
                 void* out) {
  switch (dtype) {
    case DType::float64: return run<double>(matrix, transpose, dense, width, out);
    case DType::int32: return run<int32_t>(matrix, transpose, dense, width, out);
    case DType::int64: return run<int64_t>(matrix, transpose, dense, width, out);
    default: return run<float>(matrix, transpose, dense, width, out);
  }
}

std::vector<int64_t> distinct_numbers(const int64_t* numbers, int64_t count, int64_t extent,
                                      int64_t* places) {
  std::vector<int64_t> kept;
  if (extent / 64 <= count) {  // a note per number costs less than sorting
    std::vector<int64_t> notes(static_cast<size_t>(extent), -1);
    for (int64_t k = 0; k < count; ++k) notes[static_cast<size_t>(numbers[k])] = 0;
    for (int64_t n = 0; n < extent; ++n) {
      if (notes[static_cast<size_t>(n)] < 0) continue;
      notes[static_cast<size_t>(n)] = static_cast<int64_t>(kept.size());
      kept.push_back(n);
    }
    for (int64_t k = 0; places && k < count; ++k) places[k] = notes[static_cast<size_t>(numbers[k])];
    return kept;
  }
  kept.assign(numbers, numbers + count);
  if (!std::is_sorted(kept.begin(), kept.end())) std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (int64_t k = 0; places && k < count; ++k)
    places[k] = std::lower_bound(kept.begin(), kept.end(), numbers[k]) - kept.begin();
  return kept;
}

}  // namespace mixgrad
