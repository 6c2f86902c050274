#include "kernels/convolution/conv_tile.h"

#include <algorithm>
#include <utility>

#include "base/cpu.h"

// The three functions below differ in their target and vector width only. They are written out because GCC splits
// wide vectors before it inlines, so a shared inline body would be compiled for the baseline. With AVX three
// rows share a pointer, because an address holds one register times 0, 1 or 2 beside it: fourteen rows need five
// pointers. With kAny they compute up to kRows rows, the last one as often as it takes to fill the tile.

namespace mixgrad::conv_tile {
namespace {

// Products ahead for which weights are asked, where the caller has nothing else to ask for.
[[maybe_unused]] constexpr int kAhead = 32;

template <int kBytes>
struct TileVector {
  typedef float type __attribute__((vector_size(kBytes), aligned(4), may_alias));
};

// Row i of a tile.
template <int kRows, bool kAny>
struct Lines {
  int last;
  explicit Lines(int rows) : last(kAny ? rows - 1 : kRows) {}
  int64_t operator()(int i) const { return kAny && i > last ? last : i; }
};

template <int kRows, bool kAny>
MIXGRAD_TARGET_BASELINE_VECTORS void conv_tile_baseline(const Tile& t, int rows) {
  using V = TileVector<16>::type;
  constexpr int kLanes = 4;
  const Lines<kRows, kAny> line(rows);
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
    for (int i = 0; i < kRows; ++i) a[i] = t.a + t.offset[s] + line(i) * row;
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
      sum[i][0] += *reinterpret_cast<const V*>(t.residual[0] + line(i) * t.c_row);
      sum[i][1] += *reinterpret_cast<const V*>(t.residual[1] + line(i) * t.c_row);
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
    *reinterpret_cast<V*>(t.c[0] + line(i) * t.c_row) = sum[i][0];
    *reinterpret_cast<V*>(t.c[1] + line(i) * t.c_row) = sum[i][1];
  }
}

#if MIXGRAD_X86
template <int kRows, bool kAny>
MIXGRAD_TARGET_AVX2 void conv_tile_avx2(const Tile& t, int rows) {
  using V = TileVector<32>::type;
  constexpr int kLanes = 8, kPart = kAny ? 1 : 3, kBases = (kRows + kPart - 1) / kPart;
  const Lines<kRows, kAny> line(rows);
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
    __builtin_prefetch(t.c[0] + line(i) * t.c_row, 1);
    __builtin_prefetch(t.c[1] + line(i) * t.c_row, 1);
  }
  if (t.residual[0]) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      __builtin_prefetch(t.residual[0] + line(i) * t.c_row);
      __builtin_prefetch(t.residual[1] + line(i) * t.c_row);
    }
  }
  for (int64_t s = 0; s < t.steps; ++s) {
    const float* a[kBases];
#pragma GCC unroll 16
    for (int i = 0; i < kBases; ++i) a[i] = t.a + t.offset[s] + line(kPart * i) * row;
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
        const float x = a[i / kPart][i % kPart * row];
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
      sum[i][0] += *reinterpret_cast<const V*>(t.residual[0] + line(i) * t.c_row);
      sum[i][1] += *reinterpret_cast<const V*>(t.residual[1] + line(i) * t.c_row);
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
    *reinterpret_cast<V*>(t.c[0] + line(i) * t.c_row) = sum[i][0];
    *reinterpret_cast<V*>(t.c[1] + line(i) * t.c_row) = sum[i][1];
  }
}

template <int kRows, bool kAny>
MIXGRAD_TARGET_AVX512 void conv_tile_avx512(const Tile& t, int rows) {
  using V = TileVector<64>::type;
  constexpr int kLanes = 16, kPart = kAny ? 1 : 3, kBases = (kRows + kPart - 1) / kPart;
  const Lines<kRows, kAny> line(rows);
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
    __builtin_prefetch(t.c[0] + line(i) * t.c_row, 1);
    __builtin_prefetch(t.c[1] + line(i) * t.c_row, 1);
  }
  if (t.residual[0]) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      __builtin_prefetch(t.residual[0] + line(i) * t.c_row);
      __builtin_prefetch(t.residual[1] + line(i) * t.c_row);
    }
  }
  for (int64_t s = 0; s < t.steps; ++s) {
    const float* a[kBases];
#pragma GCC unroll 16
    for (int i = 0; i < kBases; ++i) a[i] = t.a + t.offset[s] + line(kPart * i) * row;
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
        const float x = a[i / kPart][i % kPart * row];
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
      sum[i][0] += *reinterpret_cast<const V*>(t.residual[0] + line(i) * t.c_row);
      sum[i][1] += *reinterpret_cast<const V*>(t.residual[1] + line(i) * t.c_row);
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
    *reinterpret_cast<V*>(t.c[0] + line(i) * t.c_row) = sum[i][0];
    *reinterpret_cast<V*>(t.c[1] + line(i) * t.c_row) = sum[i][1];
  }
}
#endif

// The functions above as templates that can be handed on.
struct TileBaseline {
  static constexpr int kMostRows = kBaselineRows, kCols = 8;
  template <int kRows, bool kAny>
  static constexpr Kernel::Fn tile() {
    return &conv_tile_baseline<kRows, kAny>;
  }
};
#if MIXGRAD_X86
struct TileAvx2 {
  static constexpr int kMostRows = 6, kCols = 16;
  template <int kRows, bool kAny>
  static constexpr Kernel::Fn tile() {
    return &conv_tile_avx2<kRows, kAny>;
  }
};
struct TileAvx512 {
  static constexpr int kMostRows = 14, kCols = 32;
  template <int kRows, bool kAny>
  static constexpr Kernel::Fn tile() {
    return &conv_tile_avx512<kRows, kAny>;
  }
};
#endif

template <class Tiles, int... kRow>
Kernel tile_table(std::integer_sequence<int, kRow...>) {
  return {Tiles::kMostRows, Tiles::kCols, {Tiles::template tile<kRow + 1, false>()...}};
}
template <class Tiles>
Kernel tile_table() {
  if constexpr (kAllLoops) {
    return tile_table<Tiles>(std::make_integer_sequence<int, Tiles::kMostRows>());
  } else {
    constexpr int kMost = Tiles::kMostRows, kFew = std::min(kMost, kFewRows);
    return {kMost,
            Tiles::kCols,
            {Tiles::template tile<kMost, kMost == kFew>(), Tiles::template tile<kFew, true>()}};
  }
}

}  // namespace

Kernel kernel() {
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return tile_table<TileAvx512>();
  if (best_isa() == Isa::avx2) return tile_table<TileAvx2>();
#endif
  return tile_table<TileBaseline>();
}

void Kernel::run_parts(const Tile& tile, int64_t count) const {
  Tile part = tile;
  part.ahead = false;
  const int few = std::min(rows, kFewRows);
  for (int64_t left = count; left > 0; left -= few) {
    fn[1](part, static_cast<int>(std::min<int64_t>(few, left)));
    part.a += few * tile.a_row;
    for (int half = 0; half < 2; ++half) {
      part.c[half] += few * tile.c_row;
      if (part.residual[half]) part.residual[half] += few * tile.c_row;
    }
  }
}

}  // namespace mixgrad::conv_tile
