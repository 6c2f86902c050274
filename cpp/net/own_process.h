// What a forked child has no part in.
#pragma once

#include "base/error.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace mixgrad::net {

// Remembers the process in which it was made.
class OwnProcess {
 public:
#if defined(__unix__) || defined(__APPLE__)
  bool here() const { return process_ == getpid(); }
#else
  bool here() const { return true; }
#endif
  // Throws Status::unsupported in a child.
  void check(const char* who) const {
    if (here()) return;
    fail(Status::unsupported, '[', who,
         "] got a transport of the process before a fork; expected one that this process opened");
  }

 private:
#if defined(__unix__) || defined(__APPLE__)
  const pid_t process_ = getpid();
#endif
};

}  // namespace mixgrad::net
