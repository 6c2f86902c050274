// What a program should be told while its work goes on.
#pragma once

#include <atomic>
#include <string>

namespace mixgrad {

// Gets each warning, in the thread that found it, which may be one of the library's own. Null: standard error.
using WarningHandler = void (*)(const char* message);
void set_warning_handler(WarningHandler handler);

// Hands the message on. It has the form of errors' messages, "[operator] what is wrong; what is done".
void warn(const std::string& message);

// True the first time only, in the process.
class FirstTime {
 public:
  bool now() { return !done_.exchange(true, std::memory_order_relaxed); }

 private:
  std::atomic<bool> done_{false};
};

}  // namespace mixgrad
