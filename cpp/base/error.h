// The one exception type of the library, and the text helper that builds its messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/status.h"

namespace mixgrad {

class Error : public std::exception {
 public:
  Error(Status status, std::string message) : status_(status), message_(std::move(message)) {}
  Status status() const { return status_; }
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& message() const { return message_; }

 private:
  Status status_;
  std::string message_;
};

// One argument of text(): borrowed, a number, or anything with a member str(). Bytes are characters, as in streams.
class TextItem {
 public:
  TextItem(const char* chars) : write_(write_chars) { value_.pointer = chars; }
  TextItem(const std::string& string) : write_(write_string) { value_.pointer = &string; }
  TextItem(const std::string_view& view) : write_(write_view) { value_.pointer = &view; }
  TextItem(const void* address) : write_(write_address) { value_.pointer = address; }
  template <class T, class = decltype(std::declval<const T&>().str())>
  TextItem(const T& object) : write_(write_object<T>) {
    value_.pointer = &object;
  }
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  TextItem(T number) {
    if constexpr (std::is_floating_point_v<T>) {
      value_.real = static_cast<double>(number);
      write_ = write_real;
    } else if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) {
      value_.integer = static_cast<char>(number);
      write_ = write_character;
    } else if constexpr (std::is_signed_v<T>) {
      value_.integer = number;
      write_ = write_integer;
    } else {
      value_.natural = number;
      write_ = write_natural;
    }
  }
  void append_to(std::string& out) const { write_(out, value_); }

 private:
  union Value {
    const void* pointer;
    int64_t integer;
    uint64_t natural;
    double real;
  };
  static void write_chars(std::string& out, Value v);
  static void write_string(std::string& out, Value v);
  static void write_view(std::string& out, Value v);
  static void write_address(std::string& out, Value v);
  static void write_character(std::string& out, Value v);
  static void write_integer(std::string& out, Value v);
  static void write_natural(std::string& out, Value v);
  static void write_real(std::string& out, Value v);
  template <class T>
  static void write_object(std::string& out, Value v) {
    out += static_cast<const T*>(v.pointer)->str();
  }

  Value value_;
  void (*write_)(std::string&, Value);
};

std::string join_text(const TextItem* items, size_t count);
[[noreturn]] void throw_error(Status status, const TextItem* items, size_t count);

// Joins its arguments into one string. Real numbers have six significant digits.
template <class... Args>
std::string text(const Args&... args) {
  const TextItem items[] = {args...};
  return join_text(items, sizeof...(args));
}

// Throws Error. Messages start with "[operator or function]", show what arrived and what was expected.
template <class... Args>
[[noreturn]] void fail(Status status, const Args&... args) {
  const TextItem items[] = {args...};
  throw_error(status, items, sizeof...(args));
}

}  // namespace mixgrad
