// The one exception type of the library, and the text helper that builds its messages.
#pragma once

#include <exception>
#include <sstream>
#include <string>
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

// Joins its arguments into one string with operator<<.
template <class... Args>
std::string text(const Args&... args) {
  std::ostringstream out;
  (out << ... << args);
  return out.str();
}

// Throws Error. Messages start with "[operator or function]", show what arrived and what was expected.
template <class... Args>
[[noreturn]] void fail(Status status, const Args&... args) {
  throw Error(status, text(args...));
}

}  // namespace mixgrad
