#include "base/warning.h"

#include <cstdio>

namespace mixgrad {
namespace {

std::atomic<WarningHandler>& warning_handler() {
  static std::atomic<WarningHandler> handler{nullptr};
  return handler;
}

}  // namespace

void set_warning_handler(WarningHandler handler) { warning_handler().store(handler); }

void warn(const std::string& message) {
  if (const WarningHandler handler = warning_handler().load()) return handler(message.c_str());
  std::fprintf(stderr, "mixgrad: warning: %s\n", message.c_str());
}

}  // namespace mixgrad
