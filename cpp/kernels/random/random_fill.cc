#include "kernels/random/random_fill.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/math/math_exp.h"
#include "kernels/math/math_trig.h"

namespace mixgrad::random_fill {
namespace {

// Words per tile; a tile of doubles has half as many elements. Parts of a tile's words go together into one number or
// pair of numbers, so a tile is always made whole.
constexpr int64_t kFillTile = 1024;

// Signed: what the vector units convert.
inline float fill_signed(uint32_t word) { return static_cast<float>(static_cast<int32_t>(word)); }

// In (0, 1], down to 2^-32, evenly spread.
inline float fill_positive(uint32_t word) { return (fill_signed(word >> 1) + 0.5f) * 0x1p-31f; }

struct FillTurn {
  float sine, cosine;
};

// Sine and cosine of word / 2^32 turns: the nearest quarter turn and a polynomial in the rest.
inline FillTurn fill_turn(uint32_t word) {
  const uint32_t quarter = (word + 0x20000000u) >> 30;
  const float x = fill_signed(word << 2) * (1.5707963267948966f * 0x1p-32f);  // |x| <= pi / 4
  const float s = x * x;
  const float sine = x * (1.0f + s * (-1.6666654611e-1f + s * (8.3321608736e-3f + s * -1.9515295891e-4f)));
  const float cosine =
      1.0f - 0.5f * s +
      s * s * (4.166664568298827e-2f + s * (-1.388731625493765e-3f + s * 2.443315711809948e-5f));
  const bool swap = (quarter & 1) != 0;
  const float a = swap ? cosine : sine, b = swap ? sine : cosine;
  return {(quarter & 2) != 0 ? -a : a, ((quarter + 1) & 2) != 0 ? -b : b};
}

inline double fill_double(uint32_t high, uint32_t low) {  // in [0, 1), 53 bits
  return static_cast<double>(static_cast<int32_t>(high >> 5)) * 0x1p-27 +
         static_cast<double>(static_cast<int32_t>(low >> 6)) * 0x1p-53;
}

template <Standard kWhich>
MIXGRAD_INLINE void fill_tile(const uint32_t* words, float* out) {
  constexpr int64_t kHalf = kFillTile / 2;
  if constexpr (kWhich == Standard::uniform) {
    for (int64_t i = 0; i < kFillTile; ++i) out[i] = fill_signed(words[i] >> 8) * 0x1p-24f;
  } else if constexpr (kWhich == Standard::exponential) {
    for (int64_t i = 0; i < kFillTile; ++i) out[i] = -math::log(fill_positive(words[i]));
  } else {  // Box and Muller 1958: a radius and an angle give two numbers
    for (int64_t i = 0; i < kHalf; ++i) {
      const float radius = std::sqrt(-2.0f * math::log(fill_positive(words[i])));
      const FillTurn turn = fill_turn(words[kHalf + i]);
      out[i] = radius * turn.cosine;
      out[kHalf + i] = radius * turn.sine;
    }
  }
}

template <Standard kWhich>
MIXGRAD_INLINE void fill_tile(const uint32_t* words, double* out) {
  constexpr int64_t kCount = kFillTile / 2, kHalf = kCount / 2;
  if constexpr (kWhich == Standard::uniform) {
    for (int64_t i = 0; i < kCount; ++i) out[i] = fill_double(words[i], words[kCount + i]);
  } else if constexpr (kWhich == Standard::exponential) {
    for (int64_t i = 0; i < kCount; ++i) out[i] = -math::log(1.0 - fill_double(words[i], words[kCount + i]));
  } else {
    for (int64_t i = 0; i < kHalf; ++i) {
      const double radius = std::sqrt(-2.0 * math::log(1.0 - fill_double(words[i], words[kCount + i])));
      const double angle = 6.283185307179586 * fill_double(words[kHalf + i], words[kCount + kHalf + i]);
      out[i] = radius * math::cos(angle);
      out[kHalf + i] = radius * math::sin(angle);
    }
  }
}

// Elements of one row, in place.
template <class T>
MIXGRAD_INLINE void fill_scale(T* x, int64_t n, T offset, T scale, T top) {
  for (int64_t i = 0; i < n; ++i) {
    const T value = offset + scale * x[i];
    x[i] = value > top ? top : value;
  }
}

template <class T>
struct FillLoops {
  void (*tile)(const uint32_t*, T*);
  void (*scale)(T*, int64_t, T, T, T);
};

template <class T, Standard kWhich>
MIXGRAD_TARGET_BASELINE void fill_tile_baseline(const uint32_t* words, T* out) {
  fill_tile<kWhich>(words, out);
}
template <class T>
MIXGRAD_TARGET_BASELINE void fill_scale_baseline(T* x, int64_t n, T offset, T scale, T top) {
  fill_scale(x, n, offset, scale, top);
}
#if MIXGRAD_X86
template <class T, Standard kWhich>
MIXGRAD_TARGET_AVX2 void fill_tile_avx2(const uint32_t* words, T* out) {
  fill_tile<kWhich>(words, out);
}
template <class T>
MIXGRAD_TARGET_AVX2 void fill_scale_avx2(T* x, int64_t n, T offset, T scale, T top) {
  fill_scale(x, n, offset, scale, top);
}
template <class T, Standard kWhich>
MIXGRAD_TARGET_AVX512 void fill_tile_avx512(const uint32_t* words, T* out) {
  fill_tile<kWhich>(words, out);
}
template <class T>
MIXGRAD_TARGET_AVX512 void fill_scale_avx512(T* x, int64_t n, T offset, T scale, T top) {
  fill_scale(x, n, offset, scale, top);
}
#endif

template <class T, Standard kWhich>
FillLoops<T> pick_fill() {
#if MIXGRAD_X86
  if (loop_isa<T>() == Isa::avx512) return {&fill_tile_avx512<T, kWhich>, &fill_scale_avx512<T>};
  if (loop_isa<T>() == Isa::avx2) return {&fill_tile_avx2<T, kWhich>, &fill_scale_avx2<T>};
#endif
  return {&fill_tile_baseline<T, kWhich>, &fill_scale_baseline<T>};
}

template <class T>
FillLoops<T> fill_loops(Standard which) {
  switch (which) {
    case Standard::uniform: return pick_fill<T, Standard::uniform>();
    case Standard::normal: return pick_fill<T, Standard::normal>();
    case Standard::exponential: break;
  }
  return pick_fill<T, Standard::exponential>();
}

char* fill_place(const View& view, int64_t i) {
  return view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype);
}

// Elements [begin, begin + n) of which x holds the standard values.
template <class T>
void fill_scale_rows(const FillLoops<T>& loops, const Rows& rows, int64_t begin, int64_t n, T* x) {
  for (int64_t i = 0; i < n;) {
    const int64_t r = (begin + i) / rows.row;
    const int64_t count = std::min(n - i, (r + 1) * rows.row - (begin + i));
    const T top = rows.top ? static_cast<T>(rows.top[r]) : std::numeric_limits<T>::infinity();
    loops.scale(x + i, count, static_cast<T>(rows.offset[r]), static_cast<T>(rows.scale[r]), top);
    i += count;
  }
}

template <class T>
void fill_all(Standard which, const RandomKey& key, const Rows& rows, const View& out) {
  const FillLoops<T> loops = fill_loops<T>(which);
  constexpr int64_t kElements = kFillTile / (sizeof(T) / 4);
  const int64_t size = out.size(), tiles = (size + kElements - 1) / kElements;
  const bool native = out.dtype == dtype_of<T>();
  parallel_for(tiles, 8, [&](int64_t first, int64_t last) {
    alignas(64) uint32_t words[kFillTile];
    alignas(64) T buffer[kElements];
    for (int64_t t = first; t < last; ++t) {
      const int64_t begin = t * kElements, n = std::min(kElements, size - begin);
      random_words(key, t * kFillTile, kFillTile, words);
      T* x = native && n == kElements ? out.as<T>() + begin : buffer;
      loops.tile(words, x);
      fill_scale_rows(loops, rows, begin, n, x);
      if (x == buffer) convert(buffer, dtype_of<T>(), fill_place(out, begin), out.dtype, n);
    }
  });
}

constexpr int64_t kSampleTile = 256;

}  // namespace

void fill_standard(Standard which, const RandomKey& key, const Rows& rows, const View& out) {
  if (out.dtype == DType::float64) {
    fill_all<double>(which, key, rows, out);
  } else {
    fill_all<float>(which, key, rows, out);
  }
}

double largest_below(double bound, DType dtype) {
  const double down = -std::numeric_limits<double>::infinity();
  if (!std::isfinite(bound)) return bound;
  if (dtype == DType::float64) return std::nextafter(bound, down);
  // Rounding to the dtype moves by at most a part in 2^bits, or by the smallest step near 0.
  double step = std::fabs(bound) * (dtype == DType::bfloat16  ? 0x1p-8
                                    : dtype == DType::float16 ? 0x1p-11
                                                              : 0x1p-24);
  step = std::max(step, dtype == DType::float16 ? 0x1p-24 : 0x1p-133);
  for (double below = bound;; below -= step) {
    uint64_t stored = 0;
    double rounded = 0;
    convert(&below, DType::float64, &stored, dtype, 1);
    convert(&stored, dtype, &rounded, DType::float64, 1);
    if (rounded < bound) return rounded;
  }
}

void fill_samples(SampleFn sample, const RandomKey& key, int64_t row, const double* a, const double* b,
                  const View& out) {
  const int64_t size = out.size(), tiles = (size + kSampleTile - 1) / kSampleTile;
  parallel_for(tiles, 4, [&](int64_t first, int64_t last) {
    alignas(64) uint32_t words[4 * kSampleTile];
    double samples[kSampleTile];
    for (int64_t t = first; t < last; ++t) {
      const int64_t begin = t * kSampleTile, n = std::min(kSampleTile, size - begin);
      random_words(key, 4 * begin, 4 * kSampleTile, words);
      for (int64_t i = 0; i < n;) {
        const int64_t r = (begin + i) / row;
        const int64_t count = std::min(n - i, (r + 1) * row - (begin + i));
        sample(ElementRun(key, words, begin, begin + i, count), a[r], b ? b[r] : 0, samples + i);
        i += count;
      }
      convert(samples, DType::float64, fill_place(out, begin), out.dtype, n);
    }
  });
}

}  // namespace mixgrad::random_fill
