// Random bits from a counter: Philox4x32-10 (Salmon and others 2011). A call's numbers are a function of its seed, its
// stream and the place of the element, so neither threads nor tiles change them.
#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace mixgrad {

// Streams count up per call; the lowest 48 bits tell them apart.
struct RandomKey {
  uint64_t seed = 0, stream = 0;
};

// Words come in groups of 16 blocks of the cipher: word w of block b lies at 16 w + b, which is how vector registers
// hold them. Every instruction set gives the same words.
inline constexpr int kRandomGroup = 64;

// Words [first, first + count) of the key; both are multiples of kRandomGroup.
void random_words(const RandomKey& key, int64_t first, int64_t count, uint32_t* out);

// The four words of one block. `place` and `draw` are the counter: draw 0 serves random_words.
MIXGRAD_INLINE void random_block(const RandomKey& key, uint64_t place, uint32_t draw, uint32_t* out) {
  uint32_t c0 = static_cast<uint32_t>(place), c1 = static_cast<uint32_t>(place >> 32);
  uint32_t c2 = static_cast<uint32_t>(key.stream);
  uint32_t c3 = (static_cast<uint32_t>(key.stream >> 32) & 0xffff) | draw << 16;
  uint32_t k0 = static_cast<uint32_t>(key.seed), k1 = static_cast<uint32_t>(key.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53} * c0, p1 = uint64_t{0xCD9E8D57} * c2;
    c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<uint32_t>(p1);
    c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<uint32_t>(p0);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}

// Word `at` of those that random_words makes: for devices, whose threads have one element each.
inline uint32_t random_word(const RandomKey& key, int64_t at) {
  const int64_t place = at % kRandomGroup;
  uint32_t block[4];
  random_block(key, static_cast<uint64_t>(at / kRandomGroup * 16 + place % 16), 0, block);
  return block[place / 16];
}

// Numbers of one element that needs an unknown count of them (rejection methods).
class ElementRandom {
 public:
  ElementRandom(const RandomKey& key, int64_t element) : key_(key), place_(static_cast<uint64_t>(element)) {}
  // Begins with the words that random_words made of block `element`; `first` is the first of the four.
  ElementRandom(const RandomKey& key, int64_t element, const uint32_t* first) : ElementRandom(key, element) {
    for (int w = 0; w < 4; ++w) words_[w] = first[w * (kRandomGroup / 4)];
    left_ = 4;
  }
  uint32_t word() {
    if (left_ == 0) {
      random_block(key_, place_, ++draw_, words_);
      left_ = 4;
    }
    return words_[--left_];
  }
  uint64_t word64() {
    const uint64_t high = word();
    return high << 32 | word();
  }
  // In (0, 1), of 52 bits.
  double uniform() { return (static_cast<double>(word64() >> 12) + 0.5) * 0x1p-52; }
  double normal();  // spends two words; up to 6.7 deviations from 0
  // Evenly spread over [0, width), exactly; width > 0.
  uint64_t below(uint64_t width);

 private:
  RandomKey key_;
  uint64_t place_;
  uint32_t draw_ = 0;
  int left_ = 0;
  uint32_t words_[4];
};

}  // namespace mixgrad
