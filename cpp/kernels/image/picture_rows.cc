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
                 int64_t channels, int64_t step, int16_t* out) {
  for (int64_t i = 0; i < count; ++i, out += step) {
    const uint8_t* const x = row + offsets[i];
    for (int64_t c = 0; c < channels; ++c)
      out[c] = static_cast<int16_t>((x[c] * weights[2 * i] + x[c + channels] * weights[2 * i + 1]) >> 4);
    for (int64_t c = channels; c < step; ++c) out[c] = 0;
  }
}

void blend_plain(const int16_t* a, const int16_t* b, int16_t left, int16_t right, int64_t n, uint8_t* out) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = static_cast<uint8_t>((((left * a[i]) >> 16) + ((right * b[i]) >> 16) + 2) >> 2);
}

#if MIXGRAD_X86
inline constexpr char kNone = -1;  // gives a zero

MIXGRAD_TARGET_ROWS inline __m256i two_pairs(const uint8_t* first, const uint8_t* second) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(first))),
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(second)), 1);
}

// Four pixels of three channels at a time: the neighbours' channels side by side, products added in pairs. Gives four numbers per
// pixel, the last of them 0.
MIXGRAD_TARGET_ROWS void widen_three(const uint8_t* row, const int32_t* offsets, const int16_t* weights,
                                     const int16_t* spread, int64_t count, int16_t* out) {
  const __m256i apart = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, kNone, 3, kNone, 1, kNone, 4, kNone, 2, kNone, 5, kNone, kNone, kNone, kNone, kNone));
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const auto* const factors = reinterpret_cast<const __m256i*>(spread + 8 * i);
    const __m256i even = _mm256_shuffle_epi8(two_pairs(row + offsets[i], row + offsets[i + 2]), apart);
    const __m256i odd = _mm256_shuffle_epi8(two_pairs(row + offsets[i + 1], row + offsets[i + 3]), apart);
    const __m256i a = _mm256_srai_epi32(_mm256_madd_epi16(even, _mm256_loadu_si256(factors)), 4);
    const __m256i b = _mm256_srai_epi32(_mm256_madd_epi16(odd, _mm256_loadu_si256(factors + 1)), 4);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 4 * i), _mm256_packs_epi32(a, b));
  }
  widen_plain(row, offsets + i, weights + 2 * i, count - i, 3, 4, out + 4 * i);
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

// The same of pixels of four bytes each, which are the lanes.
MIXGRAD_TARGET_ROWS inline __m256i eight_of_four(const uint8_t* data, bool mirrored) {
  const __m256i pixels = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
  return mirrored ? _mm256_permutevar8x32_epi32(pixels, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)) : pixels;
}

struct VectorScaling {
  __m256 mean[3], factor[3], bias[3];
  MIXGRAD_TARGET_ROWS explicit VectorScaling(const Scaling& scaling) {
    for (int c = 0; c < 3; ++c) {
      mean[c] = _mm256_set1_ps(scaling.mean[c]);
      factor[c] = _mm256_set1_ps(scaling.factor[c]);
      bias[c] = _mm256_set1_ps(scaling.bias[c]);
    }
  }
  MIXGRAD_TARGET_ROWS __m256 of(__m256i x, int c) const {
    return _mm256_add_ps(_mm256_mul_ps(_mm256_sub_ps(_mm256_cvtepi32_ps(x), mean[c]), factor[c]), bias[c]);
  }
};

MIXGRAD_TARGET_ROWS int64_t store_three_floats(const PixelRow& row, bool mirrored, const Scaling& scaling,
                                               float* out, int64_t plane) {
  const VectorScaling numbers(scaling);
  const EightOfThree eight(mirrored);
  const __m256i low = _mm256_set1_epi32(255);
  int64_t i = 0;
  for (; i + 8 <= row.width; i += 8) {
    float* const to = out + (mirrored ? row.width - 8 - i : i);
    if (row.step == 4) {
      const __m256i pixels = eight_of_four(row.data + 4 * i, mirrored);
      _mm256_storeu_ps(to, numbers.of(_mm256_and_si256(pixels, low), 0));
      _mm256_storeu_ps(to + plane, numbers.of(_mm256_and_si256(_mm256_srli_epi32(pixels, 8), low), 1));
      _mm256_storeu_ps(to + 2 * plane, numbers.of(_mm256_and_si256(_mm256_srli_epi32(pixels, 16), low), 2));
      continue;
    }
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row.data + 3 * i));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row.data + 3 * i + 8));
    for (int c = 0; c < 3; ++c)
      _mm256_storeu_ps(to + c * plane, numbers.of(_mm256_cvtepu8_epi32(eight.take(first, second, c)), c));
  }
  return i;
}

MIXGRAD_TARGET_ROWS int64_t store_three_bytes(const PixelRow& row, bool mirrored, uint8_t* out,
                                              int64_t plane) {
  const EightOfThree eight(mirrored);
  // Channels of four pixels each together, then those of eight.
  const __m256i by_channel =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  const __m256i joined = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  int64_t i = 0;
  for (; i + 8 <= row.width; i += 8) {
    uint8_t* const to = out + (mirrored ? row.width - 8 - i : i);
    if (row.step == 4) {
      const __m256i planes = _mm256_permutevar8x32_epi32(
          _mm256_shuffle_epi8(eight_of_four(row.data + 4 * i, mirrored), by_channel), joined);
      const __m128i two = _mm256_castsi256_si128(planes);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to), two);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + plane), _mm_srli_si128(two, 8));
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + 2 * plane), _mm256_extracti128_si256(planes, 1));
      continue;
    }
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row.data + 3 * i));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row.data + 3 * i + 8));
    for (int c = 0; c < 3; ++c)
      _mm_storel_epi64(reinterpret_cast<__m128i*>(to + c * plane), eight.take(first, second, c));
  }
  return i;
}
#endif

// Pixels from `begin` on, one by one.
template <class T, class Fn>
void store_plain(const PixelRow& row, int64_t begin, bool mirrored, T* out, int64_t plane, const Fn& value) {
  for (int64_t c = 0; c < row.channels; ++c) {
    T* const to = out + c * plane;
    for (int64_t i = begin; i < row.width; ++i)
      to[mirrored ? row.width - 1 - i : i] = value(row.data[i * row.step + c], c, i);
  }
}

// Rounded after the product, as without fused ones.
[[gnu::noinline]] float scaled_product(float x, float factor) { return x * factor; }

}  // namespace

PixelRange linear_range(int64_t extent, int64_t resized, int64_t first, int64_t count) {
  const double step = static_cast<double>(extent) / static_cast<double>(resized);
  const LinearPlace begin = linear_place(first, step, extent, true),
                    last = linear_place(first + count - 1, step, extent, true);
  return {begin.from, std::min(last.from + 2, extent)};
}

LinearRows::LinearRows(const LinearSource& from, int64_t width, int64_t height, int64_t first, int64_t count)
    : from_(from),
      row_step_(static_cast<double>(from.height) / static_cast<double>(height)),
      count_(count),
      step_(from.channels == 3 ? 4 : from.channels),
      offsets_(static_cast<size_t>(count)),
      weights_(static_cast<size_t>(2 * count)),
      spread_(static_cast<size_t>(8 * ((count + 3) / 4 * 4))) {
  const double step = static_cast<double>(from.width) / static_cast<double>(width);
  for (int64_t i = 0; i < count; ++i) {
    const LinearPlace place = linear_place(first + i, step, from.width, true);
    const auto at = static_cast<size_t>(i);
    offsets_[at] = static_cast<int32_t>((place.from - from.left) * from.channels);
    weights_[2 * at] = place.left;
    weights_[2 * at + 1] = place.right;
    constexpr size_t kPlaces[4] = {0, 2, 1, 3};
    int16_t* const spread = spread_.data() + 8 * (at / 4 * 4 + kPlaces[at % 4]);
    for (int c = 0; c < 3; ++c) spread[2 * c] = place.left, spread[2 * c + 1] = place.right;
  }
  for (Scratch& wide : wide_) wide = Scratch::of<int16_t>(count * step_ + kRowSlack);
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
  const uint8_t* const row = from_.rows->row(source_row - from_.top);
#if MIXGRAD_X86
  if (from_.channels == 3 && best_isa() != Isa::baseline) {
    widen_three(row, offsets_.data(), weights_.data(), spread_.data(), count_, out);
    return out;
  }
#endif
  widen_plain(row, offsets_.data(), weights_.data(), count_, from_.channels, step_, out);
  return out;
}

void LinearRows::blend(int64_t y, uint8_t* out) {
  const LinearPlace place = linear_place(y, row_step_, from_.height, false);
  const int64_t last = from_.height - 1;
  const int16_t* const a = wide_row(std::clamp<int64_t>(place.from, 0, last));
  const int16_t* const b = wide_row(std::clamp<int64_t>(place.from + 1, 0, last));
  const int64_t n = count_ * step_;
#if MIXGRAD_X86
  if (best_isa() != Isa::baseline) return blend_vectors(a, b, place.left, place.right, n, out);
#endif
  blend_plain(a, b, place.left, place.right, n, out);
}

PixelRow LinearRows::row(int64_t y, uint8_t* out) {
  blend(y, out);
  return {out, count_, from_.channels, step_};
}

void LinearRows::dense_row(int64_t y, uint8_t* out) {
  if (step_ == from_.channels) return blend(y, out);
  if (!dense_.data()) dense_ = Scratch::of<uint8_t>(count_ * step_ + kRowSlack);
  auto* const row = dense_.as<uint8_t>();
  blend(y, row);
  for (int64_t i = 0; i < count_; ++i)
    for (int64_t c = 0; c < 3; ++c) out[3 * i + c] = row[4 * i + c];
}

void store_bytes(const PixelRow& row, bool mirrored, uint8_t* out, int64_t plane) {
  int64_t begin = 0;
#if MIXGRAD_X86
  if (row.channels == 3 && best_isa() != Isa::baseline) begin = store_three_bytes(row, mirrored, out, plane);
#endif
  store_plain(row, begin, mirrored, out, plane, [](uint8_t x, int64_t, int64_t) { return x; });
}

void store_floats(const PixelRow& row, bool mirrored, const Scaling& scaling, float* out, int64_t plane) {
  int64_t begin = 0;
#if MIXGRAD_X86
  if (row.channels == 3 && !scaling.mean_row && best_isa() != Isa::baseline)
    begin = store_three_floats(row, mirrored, scaling, out, plane);
#endif
  store_plain(row, begin, mirrored, out, plane, [&](uint8_t x, int64_t c, int64_t i) {
    const float mean = scaling.mean_row ? scaling.mean_row[c * scaling.mean_plane + i] : scaling.mean[c];
    return scaled_product(static_cast<float>(x) - mean, scaling.factor[c]) + scaling.bias[c];
  });
}

void store_signed(const PixelRow& row, bool mirrored, const Scaling& scaling, int8_t* out, int64_t plane) {
  store_plain(row, 0, mirrored, out, plane, [&](uint8_t x, int64_t c, int64_t i) {
    const float mean = scaling.mean_row ? scaling.mean_row[c * scaling.mean_plane + i] : scaling.mean[c];
    return static_cast<int8_t>(std::clamp(static_cast<float>(x) - std::round(mean), -128.0f, 127.0f));
  });
}

}  // namespace mixgrad::picture
