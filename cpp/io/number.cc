#include "io/number.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace mixgrad::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The place behind `word` (lower case) when the text begins with it.
const char* skip_word(const char* p, const char* end, const char* word) {
  for (; *word; ++word, ++p) {
    if (p == end || (*p | 0x20) != *word) return nullptr;
  }
  return p;
}

// mantissa * 10^exponent where that is not exact in one step: [begin, end) is the number's text.
double slow_real(const char* begin, const char* end, uint64_t mantissa, int64_t exponent) {
  const std::string token(begin, end);
  char* stop = nullptr;
  const double value = std::strtod(token.c_str(), &stop);  // with the sign
  if (stop == token.c_str() + token.size()) return value;
  // The locale's decimal point is not a point.
  const double scale = std::pow(10.0, static_cast<double>(exponent));
  return (*begin == '-' ? -1.0 : 1.0) * static_cast<double>(mantissa) * scale;
}

}  // namespace

const char* read_integer(const char* p, const char* end, int64_t* out) {
  bool negative = false;
  if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  if (p == end || !is_digit(*p)) return nullptr;
  int64_t value = 0;  // kept negative, whose range is the larger one
  for (; p < end && is_digit(*p); ++p) {
    if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
        __builtin_sub_overflow(value, int64_t{*p - '0'}, &value))
      return nullptr;
  }
  if (!negative && value == std::numeric_limits<int64_t>::min()) return nullptr;
  *out = negative ? value : -value;
  return p;
}

const char* read_real(const char* p, const char* end, double* out) {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char* const begin = p;
  bool negative = false;
  if (p < end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const double sign = negative ? -1.0 : 1.0;
  if (p < end && !is_digit(*p) && *p != '.') {
    const char* after = skip_word(p, end, "infinity");
    if (!after) after = skip_word(p, end, "inf");
    if (after) {
      *out = sign * std::numeric_limits<double>::infinity();
      return after;
    }
    after = skip_word(p, end, "nan");
    if (after) *out = std::numeric_limits<double>::quiet_NaN();
    return after;
  }
  uint64_t mantissa = 0;
  int64_t exponent = 0;
  int digits = 0;
  bool any = false, exact = true;
  const auto take = [&](char c, bool fraction) {
    any = true;
    if (digits < 19) {
      mantissa = mantissa * 10 + static_cast<uint64_t>(c - '0');
      if (mantissa) ++digits;
      if (fraction) --exponent;
    } else {
      if (c != '0') exact = false;
      if (!fraction) ++exponent;
    }
  };
  for (; p < end && is_digit(*p); ++p) take(*p, false);
  if (p < end && *p == '.') {
    for (++p; p < end && is_digit(*p); ++p) take(*p, true);
  }
  if (!any) return nullptr;
  if (p < end && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    bool down = false;
    if (q < end && (*q == '-' || *q == '+')) down = *q++ == '-';
    if (q < end && is_digit(*q)) {
      int64_t power = 0;
      for (; q < end && is_digit(*q); ++q) power = power < 100000 ? power * 10 + (*q - '0') : power;
      exponent += down ? -power : power;
      p = q;
    }
  }
  if (exact && mantissa <= (uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
    const double m = static_cast<double>(mantissa);
    *out = sign * (exponent < 0 ? m / kPowers[-exponent] : m * kPowers[exponent]);
  } else {
    *out = mantissa == 0 ? sign * 0.0 : slow_real(begin, p, mantissa, exponent);
  }
  return p;
}

}  // namespace mixgrad::io
