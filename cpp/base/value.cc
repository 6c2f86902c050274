#include "base/value.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace mixgrad {

std::string Value::str() const {
  switch (kind) {
    case ValueKind::none: return "None";
    case ValueKind::integer: return text(integer);
    case ValueKind::boolean: return integer ? "True" : "False";
    case ValueKind::string: return "'" + std::string(string) + "'";
    case ValueKind::real: {
      // As Python: the shortest digits that read back as the same number, with an exponent only where it is far from 0.
      char buffer[40];
      int digits = 1;
      for (; digits <= 17; ++digits) {
        std::snprintf(buffer, sizeof buffer, "%.*g", digits, real);
        if (std::strtod(buffer, nullptr) == real) break;
      }
      const char* e = std::strchr(buffer, 'e');
      const int exponent = e ? std::atoi(e + 1) : 0;
      if (exponent > 0 && exponent < 16) std::snprintf(buffer, sizeof buffer, "%.0f", real);
      const std::string s = buffer;
      return s.find_first_of(".einf") == std::string::npos ? s + ".0" : s;
    }
    case ValueKind::tuple: {
      std::string s = "(";
      for (uint32_t i = 0; i < count; ++i) s += (i ? ", " : "") + items[i].str();
      return s + (count == 1 ? ",)" : ")");
    }
  }
  return "?";
}

OwnedValue::OwnedValue(const Value& v) noexcept(kCompact) : value_(v) {
  if (v.kind == ValueKind::string) {
    text_.assign(v.string, v.string + std::strlen(v.string) + 1);
    value_.string = text_.data();
  } else if (v.kind == ValueKind::tuple) {
    items_.reserve(v.count);
    for (uint32_t i = 0; i < v.count; ++i) {
      items_.emplace_back(v.items[i]);
      flat_.push_back(items_.back().get());
    }
    value_.items = flat_.data();
  }
}

namespace {

std::string trimmed_value_text(const std::string& s) {
  const size_t first = s.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return s.substr(first, s.find_last_not_of(" \t\n") - first + 1);
}

}  // namespace

OwnedValue OwnedValue::parse(const std::string& raw) {
  const std::string s = trimmed_value_text(raw);
  if (s == "None" || s.empty()) return OwnedValue(Value());
  if (s == "True" || s == "true") return OwnedValue(Value(true));
  if (s == "False" || s == "false") return OwnedValue(Value(false));
  const bool round = s.front() == '(' && s.back() == ')';
  if (round || (s.front() == '[' && s.back() == ']')) {
    const std::string inner = s.substr(1, s.size() - 2);
    if (inner.find_first_of("([") == std::string::npos) {
      OwnedValue out;
      size_t at = 0;
      while (at <= inner.size()) {
        size_t comma = inner.find(',', at);
        if (comma == std::string::npos) comma = inner.size();
        const std::string item = trimmed_value_text(inner.substr(at, comma - at));
        if (!item.empty()) out.items_.push_back(parse(item));
        at = comma + 1;
      }
      for (const OwnedValue& item : out.items_) out.flat_.push_back(item.get());
      out.value_ = Value(out.flat_.data(), static_cast<uint32_t>(out.flat_.size()));
      return out;
    }
  }
  char* end = nullptr;
  const long long integer = std::strtoll(s.c_str(), &end, 10);
  if (*end == 'L' && end[1] == 0) ++end;  // Python 2's long, in old files
  if (*end == 0) return OwnedValue(Value(static_cast<int64_t>(integer)));
  const double real = std::strtod(s.c_str(), &end);
  if (*end == 0) return OwnedValue(Value(real));
  return OwnedValue(Value(s.c_str()));
}

}  // namespace mixgrad
