// JSON as a small tree of values: read strictly, written in one canonical form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mixgrad {

// A JSON value that owns what it holds. Whole numbers that fit 64 bits are kept exactly; all others are doubles.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;  // in the order written

  Json() = default;  // null
  Json(bool v) : value_(v) {}
  Json(int v) : value_(int64_t{v}) {}
  Json(int64_t v) : value_(v) {}
  Json(double v) : value_(v) {}
  Json(std::string v) : value_(std::move(v)) {}
  Json(const char* v) : value_(std::string(v)) {}
  Json(Array v) : value_(std::move(v)) {}
  Json(Object v) : value_(std::move(v)) {}
  Json(const void*) = delete;  // a pointer must not turn into a truth value

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }

  // The content, or null when the value is of another kind.
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const int64_t* integer() const { return std::get_if<int64_t>(&value_); }
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  const Array* array() const { return std::get_if<Array>(&value_); }
  const Object* object() const { return std::get_if<Object>(&value_); }
  Array* array() { return std::get_if<Array>(&value_); }
  Object* object() { return std::get_if<Object>(&value_); }
  // Any number, as a double; false when it is none.
  bool number(double* out) const;
  // The value of that key; null when this is no object or has no such key.
  const Json* find(std::string_view key) const;

  // "null", "true or false", "a number", "text", "an array" or "an object": for messages.
  const char* kind_name() const;

  // Writes it; indent < 0: on one line without spaces, else that many spaces per level. Doubles keep their exact value;
  // infinities and NaN, which JSON lacks, throw Status::invalid_argument.
  std::string dump(int indent = -1) const;

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object> value_;
};

inline constexpr int kMaxJsonDepth = 128;

// Reads one value and nothing after it except white space. Refused with Status::format, naming `source`, line and column:
// what the standard refuses, text that is not UTF-8, an object with a key twice, nesting beyond kMaxJsonDepth.
Json parse_json(std::string_view text, const std::string& source);

}  // namespace mixgrad
