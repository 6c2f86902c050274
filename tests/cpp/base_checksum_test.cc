// The checksum of files: the same for any cut of the bytes, another for any change of one.
#include <cstring>
#include <vector>

#include "base/checksum.h"
#include "check.h"

using mixgrad::Checksum;
using mixgrad::checksum_of;

TEST(checksum_sees_every_byte) {
  std::vector<unsigned char> bytes(200);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 37 + 11);
  for (size_t n = 0; n <= bytes.size(); ++n) {
    const uint64_t whole = checksum_of(bytes.data(), n);
    for (size_t cut = 0; cut <= n; cut += 7) {
      Checksum sum;
      sum.add(bytes.data(), cut);
      sum.add(bytes.data() + cut, n - cut);
      CHECK(sum.value() == whole);
    }
    for (size_t i = 0; i < n; ++i) {
      bytes[i] ^= 1u << (i % 8);
      CHECK(checksum_of(bytes.data(), n) != whole);
      bytes[i] ^= 1u << (i % 8);
    }
    if (n > 0) CHECK(checksum_of(bytes.data(), n - 1) != whole);
  }
}

// Files hold these numbers.
TEST(checksum_stays_what_it_is) {
  CHECK(checksum_of("", 0) == 0x84009a13b6293b9aull);
  CHECK(checksum_of("mixgrad", 7) == 0x515b89d35aa8877dull);
}
