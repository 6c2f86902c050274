#include "net/wake.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace mixgrad::net {

#if defined(__unix__) || defined(__APPLE__)
Wake::Wake() {
  if (pipe(ends_) != 0)
    fail(Status::out_of_memory, "[zeromq] the system gives no pipe: ", std::strerror(errno));
  for (const int end : ends_) {
    fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
    fcntl(end, F_SETFD, FD_CLOEXEC);
  }
}

Wake::~Wake() {
  for (const int end : ends_) close(end);
}

void Wake::signal() {
  if (signalled_.exchange(true)) return;
  const char byte = 0;
  while (write(ends_[1], &byte, 1) < 0 && errno == EINTR) {
  }
}

void Wake::clear() {
  if (!signalled_.load()) return;
  char byte;
  // Nothing to read: the thread that signals is about to write, and this one is woken again.
  if (read(ends_[0], &byte, 1) == 1) signalled_.store(false);
}
#else
Wake::Wake() { fail(Status::unsupported, "[zeromq] this system has no pipes"); }
Wake::~Wake() {}
void Wake::signal() {}
void Wake::clear() {}
#endif

}  // namespace mixgrad::net
