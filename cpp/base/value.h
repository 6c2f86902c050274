// A tagged value as it crosses the C header: nothing, integer, float, truth, text or a tuple of such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace mixgrad {

enum class ValueKind : int32_t { none = 0, integer = 1, real = 2, boolean = 3, string = 4, tuple = 5 };

// Borrows its text and items from its maker. Same layout as mg_value.
struct Value {
  ValueKind kind = ValueKind::none;
  uint32_t count = 0;  // items of a tuple
  union {
    int64_t integer;
    double real;
    const char* string;
    const Value* items;
  };

  Value() : integer(0) {}
  Value(int v) : kind(ValueKind::integer), integer(v) {}
  Value(int64_t v) : kind(ValueKind::integer), integer(v) {}
  Value(double v) : kind(ValueKind::real), real(v) {}
  template <class T, class = std::enable_if_t<std::is_same_v<T, bool>>>
  Value(T v) : kind(ValueKind::boolean), integer(v) {}  // exactly bool: a pointer must not turn into one
  Value(const char* v) : kind(ValueKind::string), string(v) {}
  Value(const Value* v, uint32_t n) : kind(ValueKind::tuple), count(n), items(v) {}

  // As Python would print it: None, 3, 0.5, True, 'text', (1, 2).
  std::string str() const;
  // The same with text as it is, without quotes: the form of files.
  std::string file_str() const { return kind == ValueKind::string ? std::string(string) : str(); }
};

// A value that owns its text and items: what is parsed from a file's string form.
class OwnedValue {
 public:
  OwnedValue() = default;
  explicit OwnedValue(const Value& v);                     // no tuple
  explicit OwnedValue(std::vector<Value> items) noexcept;  // a tuple of numbers and None
  // Reads the string form of MXNet's files: "None", "3", "0.5", "1e-3", "True", "(1, 2)", "[1,2]"; anything
  // else is text.
  static OwnedValue parse(const std::string& text);
  OwnedValue(OwnedValue&&) = default;
  OwnedValue& operator=(OwnedValue&&) = default;
  const Value& get() const { return value_; }

 private:
  Value value_;
  std::vector<char> text_;  // that the value or its items point to
  std::vector<Value> items_;
};

// Writes a number with the fewest digits that read back as the same double, or as the same float; gives the double that they
// are.
constexpr size_t kRealText = 40;
double write_real(char (&buffer)[kRealText], double real, bool single);

}  // namespace mixgrad
