// The one error type of the library, how it ends a call, and the text helper that builds its messages.
#pragma once

#include <cstdint>
#include <exception>
#include <initializer_list>
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
  const std::string& message() const { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Status status_;
  std::string message_;
};

// One argument of a message: its value, or where it lies, and how that is written. Borrows it.
class TextItem {
 public:
  TextItem(const char* chars) : append_(append_chars), pointer_(chars) {}
  TextItem(const std::string& string) : append_(append_string), pointer_(&string) {}
  TextItem(const std::string_view& view) : append_(append_view), pointer_(&view) {}
  TextItem(const void* address) : append_(append_address), pointer_(address) {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  TextItem(T number) {
    if constexpr (std::is_floating_point_v<T>) {
      append_ = append_real;
      real_ = number;
    } else {
      constexpr bool kCharacter = sizeof(T) == 1 && !std::is_same_v<T, bool>;
      append_ = kCharacter ? append_character : std::is_signed_v<T> ? append_integer : append_natural;
      integer_ = static_cast<int64_t>(number);
    }
  }
  // Something with a member str().
  template <class T, std::enable_if_t<std::is_class_v<T>, int> = 0>
  TextItem(const T& object) : append_(append_object<T>), pointer_(&object) {}

  void append_to(std::string& out) const { append_(*this, out); }

 private:
  using Append = void (*)(const TextItem& item, std::string& out);
  static void append_chars(const TextItem& item, std::string& out);
  static void append_string(const TextItem& item, std::string& out);
  static void append_view(const TextItem& item, std::string& out);
  static void append_address(const TextItem& item, std::string& out);
  static void append_character(const TextItem& item, std::string& out);
  static void append_integer(const TextItem& item, std::string& out);
  static void append_natural(const TextItem& item, std::string& out);
  static void append_real(const TextItem& item, std::string& out);
  template <class T>
  static void append_object(const TextItem& item, std::string& out) {
    out += static_cast<const T*>(item.pointer_)->str();
  }

  Append append_;
  union {
    const void* pointer_;
    int64_t integer_;
    double real_;
  };
};

std::string join_text(std::initializer_list<TextItem> items);
[[noreturn]] void throw_error(Status status, std::initializer_list<TextItem> message);

// Joins its arguments into one string: characters and strings, numbers, addresses, anything with a member str().
// Real numbers have six significant digits; bytes are characters, as in streams.
template <class... Args>
std::string text(const Args&... args) {
  return join_text({TextItem(args)...});
}

// Raises an Error. Messages start with "[operator or function]", show what arrived and what was expected. Inlined, so that
// numbers which a message shows may stay in registers where nothing fails.
template <class... Args>
[[noreturn, gnu::always_inline]] inline void fail(Status status, const Args&... args) {
  throw_error(status, {TextItem(args)...});
}

}  // namespace mixgrad
