#include "kernels/linalg/csr.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/scratch.h"

namespace mixgrad {
namespace {

constexpr int64_t kGrain = 1 << 15;  // multiplications worth a thread
constexpr int64_t kRowsAhead = 8;    // elements whose row of the dense matrix is asked for early
constexpr int64_t kChecked = 1024;   // elements whose columns are checked at once, in the nearest cache

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

// Rows [begin, end) of the matrix and columns [left, right) of the dense factor.
struct CsrPart {
  int64_t begin, end, left, right;
};

// Whether all numbers are at least 0 and below `limit`.
MIXGRAD_INLINE bool all_below(const int64_t* numbers, int64_t count, int64_t limit) {
  const auto last = static_cast<uint64_t>(limit - 1);
  uint64_t outside = 0;
  for (int64_t k = 0; k < count; ++k) {
    const auto number = static_cast<uint64_t>(numbers[k]);
    outside |= number | (last - number);
  }
  return outside >> 63 == 0;
}

// How many rows hold about kChecked elements. Columns are checked just before their rows are read: a pass over all of them would fetch
// them twice, and a loop per row is entered and left too often where rows are short.
inline int64_t rows_checked(const CsrView& m) {
  return std::max<int64_t>(kChecked / (m.stored / std::max<int64_t>(m.rows, 1) + 1), 1);
}

// False where an element lies outside of the matrix.
template <class T>
MIXGRAD_INLINE bool product_rows(const CsrView& m, const T* dense, int64_t width, T* out,
                                 const CsrPart& part) {
  for (int64_t r = part.begin, checked = r; r < part.end; ++r) {
    if (r == checked) {
      checked = std::min(r + rows_checked(m), part.end);
      if (!all_below(m.indices + m.starts[r], m.starts[checked] - m.starts[r], m.columns)) return false;
    }
    const T* const values = static_cast<const T*>(m.values) + m.starts[r];
    const int64_t* const indices = m.indices + m.starts[r];
    const int64_t count = m.starts[r + 1] - m.starts[r];
    T* const to = out + r * width;
    int64_t j = part.left;
    for (; j + 64 <= part.right; j += 64) add_up<T, 64>(values, indices, count, dense + j, width, to + j);
    for (; j + 16 <= part.right; j += 16) add_up<T, 16>(values, indices, count, dense + j, width, to + j);
    for (; j + 8 <= part.right; j += 8) add_up<T, 8>(values, indices, count, dense + j, width, to + j);
    for (; j + 4 <= part.right; j += 4) add_up<T, 4>(values, indices, count, dense + j, width, to + j);
    for (; j < part.right; ++j) to[j] = add_column(values, indices, count, dense + j, width);
  }
  return true;
}

// Adds value * from to kWidth columns of the rows of the result that the elements of one row name.
template <class T, int kWidth>
MIXGRAD_INLINE void spread(const T* values, const int64_t* indices, int64_t count, const T* from, T* out,
                           int64_t stride) {
  T factors[kWidth];
  for (int j = 0; j < kWidth; ++j) factors[j] = from[j];
  for (int64_t k = 0; k < count; ++k) {
    T* const to = out + indices[k] * stride;
    const T value = values[k];
    T sums[kWidth];
    for (int j = 0; j < kWidth; ++j) sums[j] = to[j] + value * factors[j];
    for (int j = 0; j < kWidth; ++j) to[j] = sums[j];
  }
}

// Adds the part to `tile`, of which a row is `stride` long and begins with column `left`. False as above.
template <class T>
MIXGRAD_INLINE bool scatter_csr(const CsrView& m, const T* dense, int64_t width, T* tile, int64_t stride,
                                const CsrPart& part) {
  const int64_t columns = part.right - part.left;
  for (int64_t r = part.begin, checked = r; r < part.end; ++r) {
    if (r == checked) {
      checked = std::min(r + rows_checked(m), part.end);
      if (!all_below(m.indices + m.starts[r], m.starts[checked] - m.starts[r], m.columns)) return false;
    }
    const T* const values = static_cast<const T*>(m.values) + m.starts[r];
    const int64_t* const indices = m.indices + m.starts[r];
    const int64_t count = m.starts[r + 1] - m.starts[r];
    const T* const from = dense + r * width + part.left;
    int64_t j = 0;
    for (; j + 16 <= columns; j += 16) spread<T, 16>(values, indices, count, from + j, tile + j, stride);
    for (; j + 8 <= columns; j += 8) spread<T, 8>(values, indices, count, from + j, tile + j, stride);
    for (; j + 4 <= columns; j += 4) spread<T, 4>(values, indices, count, from + j, tile + j, stride);
    for (; j < columns; ++j) spread<T, 1>(values, indices, count, from + j, tile + j, stride);
  }
  return true;
}

template <class T>
struct Loops {
  bool (*rows)(const CsrView&, const T*, int64_t, T*, const CsrPart&);
  bool (*scatter)(const CsrView&, const T*, int64_t, T*, int64_t, const CsrPart&);
};

template <class T>
bool rows_baseline(const CsrView& m, const T* dense, int64_t width, T* out, const CsrPart& part) {
  return product_rows(m, dense, width, out, part);
}
template <class T>
bool scatter_baseline(const CsrView& m, const T* dense, int64_t width, T* tile, int64_t stride,
                      const CsrPart& part) {
  return scatter_csr(m, dense, width, tile, stride, part);
}
#if MIXGRAD_X86
template <class T>
MIXGRAD_TARGET_AVX2 bool rows_avx2(const CsrView& m, const T* dense, int64_t width, T* out,
                                   const CsrPart& part) {
  return product_rows(m, dense, width, out, part);
}
template <class T>
MIXGRAD_TARGET_AVX2 bool scatter_avx2(const CsrView& m, const T* dense, int64_t width, T* tile,
                                      int64_t stride, const CsrPart& part) {
  return scatter_csr(m, dense, width, tile, stride, part);
}
template <class T>
MIXGRAD_TARGET_AVX512 bool rows_avx512(const CsrView& m, const T* dense, int64_t width, T* out,
                                       const CsrPart& part) {
  return product_rows(m, dense, width, out, part);
}
template <class T>
MIXGRAD_TARGET_AVX512 bool scatter_avx512(const CsrView& m, const T* dense, int64_t width, T* tile,
                                          int64_t stride, const CsrPart& part) {
  return scatter_csr(m, dense, width, tile, stride, part);
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

// What the parts of a product have found.
class Findings {
 public:
  void note(bool fits) {
    if (!fits) fits_.store(false, std::memory_order_relaxed);
  }
  bool fits() const { return fits_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> fits_{true};
};

template <class T>
bool product(const CsrView& m, const T* dense, int64_t width, T* out) {
  const Loops<T> loops = best_loops<T>();
  const int64_t per_row = m.stored / (m.rows > 0 ? m.rows : 1) + 1;
  Findings findings;
  parallel_for(m.rows, loop_grain(kGrain, {per_row, width}), [&](int64_t begin, int64_t end) {
    findings.note(loops.rows(m, dense, width, out, {begin, end, 0, width}));
  });
  return findings.fits();
}

// A transposed product is scattered into tiles, which hold a strip of the result's columns side by side: the strip of a row is a cache
// line, and a tile of 10,000 rows lies in a core's own cache.
template <class T>
class Scatter {
 public:
  Scatter(const CsrView& m, const T* dense, int64_t width, T* out)
      : m_(m), dense_(dense), width_(width), out_(out), strips_((width + kStrip - 1) / kStrip) {}

  // Narrow results with many elements in each row are summed in blocks of the matrix' rows, for there are no strips to share. How
  // many follows from the extents alone, and so does the order of every sum.
  bool run() {
    if (strips_ < kBlocks) blocks_ = std::min(m_.stored / (kBlocks * m_.columns), kBlocks);
    if (blocks_ > 1)
      by_blocks();
    else if (strips_ > 1 && m_.stored >= m_.columns)
      by_strips();
    else
      in_place();
    return findings_.fits();
  }

 private:
  static constexpr int64_t kStrip = 64 / static_cast<int64_t>(sizeof(T)), kBlocks = 4;

  CsrPart strip(int64_t s) const { return {0, m_.rows, s * kStrip, std::min((s + 1) * kStrip, width_)}; }

  void add(const CsrPart& part, T* tile, int64_t stride) {
    findings_.note(loops_.scatter(m_, dense_, width_, tile, stride, part));
  }

  void in_place() {
    parallel_for(m_.columns, loop_grain(1 << 18, {width_}), [&](int64_t begin, int64_t end) {
      std::memset(out_ + begin * width_, 0, static_cast<size_t>((end - begin) * width_) * sizeof(T));
    });
    parallel_for(strips_, loop_grain(kGrain, {m_.stored, kStrip}), [&](int64_t begin, int64_t end) {
      const int64_t left = begin * kStrip;
      add({0, m_.rows, left, std::min(end * kStrip, width_)}, out_ + left, width_);
    });
  }

  void by_strips() {
    parallel_for(strips_, 1, [&](int64_t begin, int64_t end) {
      ScratchArray<T> tile(static_cast<size_t>(m_.columns * kStrip));
      for (int64_t s = begin; s < end; ++s) {
        if (s > begin) std::fill(tile.begin(), tile.end(), T(0));
        const CsrPart part = strip(s);
        add(part, tile.data(), kStrip);
        for (int64_t c = 0; c < m_.columns; ++c)
          std::copy_n(tile.data() + c * kStrip, part.right - part.left, out_ + c * width_ + part.left);
      }
    });
  }

  void by_blocks() {
    const int64_t size = m_.columns * width_, share = (m_.rows + blocks_ - 1) / blocks_;
    ScratchArray<T> sums(static_cast<size_t>(size * blocks_));
    parallel_for(blocks_ * strips_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t b = unit / strips_;
        CsrPart part = strip(unit % strips_);
        part.begin = std::min(b * share, m_.rows);
        part.end = std::min(part.begin + share, m_.rows);
        add(part, sums.data() + b * size + part.left, width_);
      }
    });
    parallel_for(size, 1 << 16, [&](int64_t begin, int64_t end) {
      std::copy(sums.data() + begin, sums.data() + end, out_ + begin);
      for (int64_t b = 1; b < blocks_; ++b) {
        const T* const from = sums.data() + b * size;
        for (int64_t i = begin; i < end; ++i) out_[i] += from[i];
      }
    });
  }

  const CsrView& m_;
  const T* const dense_;
  const int64_t width_;
  T* const out_;
  const int64_t strips_;
  int64_t blocks_ = 1;
  const Loops<T> loops_ = best_loops<T>();
  Findings findings_;
};

template <class T>
bool run(const CsrView& m, bool transpose, const void* dense, int64_t width, void* out) {
  const auto* const from = static_cast<const T*>(dense);
  auto* const to = static_cast<T*>(out);
  if (transpose && (width == 0 || m.columns == 0)) return all_below(m.indices, m.stored, m.columns);
  return transpose ? Scatter<T>(m, from, width, to).run() : product(m, from, width, to);
}

void check_starts(const CsrView& m, const char* who) {
  bool fits = m.rows == 0 ? m.stored == 0 : m.starts[0] == 0 && m.starts[m.rows] == m.stored;
  for (int64_t r = 0; r < m.rows; ++r) fits &= m.starts[r] <= m.starts[r + 1];
  if (!fits) {
    fail(Status::index, "[", who, "] the row starts of a csr matrix of ", m.rows,
         " rows do not ascend from 0 to its number of elements, ", m.stored);
  }
}

void check_columns(const CsrView& m, const char* who) {
  for (int64_t k = 0; k < m.stored; ++k) {
    if (m.indices[k] < 0 || m.indices[k] >= m.columns) {
      fail(Status::index, "[", who, "] element ", k, " of a csr matrix lies in column ", m.indices[k], " of ",
           m.columns);
    }
  }
}

bool run_dtype(DType dtype, const CsrView& matrix, bool transpose, const void* dense, int64_t width,
               void* out) {
  switch (dtype) {
    case DType::float64: return run<double>(matrix, transpose, dense, width, out);
    case DType::int32: return run<int32_t>(matrix, transpose, dense, width, out);
    case DType::int64: return run<int64_t>(matrix, transpose, dense, width, out);
    default: return run<float>(matrix, transpose, dense, width, out);
  }
}

}  // namespace

void csr_product(const char* who, DType dtype, const CsrView& matrix, bool transpose, const void* dense,
                 int64_t width, void* out) {
  check_starts(matrix, who);
  if (!run_dtype(dtype, matrix, transpose, dense, width, out)) check_columns(matrix, who);
}

std::vector<int64_t> numbers_used(const int64_t* numbers, int64_t count, int64_t extent) {
  if (extent == 0) return {};
  std::vector<char> seen(static_cast<size_t>(extent), 0);
  const auto all_seen = [&] { return std::memchr(seen.data(), 0, seen.size()) == nullptr; };
  const int64_t run = std::max<int64_t>(extent, 4096);
  for (int64_t k = 0; k < count && !all_seen(); k += run) {
    for (int64_t i = k; i < std::min(k + run, count); ++i) {
      if (static_cast<uint64_t>(numbers[i]) < static_cast<uint64_t>(extent))
        seen[static_cast<size_t>(numbers[i])] = 1;
    }
  }
  std::vector<int64_t> used(static_cast<size_t>(extent));
  size_t found = 0;
  for (int64_t n = 0; n < extent; ++n) {
    used[found] = n;
    found += static_cast<size_t>(seen[static_cast<size_t>(n)]);
  }
  used.resize(found);
  return used;
}

std::vector<int64_t> distinct_numbers(const int64_t* numbers, int64_t count, int64_t extent,
                                      int64_t* places) {
  std::vector<int64_t> kept;
  if (extent / 8 <= count) {  // a note per number costs less than sorting
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
