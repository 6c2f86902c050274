#include "kernels/loops/move.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/cpu.h"

namespace mixgrad {
namespace {

constexpr size_t kShortRow = 512;  // bytes; longer rows go to memcpy
constexpr size_t kLineBytes = 64;
constexpr int64_t kBandLines = 4;    // lines of src side by side: neighbours arrive together
constexpr size_t kVectorBytes = 16;  // every target has vectors of this size

template <size_t kBytes>
inline void copy_bytes(char* dst, const char* src) {
  std::memcpy(dst, src, kBytes);
}

// Whole chunks, and a last one that overlaps them.
template <size_t kBytes>
inline void copy_chunks(char* dst, const char* src, size_t bytes) {
  for (size_t i = 0; i + kBytes < bytes; i += kBytes) copy_bytes<kBytes>(dst + i, src + i);
  copy_bytes<kBytes>(dst + bytes - kBytes, src + bytes - kBytes);
}

inline void copy_short(char* dst, const char* src, size_t bytes) {
  if (bytes >= kVectorBytes) return copy_chunks<kVectorBytes>(dst, src, bytes);
  if (bytes >= 8) return copy_chunks<8>(dst, src, bytes);
  if (bytes >= 4) return copy_chunks<4>(dst, src, bytes);
  for (size_t i = 0; i < bytes; ++i) dst[i] = src[i];
}

template <class T>
void copy_contiguous_rows(const T* src, T* dst, const Plane& p) {
  const size_t bytes = static_cast<size_t>(p.cols) * sizeof(T);
  for (int64_t r = 0; r < p.rows; ++r) {
    auto* to = reinterpret_cast<char*>(dst + r * p.dst_row);
    const auto* from = reinterpret_cast<const char*>(src + r * p.src_row);
    if (bytes <= kShortRow) {
      copy_short(to, from, bytes);
    } else {
      std::memcpy(to, from, bytes);
    }
  }
}

// Rows with a source step known to the compiler, which then uses vectors.
template <int kStep, class T>
void copy_stepped_rows(const T* __restrict src, T* __restrict dst, const Plane& p) {
  for (int64_t r = 0; r < p.rows; ++r) {
    const T* __restrict from = src + r * p.src_row;
    T* __restrict to = dst + r * p.dst_row;
    for (int64_t c = 0; c < p.cols; ++c) to[c] = from[c * kStep];
  }
}

template <class T, size_t... kLane>
MIXGRAD_INLINE void reverse_lanes(const T* src, T* dst, std::index_sequence<kLane...>) {
  typedef T Vector __attribute__((vector_size(kVectorBytes)));
  Vector v;
  std::memcpy(&v, src, kVectorBytes);
  v = __builtin_shufflevector(v, v, (sizeof...(kLane) - 1 - kLane)...);
  std::memcpy(dst, &v, kVectorBytes);
}

template <class T>
void copy_reversed_rows(const T* src, T* dst, const Plane& p) {
  constexpr int64_t n = kVectorBytes / sizeof(T);
  for (int64_t r = 0; r < p.rows; ++r) {
    const T* from = src + r * p.src_row;
    T* to = dst + r * p.dst_row;
    int64_t c = 0;
    for (; c + n <= p.cols; c += n) reverse_lanes(from - c - n + 1, to + c, std::make_index_sequence<n>());
    for (; c < p.cols; ++c) to[c] = from[-c];
  }
}

template <class T>
void copy_any(const T* src, T* dst, const Plane& p) {
  for (int64_t r = 0; r < p.rows; ++r) {
    const T* from = src + r * p.src_row;
    T* to = dst + r * p.dst_row;
    for (int64_t c = 0; c < p.cols; ++c) to[c * p.dst_col] = from[c * p.src_col];
  }
}

// Few columns, which lie together in dst: images with two to four channels.
template <int kCols, class T>
void copy_narrow(const T* __restrict src, T* __restrict dst, const Plane& p) {
  const int64_t src_row = p.src_row, src_col = p.src_col;
  if (src_row == 1) {
    for (int64_t r = 0; r < p.rows; ++r) {
      for (int c = 0; c < kCols; ++c) dst[r * kCols + c] = src[r + c * src_col];
    }
    return;
  }
  for (int64_t r = 0; r < p.rows; ++r) {
    for (int c = 0; c < kCols; ++c) dst[r * kCols + c] = src[r * src_row + c * src_col];
  }
}

// Few rows, which lie together in src: the way back.
template <int kRows, class T>
void copy_low(const T* __restrict src, T* __restrict dst, const Plane& p) {
  const int64_t dst_row = p.dst_row;
  for (int64_t c = 0; c < p.cols; ++c) {
    for (int r = 0; r < kRows; ++r) dst[r * dst_row + c] = src[c * kRows + r];
  }
}

// A square of N x N items, N to a vector, transposed by log2(N) rounds that interleave vector i with i + N/2.
template <class T, size_t... kHalf, size_t... kLane>
MIXGRAD_INLINE void transpose_square(const T* src, int64_t src_col, T* dst, int64_t dst_row,
                                     std::index_sequence<kHalf...>, std::index_sequence<kLane...>) {
  constexpr size_t n = sizeof...(kLane);
  typedef T Vector __attribute__((vector_size(kVectorBytes)));
  Vector a[n], b[n];
  (std::memcpy(&a[kLane], src + static_cast<int64_t>(kLane) * src_col, kVectorBytes), ...);
  for (size_t round = 1; round < n; round *= 2) {
    ((b[2 * kHalf] = __builtin_shufflevector(a[kHalf], a[kHalf + n / 2], (kLane % 2 * n + kLane / 2)...),
      b[2 * kHalf + 1] =
          __builtin_shufflevector(a[kHalf], a[kHalf + n / 2], (kLane % 2 * n + kLane / 2 + n / 2)...)),
     ...);
    ((a[kLane] = b[kLane]), ...);
  }
  (std::memcpy(dst + static_cast<int64_t>(kLane) * dst_row, &a[kLane], kVectorBytes), ...);
}

// A tile whose sides are one cache line. Lines of src are read whole into a buffer and lines of dst written whole from
// it: where strides are powers of two, lines of one side displace each other long before they are used up.
template <class T>
void transpose_tile(const T* src, int64_t src_col, T* dst, int64_t dst_row) {
  constexpr int64_t side = kLineBytes / sizeof(T), n = kVectorBytes / sizeof(T);
  alignas(kLineBytes) T lines[side * side];
  for (int64_t c = 0; c < side; ++c) {
    const char* line = reinterpret_cast<const char*>(src + c * src_col);
    // Of so many lines far apart the processor does not guess that their neighbours come with the next band.
    __builtin_prefetch(line + kBandLines * kLineBytes);
    copy_bytes<kLineBytes>(reinterpret_cast<char*>(lines + c * side), line);
  }
  for (int64_t r = 0; r < side; r += n) {
    for (int64_t c = 0; c < side; c += n) {
      transpose_square(lines + c * side + r, side, dst + r * dst_row + c, dst_row,
                       std::make_index_sequence<n / 2>(), std::make_index_sequence<n>());
    }
  }
}

// src runs along rows, dst along columns: tiles first, in bands of rows, then what is left at the edges.
template <class T>
void copy_transposed(const T* src, T* dst, const Plane& p) {
  constexpr int64_t side = kLineBytes / sizeof(T);
  const int64_t tile_rows = p.rows / side * side, tile_cols = p.cols / side * side;
  const auto edge = [&](int64_t r0, int64_t r1, int64_t c0, int64_t c1) {
    for (int64_t r = r0; r < r1; ++r) {
      for (int64_t c = c0; c < c1; ++c) dst[r * p.dst_row + c] = src[r + c * p.src_col];
    }
  };
  for (int64_t band = 0; band < tile_rows; band += kBandLines * side) {
    const int64_t band_end = std::min(tile_rows, band + kBandLines * side);
    for (int64_t c = 0; c < tile_cols; c += side) {
      for (int64_t r = band; r < band_end; r += side) {
        transpose_tile(src + r + c * p.src_col, p.src_col, dst + r * p.dst_row + c, p.dst_row);
      }
    }
    edge(band, band_end, tile_cols, p.cols);
  }
  edge(tile_rows, p.rows, 0, p.cols);
}

template <class T>
void copy_plane_items(const T* src, T* dst, const Plane& p) {
  if (p.dst_col != 1) return copy_any(src, dst, p);
  if (p.dst_row == p.cols) {
    if (p.cols == 2) return copy_narrow<2>(src, dst, p);
    if (p.cols == 3) return copy_narrow<3>(src, dst, p);
    if (p.cols == 4 && p.src_col != 1) return copy_narrow<4>(src, dst, p);
  }
  if (p.src_col == 1) return copy_contiguous_rows(src, dst, p);
  if (p.src_col == 0) {
    for (int64_t r = 0; r < p.rows; ++r) std::fill_n(dst + r * p.dst_row, p.cols, src[r * p.src_row]);
    return;
  }
  if (p.src_row == 1 && p.rows > 1) {
    if (p.rows == 2 && p.src_col == 2) return copy_low<2>(src, dst, p);
    if (p.rows == 3 && p.src_col == 3) return copy_low<3>(src, dst, p);
    if (p.rows == 4 && p.src_col == 4) return copy_low<4>(src, dst, p);
    return copy_transposed(src, dst, p);
  }
  if (p.src_col == -1) return copy_reversed_rows(src, dst, p);
  if (p.src_col == 2) return copy_stepped_rows<2>(src, dst, p);
  copy_any(src, dst, p);
}

// The same for items that compact builds seldom meet.
template <class T>
void copy_seldom(const T* src, T* dst, const Plane& p) {
  for (int64_t r = 0; r < p.rows; ++r) {
    for (int64_t c = 0; c < p.cols; ++c)
      dst[r * p.dst_row + c * p.dst_col] = src[r * p.src_row + c * p.src_col];
  }
}

}  // namespace

void copy_plane(const void* src, void* dst, const Plane& plane, size_t item_size) {
  const auto run = [&](auto item) {
    using T = decltype(item);
    const auto copy = kCompact && sizeof(T) != sizeof(float) ? copy_seldom<T> : copy_plane_items<T>;
    copy(static_cast<const T*>(src), static_cast<T*>(dst), plane);
  };
  switch (item_size) {
    case 1: return run(uint8_t{});
    case 2: return run(uint16_t{});
    case 4: return run(uint32_t{});
    default: return run(uint64_t{});
  }
}

}  // namespace mixgrad
