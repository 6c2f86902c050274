#include "kernels/gemm/gemm_kernel.h"

#include <utility>

#include "base/cpu.h"
#include "kernels/convolution/conv_tile.h"

// The three functions below differ in their target and vector width only. They are written out because GCC splits
// wide vectors before it inlines, so a shared inline body would be compiled for the baseline. The rows of C are
// far apart, where no hardware fetches ahead: they are asked for before the loop over k and used after it.

namespace mixgrad {
namespace {

constexpr int kAhead = 8;  // steps of k by which packed A, from the second-level cache, is asked for

template <class T, int kBytes>
struct GemmVector {
  typedef T type __attribute__((vector_size(kBytes), aligned(sizeof(T)), may_alias));
};

template <class T, int kRows, bool kPacked>
MIXGRAD_TARGET_BASELINE_VECTORS void gemm_tile_baseline(const GemmTile<T>& t, int) {
  using V = typename GemmVector<T, 16>::type;
  constexpr int kLanes = 16 / sizeof(T);
  V sum[kRows][2];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) sum[i][0] = sum[i][1] = V{};
  const T *a = t.a, *b = t.b;
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    __builtin_prefetch(t.c + i * t.c_row, 1);
    __builtin_prefetch(t.c + i * t.c_row + 2 * kLanes - 1, 1);
  }
  for (int64_t p = 0; p < t.k; ++p) {
    if constexpr (kPacked) __builtin_prefetch(a + kAhead * kRows);
    const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
    if constexpr (kBaselineLanes && kPacked && kRows % kLanes == 0) {
      V x[kRows / kLanes];
#pragma GCC unroll 8
      for (int i = 0; i < kRows / kLanes; ++i) x[i] = *reinterpret_cast<const V*>(a + i * kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        sum[i][0] += x[i / kLanes][i % kLanes] * b0;
        sum[i][1] += x[i / kLanes][i % kLanes] * b1;
      }
    } else {
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        const T x = kPacked ? a[i] : a[i * t.a_row];
        sum[i][0] += x * b0;
        sum[i][1] += x * b1;
      }
    }
    a += kPacked ? kRows : t.a_step;
    b += t.b_step;
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    V* c = reinterpret_cast<V*>(t.c + i * t.c_row);
    V* d = reinterpret_cast<V*>(t.c + i * t.c_row + kLanes);
    *c = t.add ? *c + sum[i][0] : sum[i][0];
    *d = t.add ? *d + sum[i][1] : sum[i][1];
  }
}

#if MIXGRAD_X86
template <class T, int kRows, bool kPacked>
MIXGRAD_TARGET_AVX2 void gemm_tile_avx2(const GemmTile<T>& t, int) {
  using V = typename GemmVector<T, 32>::type;
  constexpr int kLanes = 32 / sizeof(T);
  V sum[kRows][2];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) sum[i][0] = sum[i][1] = V{};
  const T *a = t.a, *b = t.b;
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    __builtin_prefetch(t.c + i * t.c_row, 1);
    __builtin_prefetch(t.c + i * t.c_row + 2 * kLanes - 1, 1);
  }
  for (int64_t p = 0; p < t.k; ++p) {
    if constexpr (kPacked) __builtin_prefetch(a + kAhead * kRows);
    const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const T x = kPacked ? a[i] : a[i * t.a_row];
      sum[i][0] += x * b0;
      sum[i][1] += x * b1;
    }
    a += kPacked ? kRows : t.a_step;
    b += t.b_step;
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    V* c = reinterpret_cast<V*>(t.c + i * t.c_row);
    V* d = reinterpret_cast<V*>(t.c + i * t.c_row + kLanes);
    *c = t.add ? *c + sum[i][0] : sum[i][0];
    *d = t.add ? *d + sum[i][1] : sum[i][1];
  }
}

template <class T, int kRows, bool kPacked>
MIXGRAD_TARGET_AVX512 void gemm_tile_avx512(const GemmTile<T>& t, int) {
  using V = typename GemmVector<T, 64>::type;
  constexpr int kLanes = 64 / sizeof(T);
  V sum[kRows][2];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) sum[i][0] = sum[i][1] = V{};
  const T *a = t.a, *b = t.b;
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    __builtin_prefetch(t.c + i * t.c_row, 1);
    __builtin_prefetch(t.c + i * t.c_row + 2 * kLanes - 1, 1);
  }
  for (int64_t p = 0; p < t.k; ++p) {
    if constexpr (kPacked) __builtin_prefetch(a + kAhead * kRows);
    const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const T x = kPacked ? a[i] : a[i * t.a_row];
      sum[i][0] += x * b0;
      sum[i][1] += x * b1;
    }
    a += kPacked ? kRows : t.a_step;
    b += t.b_step;
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    V* c = reinterpret_cast<V*>(t.c + i * t.c_row);
    V* d = reinterpret_cast<V*>(t.c + i * t.c_row + kLanes);
    *c = t.add ? *c + sum[i][0] : sum[i][0];
    *d = t.add ? *d + sum[i][1] : sum[i][1];
  }
}
#endif

// The functions above as templates that can be handed on.
template <class T>
struct GemmBaseline {
  static constexpr int kMostRows = kBaselineRows, kCols = 32 / sizeof(T);
  template <int kRows, bool kPacked>
  static constexpr typename GemmKernel<T>::Fn tile() {
    return &gemm_tile_baseline<T, kRows, kPacked>;
  }
};
#if MIXGRAD_X86
template <class T>
struct GemmAvx2 {
  static constexpr int kMostRows = 6, kCols = 64 / sizeof(T);
  template <int kRows, bool kPacked>
  static constexpr typename GemmKernel<T>::Fn tile() {
    return &gemm_tile_avx2<T, kRows, kPacked>;
  }
};
template <class T>
struct GemmAvx512 {
  static constexpr int kMostRows = 14, kCols = 128 / sizeof(T);
  template <int kRows, bool kPacked>
  static constexpr typename GemmKernel<T>::Fn tile() {
    return &gemm_tile_avx512<T, kRows, kPacked>;
  }
};
#endif

// A tile of several smaller ones, each with a power of two of rows. Rows of a packed panel lie side by side.
template <class T, class Tiles, bool kPacked>
void gemm_tile_parts(const GemmTile<T>& t, int rows) {
  GemmTile<T> part = t;
  if (kPacked) part.a_row = 1, part.a_step = rows;
  while (rows > 0) {
    int power = 1;
    typename GemmKernel<T>::Fn run = Tiles::template tile<1, false>();
    if constexpr (Tiles::kMostRows > 2) {
      if (rows >= 2) power = 2, run = Tiles::template tile<2, false>();
    }
    if constexpr (Tiles::kMostRows > 4) {
      if (rows >= 4) power = 4, run = Tiles::template tile<4, false>();
    }
    if constexpr (Tiles::kMostRows > 8) {
      if (rows >= 8) power = 8, run = Tiles::template tile<8, false>();
    }
    run(part, power);
    rows -= power;
    part.a += power * part.a_row, part.c += power * part.c_row;
  }
}

template <class T, class Tiles, int kRows, bool kPacked>
constexpr typename GemmKernel<T>::Fn gemm_tile_of() {
  constexpr bool kPower = (kRows & (kRows - 1)) == 0;
  if constexpr (!kCompact || kRows == Tiles::kMostRows || (kPower && !kPacked))
    return Tiles::template tile<kRows, kPacked>();
  else
    return &gemm_tile_parts<T, Tiles, kPacked>;
}

template <class T, class Tiles, int... kRow>
GemmKernel<T> gemm_table(std::integer_sequence<int, kRow...>) {
  return {Tiles::kMostRows,
          Tiles::kCols,
          {gemm_tile_of<T, Tiles, kRow + 1, true>()...},
          {gemm_tile_of<T, Tiles, kRow + 1, false>()...}};
}
template <class T, class Tiles>
GemmKernel<T> gemm_table() {
  return gemm_table<T, Tiles>(std::make_integer_sequence<int, Tiles::kMostRows>());
}

}  // namespace

template <class T>
const GemmKernel<T>& gemm_kernel() {
  if constexpr (kGemmByRows<T>) {
    static const GemmKernel<T> by_rows = {conv_tile::kernel().rows, conv_tile::kernel().cols};
    return by_rows;
  } else {
#if MIXGRAD_X86
    if (product_isa<T>() == Isa::avx512) {
      static const GemmKernel<T> avx512 = gemm_table<T, GemmAvx512<T>>();
      return avx512;
    }
    if (product_isa<T>() == Isa::avx2) {
      static const GemmKernel<T> avx2 = gemm_table<T, GemmAvx2<T>>();
      return avx2;
    }
#endif
    static const GemmKernel<T> baseline = gemm_table<T, GemmBaseline<T>>();
    return baseline;
  }
}

template <>
void GemmKernel<float>::run_by_rows(const GemmTile<float>& tile, int64_t count) const {
  constexpr int64_t kStart = 0;
  const float* held = tile.add ? tile.c : nullptr;
  conv_tile::Tile t;
  t.a = tile.a, t.a_row = tile.a_row;
  t.offset = &kStart, t.steps = 1, t.run = tile.k;
  t.b = tile.b, t.bias = nullptr;
  t.c[0] = tile.c, t.c[1] = tile.c + cols / 2, t.c_row = tile.c_row;
  t.residual[0] = held, t.residual[1] = held ? held + cols / 2 : nullptr;
  t.clamp = false;
  conv_tile::kernel().run(t, count);
}

template const GemmKernel<float>& gemm_kernel<float>();
template const GemmKernel<double>& gemm_kernel<double>();

}  // namespace mixgrad
