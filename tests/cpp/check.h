// The tests' own small frame: TEST(name) { CHECK(...); } in any .cc beside main.cc.
// CHILD(name) is the main() of another process, which start_child in child_process.h begins.
#pragma once

#include <exception>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"

namespace check {

struct Case {
  const char* name;
  void (*run)();
};
inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}
struct Registration {
  Registration(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

struct Child {
  const char* name;
  int (*run)(const std::vector<std::string>& arguments);
};
inline std::vector<Child>& children() {
  static std::vector<Child> all;
  return all;
}
struct ChildRegistration {
  ChildRegistration(const char* name, int (*run)(const std::vector<std::string>&)) {
    children().push_back({name, run});
  }
};

// Ends the current test; caught by main().
struct Failed {
  std::string message;
};

template <class T, class = void>
constexpr bool kHasText = false;
template <class T>
constexpr bool kHasText<T, std::void_t<decltype(std::declval<const T&>().str())>> = true;

template <class T>
std::string shown(const T& value) {
  std::ostringstream out;
  if constexpr (std::is_enum_v<T>) {
    out << static_cast<long long>(value);
  } else if constexpr (kHasText<T>) {
    out << value.str();
  } else {
    out << value;
  }
  return out.str();
}

[[noreturn]] inline void fail(const char* file, int line, const std::string& message) {
  throw Failed{std::string(file) + ":" + std::to_string(line) + ": " + message};
}

template <class A, class B>
void equal(const A& a, const B& b, const char* text, const char* file, int line) {
  if (!(a == b)) fail(file, line, std::string(text) + ": " + shown(a) + " is not " + shown(b));
}

template <class F>
void throws(F&& run, mixgrad::Status status, const char* part, const char* text, const char* file, int line) {
  try {
    run();
  } catch (const mixgrad::Error& error) {
    if (error.status() != status) {
      fail(file, line,
           std::string(text) + ": threw status " + shown(error.status()) + ", not " + shown(status) +
               ", with: " + error.message());
    }
    if (error.message().find(part) == std::string::npos) {
      fail(file, line, std::string(text) + ": '" + error.message() + "' does not contain '" + part + "'");
    }
    return;
  }
  fail(file, line, std::string(text) + ": threw nothing");
}

}  // namespace check

#define TEST(name)                                                          \
  static void test_##name();                                                \
  static const check::Registration registration_##name(#name, test_##name); \
  static void test_##name()
#define CHILD(name)                                                                     \
  static int child_##name(const std::vector<std::string>& arguments);                   \
  static const check::ChildRegistration child_registration_##name(#name, child_##name); \
  static int child_##name(const std::vector<std::string>& arguments)
#define CHECK(condition) \
  (static_cast<bool>(condition) ? void() : check::fail(__FILE__, __LINE__, "not true: " #condition))
#define CHECK_EQ(a, b) check::equal(a, b, #a " == " #b, __FILE__, __LINE__)
// The expression throws mixgrad::Error with that status (a name from Status) and that part in its message.
#define CHECK_THROWS(expression, status, part) \
  check::throws([&] { expression; }, mixgrad::Status::status, part, #expression, __FILE__, __LINE__)
