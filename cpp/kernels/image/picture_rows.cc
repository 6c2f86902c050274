#include "kernels/image/picture_rows.h"

#include <algorithm>
#include <cmath>

#include "base/cpu.h"

#if MIXGRAD_X86
#include <immintrin.h>
// Without fused products: (x - mean) * factor + bias is rounded twice, as without vectors.
#define MIXGRAD_TARGET_ROWS __attribute__((target("avx2")))
#endif

namespace mixgrad::picture {
namespace {

constexpr int kWeightOne = 2048;

// Left neighbours and weights along one axis; pixels beyond the border are those of the border.
struct LinearPlace {
  int64_t from;
  int16_t left, right;
};
LinearPlace linear_place(int64_t at, double step, int64_t extent, bool clamp) {
  float part = static_cast<float>((static_cast<double>(at) + 0.5) * step - 0.5);
  auto from = static_cast<int64_t>(std::floor(part));
  part -= static_cast<float>(from);
  if (clamp && from < 0) from = 0, part = 0;
  if (clamp && from >= extent - 1) from = extent - 1, part = 0;
  const auto weight = [](float w) { return static_cast<int16_t>(std::nearbyint(w * kWeightOne)); };
  return {from, weight(1 - part), weight(part)};
}

void widen_plain(const uint8_t* row, const int32_t* offsets, const int16_t* weights, int64_t count,
                 int64_t channels, int16_t* out) {
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t* const x = row + offsets[i];
    for (int64_t c = 0; c < channels; ++c)
      *out++ = static_cast<int16_t>((x[c] * weights[2 * i] + x[c + channels] * weights[2 * i + 1]) >> 4);
  }
}

void blend_plain(const int16_t* a, const int16_t* b, int16_t left, int16_t right, int64_t n, uint8_t* out) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = static_cast<uint8_t>((((left * a[i]) >> 16) + ((right * b[i]) >> 16) + 2) >> 2);
}

#if MIXGRAD_X86
inline constexpr char kNone = -1;  // gives a zero

// Two pixels of three channels at a time: neighbours side by side, products added in pairs.
MIXGRAD_TARGET_ROWS void widen_three(const uint8_t* row, const int32_t* offsets, const int16_t* weights,
                                     int64_t count, int16_t* out) {
  const __m128i spread = _mm_setr_epi8(0, kNone, 3, kNone, 1, kNone, 4, kNone, 2, kNone, 5, kNone, kNone,
                                       kNone, kNone, kNone);
  // Lanes 0, 1, 2 of each half to six numbers in a row.
  const __m256i pack = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone,
                                        kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, 0, 1, 4, 5, 8,
                                        9, kNone, kNone, kNone, kNone);
  int64_t i = 0;
  for (; i + 2 <= count; i += 2) {
    const __m128i a = _mm_shuffle_epi8(
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + offsets[i])), spread);
    const __m128i b = _mm_shuffle_epi8(
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + offsets[i + 1])), spread);
    const __m128i w = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(weights + 2 * i));
    const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
    const __m256i factors = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_shuffle_epi32(w, 0x00)),
                                                    _mm_shuffle_epi32(w, 0x55), 1);
    const __m256i sums = _mm256_srai_epi32(_mm256_madd_epi16(both, factors), 4);
    const __m256i halves = _mm256_shuffle_epi8(sums, pack);
    const __m128i six = _mm_or_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 3 * i), six);
  }
  widen_plain(row, offsets + i, weights + 2 * i, count - i, 3, out + 3 * i);
}

MIXGRAD_TARGET_ROWS void blend_vectors(const int16_t* a, const int16_t* b, int16_t left, int16_t right,
                                       int64_t n, uint8_t* out) {
  const __m256i wa = _mm256_set1_epi16(left), wb = _mm256_set1_epi16(right), two = _mm256_set1_epi16(2);
  const auto sixteen = [&](int64_t i) MIXGRAD_TARGET_ROWS {
    const __m256i x = _mm256_mulhi_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i)), wa);
    const __m256i y = _mm256_mulhi_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + i)), wb);
    return _mm256_srai_epi16(_mm256_add_epi16(_mm256_add_epi16(x, y), two), 2);
  };
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i packed = _mm256_packus_epi16(sixteen(i), sixteen(i + 16));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_permute4x64_epi64(packed, 0xd8));
  }
  blend_plain(a + i, b + i, left, right, n - i, out + i);
}

// Eight pixels of three channels: channel c of them, in order or from the last to the first.
struct EightOfThree {
  __m128i low[3], high[3];  // of the first 16 bytes, and of those from the ninth on
  explicit EightOfThree(bool mirrored) {
    for (int c = 0; c < 3; ++c) {
      alignas(16) char first[16], second[16];
      for (int i = 0; i < 16; ++i) first[i] = second[i] = kNone;
      for (int i = 0; i < 8; ++i) {
        const int from = 3 * i + c, to = mirrored ? 7 - i : i;
        if (from < 16)
          first[to] = static_cast<char>(from);
        else
          second[to] = static_cast<char>(from - 8);
      }
      low[c] = _mm_load_si128(reinterpret_cast<const __m128i*>(first));
      high[c] = _mm_load_si128(reinterpret_cast<const __m128i*>(second));
    }
  }
  MIXGRAD_TARGET_ROWS __m128i take(__m128i first, __m128i second, int c) const {
    return _mm_or_si128(_mm_shuffle_epi8(first, low[c]), _mm_shuffle_epi8(second, high[c]));
  }
};

MIXGRAD_TARGET_ROWS int64_t store_three_floats(const uint8_t* row, int64_t width, bool mirrored,
                                               const Scaling& scaling, float* out, int64_t plane) {
  const EightOfThree eight(mirrored);
  __m256 mean[3], factor[3], bias[3];
  for (int c = 0; c < 3; ++c) {
    mean[c] = _mm256_set1_ps(scaling.mean[c]);
    factor[c] = _mm256_set1_ps(scaling.factor[c]);
    bias[c] = _mm256_set1_ps(scaling.bias[c]);
  }
  int64_t i = 0;
  for (; i + 8 <= width; i += 8) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 3 * i));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 3 * i + 8));
    const int64_t to = mirrored ? width - 8 - i : i;
    for (int c = 0; c < 3; ++c) {
      const __m256 x = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight.take(first, second, c)));
      const __m256 y = _mm256_add_ps(_mm256_mul_ps(_mm256_sub_ps(x, mean[c]), factor[c]), bias[c]);
      _mm256_storeu_ps(out + c * plane + to, y);
    }
  }
  return i;
}

MIXGRAD_TARGET_ROWS int64_t store_three_bytes(const uint8_t* row, int64_t width, bool mirrored, uint8_t* out,
                                              int64_t plane) {
  const EightOfThree eight(mirrored);
  int64_t i = 0;
  for (; i + 8 <= width; i += 8) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 3 * i));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + 3 * i + 8));
    const int64_t to = mirrored ? width - 8 - i : i;
    for (int c = 0; c < 3; ++c)
      _mm_storel_epi64(reinterpret_cast<__m128i*>(out + c * plane + to), eight.take(first, second, c));
  }
  return i;
}
#endif

// Pixels [begin, width) one by one.
template <class T, class Fn>
void store_plain(const uint8_t* row, int64_t begin, int64_t width, int64_t channels, bool mirrored, T* out,
                 int64_t plane, const Fn& value) {
  for (int64_t c = 0; c < channels; ++c) {
    T* const to = out + c * plane;
    for (int64_t i = begin; i < width; ++i)
      to[mirrored ? width - 1 - i : i] = value(row[i * channels + c], c, i);
  }
}

// Rounded after the product, as without fused ones.
[[gnu::noinline]] float scaled_product(float x, float factor) { return x * factor; }

}  // namespace

LinearRows::LinearRows(const Pixels& from, int64_t width, int64_t height, int64_t first, int64_t count)
    : from_(from),
      row_step_(static_cast<double>(from.height) / static_cast<double>(height)),
      count_(count),
      offsets_(static_cast<size_t>(count)),
      weights_(static_cast<size_t>(2 * count + 2)) {
  const double step = static_cast<double>(from.width) / static_cast<double>(width);
  for (int64_t i = 0; i < count; ++i) {
    const LinearPlace place = linear_place(first + i, step, from.width, true);
    const auto at = static_cast<size_t>(i);
    offsets_[at] = static_cast<int32_t>(place.from * from.channels);
    weights_[2 * at] = place.left;
    weights_[2 * at + 1] = place.right;
  }
  for (Scratch& wide : wide_) wide = Scratch::of<int16_t>(count * from.channels + 32);
}

const int16_t* LinearRows::wide_row(int64_t source_row) {
  for (int i = 0; i < 2; ++i) {
    if (held_[i] == source_row) {
      next_ = 1 - i;
      return wide_[i].as<int16_t>();
    }
  }
  const int to = next_;
  next_ = 1 - to;
  held_[to] = source_row;
  auto* const out = wide_[to].as<int16_t>();
  const uint8_t* const row = from_.data + source_row * from_.stride;
#if MIXGRAD_X86
  if (from_.channels == 3 && best_isa() != Isa::baseline) {
    widen_three(row, offsets_.data(), weights_.data(), count_, out);
    return out;
  }
#endif
  widen_plain(row, offsets_.data(), weights_.data(), count_, from_.channels, out);
  return out;
}

void LinearRows::row(int64_t y, uint8_t* out) {
  const LinearPlace place = linear_place(y, row_step_, from_.height, false);
  const int64_t last = from_.height - 1;
  const int16_t* const a = wide_row(std::clamp<int64_t>(place.from, 0, last));
  const int16_t* const b = wide_row(std::clamp<int64_t>(place.from + 1, 0, last));
  const int64_t n = count_ * from_.channels;
#if MIXGRAD_X86
  if (best_isa() != Isa::baseline) return blend_vectors(a, b, place.left, place.right, n, out);
#endif
  blend_plain(a, b, place.left, place.right, n, out);
}

void store_bytes(const uint8_t* row, int64_t width, int64_t channels, bool mirrored, uint8_t* out,
                 int64_t plane) {
  int64_t begin = 0;
#if MIXGRAD_X86
  if (channels == 3 && best_isa() != Isa::baseline)
    begin = store_three_bytes(row, width, mirrored, out, plane);
#endif
  store_plain(row, begin, width, channels, mirrored, out, plane,
              [](uint8_t x, int64_t, int64_t) { return x; });
}

void store_floats(const uint8_t* row, int64_t width, int64_t channels, bool mirrored, const Scaling& scaling,
                  float* out, int64_t plane) {
  int64_t begin = 0;
#if MIXGRAD_X86
  if (channels == 3 && !scaling.mean_row && best_isa() != Isa::baseline)
    begin = store_three_floats(row, width, mirrored, scaling, out, plane);
#endif
  store_plain(row, begin, width, channels, mirrored, out, plane, [&](uint8_t x, int64_t c, int64_t i) {
    const float mean = scaling.mean_row ? scaling.mean_row[c * scaling.mean_plane + i] : scaling.mean[c];
    return scaled_product(static_cast<float>(x) - mean, scaling.factor[c]) + scaling.bias[c];
  });
}

void store_signed(const uint8_t* row, int64_t width, int64_t channels, bool mirrored, const Scaling& scaling,
                  int8_t* out, int64_t plane) {
  store_plain(row, 0, width, channels, mirrored, out, plane, [&](uint8_t x, int64_t c, int64_t i) {
    const float mean = scaling.mean_row ? scaling.mean_row[c * scaling.mean_plane + i] : scaling.mean[c];
    return static_cast<int8_t>(std::clamp(static_cast<float>(x) - std::round(mean), -128.0f, 127.0f));
  });
}

}  // namespace mixgrad::picture
