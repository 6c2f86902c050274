// Damage to bytes that were sound: bits, extreme numbers, cuts, repetitions, parts of something else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

namespace fuzz {

using Random = std::mt19937_64;

inline size_t below(Random& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

// Once. `other` is what a part may be taken from.
inline void mutate(Random& random, std::string& bytes, const std::string& other) {
  static const uint64_t extremes[] = {0,
                                      1,
                                      2,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      uint64_t{1} << 32,
                                      INT64_MAX,
                                      uint64_t{1} << 63,
                                      UINT64_MAX};
  const size_t at = below(random, bytes.size() + 1);
  switch (random() % 8) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
      return;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random());
      return;
    case 2:
    case 3: {
      const uint64_t number = extremes[random() % std::size(extremes)] + random() % 2;
      const size_t width = size_t{1} << (random() % 4);
      if (bytes.size() >= width) std::memcpy(&bytes[below(random, bytes.size() - width + 1)], &number, width);
      return;
    }
    case 4: bytes.resize(at); return;
    case 5: bytes.insert(at, std::string(1 + below(random, 40), static_cast<char>(random()))); return;
    case 6: {
      const size_t from = below(random, other.size() + 1);
      bytes = bytes.substr(0, at) + other.substr(from);
      return;
    }
    default: {
      const size_t count = below(random, bytes.size() - at + 1);
      if (random() % 2)
        bytes.erase(at, count);
      else
        bytes.insert(at, bytes.substr(at, count));
    }
  }
}

}  // namespace fuzz
