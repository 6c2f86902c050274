#include "ops/conv_tile.h"

#include <utility>

#include "base/cpu.h"

// The three functions below differ in their target and vector width only. They are written out because GCC splits
// wide vectors before it inlines, so a shared inline body would be compiled for the baseline. With AVX three
// rows share a pointer, because an address holds one register times 0, 1 or 2 beside it: fourteen rows need five
// pointers.

namespace mixgrad::ops::conv_tile {
namespace {

// Products ahead for which weights are asked, where the caller has nothing else to ask for.
[[maybe_unused]] constexpr int kAhead = 32;

template <int kBytes>
struct TileVector {
  typedef float type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

template <int kRows>
MIXGRAD_BASELINE void conv_tile_baseline(const Tile& t, int) {
  using V = TileVector<16>::type;
  constexpr int kLanes = 4;
  V sum[kRows][2];
  V start[2] = {V{}, V{}};
  if (t.bias) {
    start[0] = *reinterpret_cast<const V*>(t.bias);
    start[1] = *reinterpret_cast<const V*>(t.bias + kLanes);
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) sum[i][0] = start[0], sum[i][1] = start[1];
  const float* b = t.b;
  const int64_t row = t.a_row;
  for (int64_t s = 0; s < t.steps; ++s) {
    const float* a[kRows];
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) a[i] = t.a + t.offset[s] + i * row;
    int64_t p = 0;
    for (; kBaselineLanes && p + kLanes <= t.run; p += kLanes) {
      V x[kRows];
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) x[i] = *reinterpret_cast<const V*>(a[i] + p);
#pragma GCC unroll 4
      for (int j = 0; j < kLanes; ++j) {
        const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
#pragma GCC unroll 16
        for (int i = 0; i < kRows; ++i) {
          sum[i][0] += x[i][j] * b0;
          sum[i][1] += x[i][j] * b1;
        }
        b += 2 * kLanes;
      }
    }
    for (; p < t.run; ++p) {
      const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        sum[i][0] += a[i][p] * b0;
        sum[i][1] += a[i][p] * b1;
      }
      b += 2 * kLanes;
    }
  }
  if (t.residual[0]) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      sum[i][0] += *reinterpret_cast<const V*>(t.residual[0] + i * t.c_row);
      sum[i][1] += *reinterpret_cast<const V*>(t.residual[1] + i * t.c_row);
    }
  }
  if (t.clamp) {
    const V low = t.low - V{}, high = t.high - V{};
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
      for (int j = 0; j < 2; ++j) {
        sum[i][j] = low > sum[i][j] ? low : sum[i][j];
        sum[i][j] = high < sum[i][j] ? high : sum[i][j];
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    *reinterpret_cast<V*>(t.c[0] + i * t.c_row) = sum[i][0];
    *reinterpret_cast<V*>(t.c[1] + i * t.c_row) = sum[i][1];
  }
}

#if MIXGRAD_X86
template <int kRows>
MIXGRAD_TARGET_AVX2 void conv_tile_avx2(const Tile& t, int) {
  using V = TileVector<32>::type;
  constexpr int kLanes = 8, kBases = (kRows + 2) / 3;
  V sum[kRows][2];
  V start[2] = {V{}, V{}};
  if (t.bias) {
    start[0] = *reinterpret_cast<const V*>(t.bias);
    start[1] = *reinterpret_cast<const V*>(t.bias + kLanes);
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) sum[i][0] = start[0], sum[i][1] = start[1];
  const float* b = t.b;
  const int64_t row = t.a_row, ahead_step = t.ahead ? row : 0;
  const float* next = t.next ? t.next : b + kAhead * 2 * kLanes;
  const int64_t next_half = t.next ? t.next_half : kLanes;
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    __builtin_prefetch(t.c[0] + i * t.c_row, 1);
    __builtin_prefetch(t.c[1] + i * t.c_row, 1);
  }
  if (t.residual[0]) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      __builtin_prefetch(t.residual[0] + i * t.c_row);
      __builtin_prefetch(t.residual[1] + i * t.c_row);
    }
  }
  for (int64_t s = 0; s < t.steps; ++s) {
    const float* a[kBases];
#pragma GCC unroll 16
    for (int i = 0; i < kBases; ++i) a[i] = t.a + t.offset[s] + 3 * i * row;
    const float* ahead = a[0] + kRows * ahead_step;
    for (int64_t p = 0; p < t.run; ++p) {
      __builtin_prefetch(ahead);
      __builtin_prefetch(next);
      if constexpr (kLanes == 16) __builtin_prefetch(next + next_half);
      next += 2 * next_half;
      ahead += ahead_step;
      const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        const float x = a[i / 3][i % 3 * row];
        sum[i][0] += x * b0;
        sum[i][1] += x * b1;
      }
#pragma GCC unroll 16
      for (int i = 0; i < kBases; ++i) ++a[i];
      b += 2 * kLanes;
    }
  }
  if (t.residual[0]) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      sum[i][0] += *reinterpret_cast<const V*>(t.residual[0] + i * t.c_row);
      sum[i][1] += *reinterpret_cast<const V*>(t.residual[1] + i * t.c_row);
    }
  }
  if (t.clamp) {
    const V low = t.low - V{}, high = t.high - V{};
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
      for (int j = 0; j < 2; ++j) {
        sum[i][j] = low > sum[i][j] ? low : sum[i][j];
        sum[i][j] = high < sum[i][j] ? high : sum[i][j];
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    *reinterpret_cast<V*>(t.c[0] + i * t.c_row) = sum[i][0];
    *reinterpret_cast<V*>(t.c[1] + i * t.c_row) = sum[i][1];
  }
}

template <int kRows>
MIXGRAD_TARGET_AVX512 void conv_tile_avx512(const Tile& t, int) {
  using V = TileVector<64>::type;
  constexpr int kLanes = 16, kBases = (kRows + 2) / 3;
  V sum[kRows][2];
  V start[2] = {V{}, V{}};
  if (t.bias) {
    start[0] = *reinterpret_cast<const V*>(t.bias);
    start[1] = *reinterpret_cast<const V*>(t.bias + kLanes);
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) sum[i][0] = start[0], sum[i][1] = start[1];
  const float* b = t.b;
  const int64_t row = t.a_row, ahead_step = t.ahead ? row : 0;
  const float* next = t.next ? t.next : b + kAhead * 2 * kLanes;
  const int64_t next_half = t.next ? t.next_half : kLanes;
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    __builtin_prefetch(t.c[0] + i * t.c_row, 1);
    __builtin_prefetch(t.c[1] + i * t.c_row, 1);
  }
  if (t.residual[0]) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      __builtin_prefetch(t.residual[0] + i * t.c_row);
      __builtin_prefetch(t.residual[1] + i * t.c_row);
    }
  }
  for (int64_t s = 0; s < t.steps; ++s) {
    const float* a[kBases];
#pragma GCC unroll 16
    for (int i = 0; i < kBases; ++i) a[i] = t.a + t.offset[s] + 3 * i * row;
    const float* ahead = a[0] + kRows * ahead_step;
    for (int64_t p = 0; p < t.run; ++p) {
      __builtin_prefetch(ahead);
      __builtin_prefetch(next);
      if constexpr (kLanes == 16) __builtin_prefetch(next + next_half);
      next += 2 * next_half;
      ahead += ahead_step;
      const V b0 = *reinterpret_cast<const V*>(b), b1 = *reinterpret_cast<const V*>(b + kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        const float x = a[i / 3][i % 3 * row];
        sum[i][0] += x * b0;
        sum[i][1] += x * b1;
      }
#pragma GCC unroll 16
      for (int i = 0; i < kBases; ++i) ++a[i];
      b += 2 * kLanes;
    }
  }
  if (t.residual[0]) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      sum[i][0] += *reinterpret_cast<const V*>(t.residual[0] + i * t.c_row);
      sum[i][1] += *reinterpret_cast<const V*>(t.residual[1] + i * t.c_row);
    }
  }
  if (t.clamp) {
    const V low = t.low - V{}, high = t.high - V{};
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
      for (int j = 0; j < 2; ++j) {
        sum[i][j] = low > sum[i][j] ? low : sum[i][j];
        sum[i][j] = high < sum[i][j] ? high : sum[i][j];
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    *reinterpret_cast<V*>(t.c[0] + i * t.c_row) = sum[i][0];
    *reinterpret_cast<V*>(t.c[1] + i * t.c_row) = sum[i][1];
  }
}
#endif

// The functions above as templates that can be handed on.
struct TileBaseline {
  static constexpr int kMostRows = kBaselineRows, kCols = 8;
  template <int kRows>
  static constexpr Kernel::Fn tile() {
    return &conv_tile_baseline<kRows>;
  }
};
#if MIXGRAD_X86
struct TileAvx2 {
  static constexpr int kMostRows = 6, kCols = 16;
  template <int kRows>
  static constexpr Kernel::Fn tile() {
    return &conv_tile_avx2<kRows>;
  }
};
struct TileAvx512 {
  static constexpr int kMostRows = 14, kCols = 32;
  template <int kRows>
  static constexpr Kernel::Fn tile() {
    return &conv_tile_avx512<kRows>;
  }
};
#endif

// Which tiles files cut to networks hold. Images of many networks are 7, 14, 28, 56 or 112 pixels wide.
constexpr bool held_alone(int rows, int most) { return rows == most || rows == 7 || rows == 4 || rows == 1; }

// A tile of several smaller ones.
template <class Tiles>
void conv_tile_parts(const Tile& t, int rows) {
  Tile part = t;
  part.ahead = false;
  while (rows > 0) {
    const int count = Tiles::kMostRows > 4 && rows >= 4 ? 4 : 1;
    Kernel::Fn run = Tiles::template tile<1>();
    if constexpr (Tiles::kMostRows > 4) {
      if (count == 4) run = Tiles::template tile<4>();
    }
    run(part, count);
    rows -= count;
    part.a += count * t.a_row;
    for (int half = 0; half < 2; ++half) {
      part.c[half] += count * t.c_row;
      if (part.residual[half]) part.residual[half] += count * t.c_row;
    }
  }
}

template <class Tiles, int kRows>
constexpr Kernel::Fn tile_of() {
  if constexpr (kAllLoops || held_alone(kRows, Tiles::kMostRows))
    return Tiles::template tile<kRows>();
  else
    return &conv_tile_parts<Tiles>;
}

template <class Tiles, int... kRow>
Kernel tile_table(std::integer_sequence<int, kRow...>) {
  return {Tiles::kMostRows, Tiles::kCols, {tile_of<Tiles, kRow + 1>()...}};
}
template <class Tiles>
Kernel tile_table() {
  return tile_table<Tiles>(std::make_integer_sequence<int, Tiles::kMostRows>());
}

}  // namespace

const Kernel& kernel() {
  static const Kernel baseline = tile_table<TileBaseline>();
#if MIXGRAD_X86
  static const Kernel avx2 = tile_table<TileAvx2>();
  static const Kernel avx512 = tile_table<TileAvx512>();
  if (best_isa() == Isa::avx512) return avx512;
  if (best_isa() == Isa::avx2) return avx2;
#endif
  return baseline;
}

}  // namespace mixgrad::ops::conv_tile
