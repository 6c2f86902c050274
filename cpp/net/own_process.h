// What a forked child has no part in.
#pragma once

#include "base/error.h"
#include "base/process_number.h"

namespace mixgrad::net {

// Remembers the process in which it was made. Asks the system nothing: it stands in the way of every message.
class OwnProcess {
 public:
  bool here() const { return process_ == process_number(); }
  // Throws Status::unsupported in a child.
  void check(const char* who) const {
    if (here()) return;
    fail(Status::unsupported, '[', who,
         "] got a transport of the process before a fork; expected one that this process opened");
  }

 private:
  const uint32_t process_ = process_number();
};

}  // namespace mixgrad::net
