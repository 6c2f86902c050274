// Whether tests that need libzmq can run here.
#pragma once

#include <cstdio>

#include "base/error.h"
#include "net/zeromq_library.h"

namespace check {

inline bool has_zeromq() {
#if defined(__SANITIZE_THREAD__)
  // ThreadSanitizer does not see how threads of a library that it did not compile hand memory on: every message is a report.
  std::puts("tests over ZeroMQ: left out under ThreadSanitizer");
  return false;
#endif
  try {
    static_cast<void>(mixgrad::net::zmq());
    return true;
  } catch (const mixgrad::Error&) {
    static bool told = false;
    if (!told) std::puts("libzmq is not there; tests over ZeroMQ are skipped");
    told = true;
    return false;
  }
}

}  // namespace check
