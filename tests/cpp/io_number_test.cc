// Numbers read from text equal what the C library reads, and nothing behind the text is touched.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>

#include "check.h"
#include "io/number.h"

using mixgrad::io::read_integer;
using mixgrad::io::read_real;

namespace {

// The text in memory of exactly its size, so that a sanitizer sees a read beyond it.
struct Exact {
  explicit Exact(const std::string& text) : size(text.size()), data(new char[size]) {
    std::memcpy(data.get(), text.data(), size);
  }
  const char* begin() const { return data.get(); }
  const char* end() const { return data.get() + size; }
  size_t size;
  std::unique_ptr<char[]> data;
};

// How many characters were read; -1 for none.
long real_length(const std::string& text, double* out) {
  const Exact exact(text);
  const char* stop = read_real(exact.begin(), exact.end(), out);
  return stop ? static_cast<long>(stop - exact.begin()) : -1;
}

TEST(io_reals_equal_those_of_the_c_library) {
  std::mt19937_64 random(1);
  char text[80];
  for (int i = 0; i < 200000; ++i) {
    double value;
    const std::uint64_t bits = random();
    std::memcpy(&value, &bits, sizeof value);
    if (i % 3 == 0) value = static_cast<double>(static_cast<std::int64_t>(bits % 2000001) - 1000000) / 1000;
    if (!std::isfinite(value)) continue;
    const int digits = static_cast<int>(random() % 22) + 1;
    std::snprintf(text, sizeof text, i % 2 ? "%.*g" : "%.*e", digits, value);
    double got = 0;
    CHECK_EQ(real_length(text, &got), static_cast<long>(std::strlen(text)));
    CHECK_EQ(got, std::strtod(text, nullptr));
  }
}

TEST(io_reals_of_odd_forms) {
  const struct {
    const char* text;
    long length;
    double value;
  } cases[] = {
      {"0", 1, 0},
      {"-0", 2, 0},
      {".5", 2, 0.5},
      {"5.", 2, 5},
      {"1e", 1, 1},
      {"1e+", 1, 1},
      {"1e5x", 3, 1e5},
      {"+3", 2, 3},
      {"1,5", 1, 1},
      {"inf", 3, INFINITY},
      {"-Infinity", 9, -INFINITY},
      {"1e999", 5, INFINITY},
      {"1e-999", 6, 0},
      {"0e99999999999", 13, 0},
      {"00000000000000000000000001", 26, 1},
      {"1e-99999999999999999999", 23, 0},
      {"infi", 3, INFINITY},
      {"", -1, 0},
      {"-", -1, 0},
      {".", -1, 0},
      {"e5", -1, 0},
      {"x", -1, 0},
      {"+-1", -1, 0},
      {"0.000000000000000000000000000000000001", 38, 1e-36},
      {"123456789012345678901234567890", 30, 123456789012345678901234567890.0},
  };
  for (const auto& c : cases) {
    double got = 0;
    CHECK_EQ(std::string(c.text) + std::to_string(real_length(c.text, &got)),
             std::string(c.text) + std::to_string(c.length));
    if (c.length > 0) CHECK_EQ(got, c.value);
  }
  double got = 0;
  CHECK(real_length("nan", &got) == 3 && std::isnan(got));
}

TEST(io_integers) {
  const struct {
    const char* text;
    bool good;
    std::int64_t value;
  } cases[] = {
      {"0", true, 0},
      {"-17", true, -17},
      {"+5x", true, 5},
      {"9223372036854775807", true, INT64_MAX},
      {"-9223372036854775808", true, INT64_MIN},
      {"9223372036854775808", false, 0},
      {"-9223372036854775809", false, 0},
      {"99999999999999999999", false, 0},
      {"", false, 0},
      {"-", false, 0},
      {"x", false, 0},
  };
  for (const auto& c : cases) {
    const Exact exact(c.text);
    std::int64_t got = 0;
    CHECK_EQ(read_integer(exact.begin(), exact.end(), &got) != nullptr, c.good);
    CHECK_EQ(got, c.value);
  }
}

}  // namespace
