#include "base/value.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/error.h"

namespace mixgrad {

std::string Value::str() const {
  switch (kind) {
    case ValueKind::none: return "None";
    case ValueKind::integer: return text(integer);
    case ValueKind::boolean: return integer ? "True" : "False";
    case ValueKind::string: return "'" + std::string(string) + "'";
    case ValueKind::real: {
      // As Python: an exponent only where it is far from 0.
      char buffer[kRealText];
      write_real(buffer, real, false);
      const double size = std::fabs(real);
      if (size >= 10 && size < 1e16 && std::strpbrk(buffer, "e"))
        std::snprintf(buffer, sizeof buffer, "%.0f", real);
      return std::strpbrk(buffer, ".einf") ? buffer : std::string(buffer) + ".0";
    }
    case ValueKind::tuple: {
      std::string s = "(";
      for (uint32_t i = 0; i < count; ++i) s += (i ? ", " : "") + items[i].str();
      return s + (count == 1 ? ",)" : ")");
    }
  }
  return "?";
}

double write_real(char (&buffer)[kRealText], double real, bool single) {
  double written = 0;
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, real);
    written = std::strtod(buffer, nullptr);
    if (written == real || (single && static_cast<float>(written) == static_cast<float>(real))) break;
  }
  return written;
}

OwnedValue::OwnedValue(const Value& v) : value_(v) {
  if (v.kind != ValueKind::string) return;
  text_.assign(v.string, v.string + std::strlen(v.string) + 1);
  value_.string = text_.data();
}

OwnedValue::OwnedValue(std::vector<Value> items) noexcept : items_(std::move(items)) {
  value_ = Value(items_.data(), static_cast<uint32_t>(items_.size()));
}

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// A value that is no tuple, in the characters before `end`, of which it needs one more. Its text lies where it was read.
Value scalar_value(char* begin, char* end) {
  while (begin < end && is_blank(*begin)) ++begin;
  while (begin < end && is_blank(end[-1])) --end;
  *end = 0;
  const std::string_view word = begin;
  if (word.empty() || word == "None") return Value();
  if (word == "True" || word == "true") return Value(true);
  if (word == "False" || word == "false") return Value(false);
  char* rest = nullptr;
  errno = 0;
  const long long integer = std::strtoll(begin, &rest, 10);
  const bool fits = errno == 0;              // else it is a real number, which no field of integers takes
  if (*rest == 'L' && rest[1] == 0) ++rest;  // Python 2's long, in old files
  if (*rest == 0 && fits) return Value(static_cast<int64_t>(integer));
  const double real = std::strtod(begin, &rest);
  return *rest == 0 ? Value(real) : Value(begin);
}

}  // namespace

OwnedValue OwnedValue::parse(const std::string& text) {
  OwnedValue out;
  out.text_.assign(text.c_str(), text.c_str() + text.size() + 1);
  char* begin = out.text_.data();
  char* end = begin + text.size();
  while (begin < end && is_blank(*begin)) ++begin;
  while (begin < end && is_blank(end[-1])) --end;
  *end = 0;
  const bool round = *begin == '(' && end[-1] == ')';
  const bool brackets = end - begin >= 2 && (round || (*begin == '[' && end[-1] == ']'));
  if (!brackets || std::strpbrk(begin + 1, "([")) {
    out.value_ = scalar_value(begin, end);
    return out;
  }
  --end;
  while (begin < end) {
    char* const item = ++begin;
    bool blank = true;
    for (; begin < end && *begin != ','; ++begin) blank &= is_blank(*begin);
    if (!blank) out.items_.push_back(scalar_value(item, begin));
  }
  out.value_ = Value(out.items_.data(), static_cast<uint32_t>(out.items_.size()));
  return out;
}

}  // namespace mixgrad
