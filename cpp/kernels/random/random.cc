#include "kernels/random/random.h"

#include <cmath>

#if MIXGRAD_X86
#include <immintrin.h>
#endif

namespace mixgrad {
namespace {

using RandomWordsFn = void (*)(const RandomKey&, int64_t, int64_t, uint32_t*);

MIXGRAD_TARGET_BASELINE void random_words_baseline(const RandomKey& key, int64_t first, int64_t count,
                                                   uint32_t* out) {
  constexpr int kLanes = kRandomGroup / 4;
  for (int64_t at = 0; at < count; at += kRandomGroup) {
    uint64_t c0[kLanes], c1[kLanes], c2[kLanes], c3[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      const uint64_t place = static_cast<uint64_t>((first + at) / 4 + i);
      c0[i] = place & 0xffffffff;
      c1[i] = place >> 32;
      c2[i] = key.stream & 0xffffffff;
      c3[i] = (key.stream >> 32) & 0xffff;
    }
    uint32_t k0 = static_cast<uint32_t>(key.seed), k1 = static_cast<uint32_t>(key.seed >> 32);
    for (int round = 0; round < 10; ++round) {
      for (int i = 0; i < kLanes; ++i) {
        const uint64_t p0 = uint64_t{0xD2511F53} * static_cast<uint32_t>(c0[i]);
        const uint64_t p1 = uint64_t{0xCD9E8D57} * static_cast<uint32_t>(c2[i]);
        c0[i] = (p1 >> 32) ^ c1[i] ^ k0;
        c1[i] = p1;
        c2[i] = (p0 >> 32) ^ c3[i] ^ k1;
        c3[i] = p0;
      }
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    for (int i = 0; i < kLanes; ++i) {
      out[at + i] = static_cast<uint32_t>(c0[i]);
      out[at + kLanes + i] = static_cast<uint32_t>(c1[i]);
      out[at + 2 * kLanes + i] = static_cast<uint32_t>(c2[i]);
      out[at + 3 * kLanes + i] = static_cast<uint32_t>(c3[i]);
    }
  }
}

#if MIXGRAD_X86
// Blocks side by side in 64-bit lanes of which only the low halves count: products need no shuffling. GCC would
// multiply full lanes, hence the intrinsics.
MIXGRAD_TARGET_AVX2 void random_words_avx2(const RandomKey& key, int64_t first, int64_t count,
                                           uint32_t* out) {
  const __m256i m0 = _mm256_set1_epi64x(0xD2511F53), m1 = _mm256_set1_epi64x(0xCD9E8D57);
  const __m256i low_halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
  const __m256i stream = _mm256_set1_epi64x(static_cast<int64_t>(key.stream & 0xffffffff));
  const __m256i stream_high = _mm256_set1_epi64x(static_cast<int64_t>((key.stream >> 32) & 0xffff));
  for (int64_t i = 0; i < count; i += kRandomGroup) {
    for (int half = 0; half < 2; ++half) {  // eight blocks in two registers per word
      __m256i c[4][2];
      for (int v = 0; v < 2; ++v) {
        const __m256i place = _mm256_add_epi64(_mm256_set1_epi64x((first + i) / 4 + 8 * half + 4 * v),
                                               _mm256_setr_epi64x(0, 1, 2, 3));
        c[0][v] = place;
        c[1][v] = _mm256_srli_epi64(place, 32);
        c[2][v] = stream;
        c[3][v] = stream_high;
      }
      uint32_t k0 = static_cast<uint32_t>(key.seed), k1 = static_cast<uint32_t>(key.seed >> 32);
      for (int round = 0; round < 10; ++round) {
        const __m256i v0 = _mm256_set1_epi32(static_cast<int>(k0)),
                      v1 = _mm256_set1_epi32(static_cast<int>(k1));
        for (int v = 0; v < 2; ++v) {
          const __m256i p0 = _mm256_mul_epu32(m0, c[0][v]), p1 = _mm256_mul_epu32(m1, c[2][v]);
          c[0][v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c[1][v]), v0);
          c[1][v] = p1;
          c[2][v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c[3][v]), v1);
          c[3][v] = p0;
        }
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
      }
      for (int w = 0; w < 4; ++w) {
        const __m256i a = _mm256_permutevar8x32_epi32(c[w][0], low_halves);
        const __m256i b = _mm256_permutevar8x32_epi32(c[w][1], low_halves);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i + w * (kRandomGroup / 4) + 8 * half),
                            _mm256_blend_epi32(a, b, 0xf0));
      }
    }
  }
}

#endif

RandomWordsFn pick_random_words() {
#if MIXGRAD_X86
  if (best_isa() != Isa::baseline) return &random_words_avx2;  // wider registers gain nothing here
#endif
  return &random_words_baseline;
}

}  // namespace

void random_words(const RandomKey& key, int64_t first, int64_t count, uint32_t* out) {
  pick_random_words()(key, first, count, out);
}

double ElementRandom::normal() {
  const double radius = std::sqrt(-2 * std::log((static_cast<double>(word()) + 0.5) * 0x1p-32));
  return radius * std::cos(6.283185307179586 * 0x1p-32 * static_cast<double>(word()));
}

uint64_t ElementRandom::below(uint64_t width) {
  if (width <= 0xffffffff) {
    // The multiple of the width in the low word is even but for its first 2^32 mod width values.
    const uint32_t span = static_cast<uint32_t>(width), uneven = (0u - span) % span;
    uint64_t product;
    do {
      product = width * word();
    } while (static_cast<uint32_t>(product) < uneven);
    return product >> 32;
  }
  uint64_t mask = width - 1;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  uint64_t value;
  do {
    value = word64() & mask;
  } while (value >= width);
  return value;
}

}  // namespace mixgrad
