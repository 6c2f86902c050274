// The one error type of the library, how it ends a call, and the text helper that builds its messages.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/build.h"
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

// How text() writes an argument: a word of 64 bits, which is a number or the place of something borrowed.
enum class TextKind : uint64_t {
  none,
  chars,
  string,
  view,
  address,
  character,
  integer,
  natural,
  real,
  shape,
  object
};
constexpr size_t kTextKindBits = 4;
constexpr size_t kTextMost = 64 / kTextKindBits;  // arguments of one call

class Shape;

// Something with a member str().
struct TextObject {
  const void* object;
  std::string (*str)(const void* object);
};

template <class T>
constexpr TextKind text_kind() {
  if constexpr (std::is_arithmetic_v<T>) {
    if (std::is_floating_point_v<T>) return TextKind::real;
    if (sizeof(T) == 1 && !std::is_same_v<T, bool>) return TextKind::character;
    return std::is_signed_v<T> ? TextKind::integer : TextKind::natural;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return TextKind::string;
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    return TextKind::view;
  } else if constexpr (std::is_same_v<T, Shape>) {
    return TextKind::shape;
  } else if constexpr (std::is_convertible_v<const T&, const char*>) {
    return TextKind::chars;
  } else if constexpr (std::is_convertible_v<const T&, const void*>) {
    return TextKind::address;
  } else {
    return TextKind::object;
  }
}

// An argument on its way to text(); borrows it.
template <class T, TextKind kKind = text_kind<T>()>
class TextItem {
 public:
  [[gnu::always_inline]] explicit TextItem(const T& item) : item_(item) {}
  [[gnu::always_inline]] uint64_t word() const {
    if constexpr (kKind == TextKind::real) {
      const double real = item_;
      uint64_t bits;
      std::memcpy(&bits, &real, sizeof bits);
      return bits;
    } else if constexpr (kKind == TextKind::character) {
      return static_cast<unsigned char>(item_);
    } else if constexpr (kKind == TextKind::integer) {
      return static_cast<uint64_t>(static_cast<int64_t>(item_));
    } else if constexpr (kKind == TextKind::natural) {
      return item_;
    } else if constexpr (kKind == TextKind::chars || kKind == TextKind::address) {
      return reinterpret_cast<uintptr_t>(static_cast<const void*>(item_));
    } else {
      return reinterpret_cast<uintptr_t>(&item_);
    }
  }

 private:
  const T& item_;
};

template <class T>
class TextItem<T, TextKind::object> {
 public:
  [[gnu::always_inline]] explicit TextItem(const T& item) : object_{&item, str} {}
  [[gnu::always_inline]] uint64_t word() const { return reinterpret_cast<uintptr_t>(&object_); }

 private:
  static std::string str(const void* object) { return static_cast<const T*>(object)->str(); }

  TextObject object_;
};

// The kinds of arguments in one number, the first one in its lowest bits: all that a call needs beside the words.
template <class... Args>
constexpr uint64_t text_kinds() {
  static_assert(sizeof...(Args) <= kTextMost);
  uint64_t kinds = 0;
  size_t at = 0;
  ((kinds |= static_cast<uint64_t>(text_kind<Args>()) << (kTextKindBits * at++)), ...);
  return kinds;
}

// The words as uint64_t follow.
std::string join_text(uint64_t kinds, ...) noexcept(kCompact);
std::string join_words(uint64_t kinds, va_list words) noexcept(kCompact);
[[noreturn]] void throw_error(Status status, uint64_t kinds, ...);

// Joins its arguments into one string: characters and strings, numbers, addresses, anything with a member str().
// Real numbers have six significant digits; bytes are characters, as in streams.
template <class... Args>
std::string text(const Args&... args) {
  return join_text(text_kinds<Args...>(), TextItem<Args>(args).word()...);
}

// Raises an Error. Messages start with "[operator or function]", show what arrived and what was expected. No
// function for each list of types: where it is called, throw_error takes no more code.
template <class... Args>
[[noreturn, gnu::always_inline]] inline void fail(Status status, const Args&... args) {
  MIXGRAD_FRAME;
  throw_error(status, text_kinds<Args...>(), TextItem<Args>(args).word()...);
}

}  // namespace mixgrad
