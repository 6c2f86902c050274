// Children of a fork have no part in what their parent opened.
#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "net/own_process.h"
#include "net/parent_descriptor.h"

using mixgrad::net::OwnProcess;
using mixgrad::net::ParentDescriptor;

namespace {

template <class F>
int status_of_child(F&& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  return WEXITSTATUS(status);
}

TEST(net_own_process_refuses_in_children_and_grandchildren) {
  const OwnProcess here;
  const ParentDescriptor descriptor(dup(1));
  CHECK(here.here());
  const auto refuses = [&](const OwnProcess& other) {
    try {
      other.check("test");
    } catch (const mixgrad::Error& error) {
      return error.status() == mixgrad::Status::unsupported && !other.here();
    }
    return false;
  };
  const int seen = status_of_child([&] {
    const OwnProcess child;
    if (!refuses(here) || !child.here() || descriptor.get() != -1) return 1;
    return status_of_child([&] { return refuses(here) && refuses(child) && OwnProcess().here() ? 7 : 2; });
  });
  CHECK_EQ(seen, 7);
  CHECK(here.here());
  CHECK(descriptor.get() >= 0);
  here.check("test");
  // Another child is no part of it either.
  CHECK_EQ(status_of_child([&] { return refuses(here) ? 7 : 3; }), 7);
}

}  // namespace
#endif
